"""The rules of an event in one line, and what a stage or round plays differently, in sentences."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext

from gameplay.house_rules import rule_titles
from gameplay.house_rules.match_length import length_text, with_length_said
from gameplay.house_rules.rule_titles import RulesTitle
from gameplay.paces import PACES
from tournaments import terms
from tournaments.models import Round, Stage, Tournament
from tournaments.own_terms import NO_TERMS, OwnTerms
from tournaments.plan import Plan
from tournaments.round_names import round_name
from tournaments.terms import Terms
from web.text import number, several


def rules_title(event: Tournament) -> str:
    """Name such as `Harbour rules, version 3, two deals` or `Standard, four deals`: one query for house rules."""
    played_by = terms.of_event(event)
    return with_length_said(_title_of(played_by).title, played_by.rules)


def rules_phrase(event: Tournament) -> str:
    """The same within a sentence, with the length only if it is not as published: `Standard rules`."""
    return phrase(terms.of_event(event))


def phrase(played_by: Terms) -> str:
    """Rules within a sentence: `Harbour rules, version 3`, `Standard with house rules`, `Standard rules, two deals`."""
    rules_title_of = _title_of(played_by)
    return rules_title_of._replace(title=_words(rules_title_of)).title_with_length


def rules_alone(event: Tournament) -> str:
    """The same without the length of a match."""
    return _words(_title_of(terms.of_event(event)))


def _words(rules_title_of: RulesTitle) -> str:
    title = rules_title_of.title
    return title if rules_title_of.is_house else gettext("%(title)s rules") % {"title": title}


def own_length(event: Tournament) -> str:
    """The length of a match, if it is not as in the ruleset: `two deals`; else empty."""
    played_by = terms.of_event(event)
    return length_text(played_by.rules) if played_by.rules.length != _title_of(played_by).base.length else ""


def are_house_rules(event: Tournament) -> bool:
    """Whether the rules are a version of house rules, or a changed preset. The length of a match is no change."""
    return _title_of(terms.of_event(event)).is_house


def _title_of(played_by: Terms) -> RulesTitle:
    return rule_titles.find_title(played_by.rules_ref, played_by.rules)


# Stages and rounds that are played differently


def stage_sentences(stage: Stage, plan: Plan) -> tuple[str, ...]:
    """What the matches of a stage have differently from those of the event, and its last round from the others."""
    if plan.own_terms == NO_TERMS and plan.final_terms == NO_TERMS and not plan.round_terms:
        return ()
    stage_terms, last = (terms.resolve(stage.tournament, plan, part) for part in (terms.ALL, terms.LAST))
    of_stage = () if plan.own_terms == NO_TERMS else _of_stage(stage_terms, terms.of_event(stage.tournament))
    of_rounds = []
    for name, own_terms in plan.round_terms:
        of_round = terms.resolve(stage.tournament, plan, terms.Part(round_name=name))
        values = {"round": round_name(name), "terms": " ".join(_of_round(own_terms, of_round, stage_terms))}
        of_rounds.append(gettext("%(round)s: %(terms)s") % values)
    return (*of_stage, *of_rounds, *(() if plan.final_terms == NO_TERMS else _of_last(plan, last, stage_terms)))


def round_sentence(round_: Round) -> str:
    """What a round has differently from the event, in a line: `The final is eight deals.` Empty for nothing."""
    stage, plan = round_.stage, Plan.read(round_.stage.plan_json)
    if terms.is_last(plan, round_) and plan.final_terms != NO_TERMS:
        last = terms.resolve(stage.tournament, plan, terms.LAST)
        return " ".join(_of_last(plan, last, terms.of_event(stage.tournament)))
    if (own_terms := plan.terms_of(round_.name)) != NO_TERMS and not terms.is_last(plan, round_):
        of_round = terms.resolve(stage.tournament, plan, terms.Part(round_name=round_.name))
        return " ".join(_of_round(own_terms, of_round, terms.of_event(stage.tournament)))
    if plan.own_terms == NO_TERMS:
        return ""
    return " ".join(_of_stage(terms.resolve(stage.tournament, plan), terms.of_event(stage.tournament)))


def _of_stage(stage_terms: Terms, others: Terms) -> Iterable[str]:
    if _rules_differ(stage_terms, others):
        yield gettext("Rules: %(rules)s.") % {"rules": _title_of(stage_terms).title}
    if stage_terms.rules.length != others.rules.length:
        if stage_terms.rules.length.by == "target":
            yield gettext("Matches are played to %(points)s points.") % {
                "points": number(stage_terms.rules.length.number)
            }
        else:
            yield gettext("A match is %(deals)s.") % {"deals": length_text(stage_terms.rules)}
    if stage_terms.clock:
        yield gettext("Clock: %(clock)s.") % {"clock": PACES[stage_terms.clock].title}


def _of_round(own_terms: OwnTerms, of_round: Terms, others: Terms) -> Iterable[str]:
    """Sentences on a round before the last; `others` are the terms to compare with."""
    yield from _of_stage(of_round, others)
    if own_terms.minutes and of_round.minutes:
        yield gettext("A match has %(minutes)s.") % {"minutes": several(of_round.minutes, "minute")}


def _of_last(plan: Plan, last: Terms, others: Terms) -> Iterable[str]:
    """Sentences on a last round; `others` are the terms to compare with."""
    values = {
        "rules": _title_of(last).title if _rules_differ(last, others) else "",
        "deals": length_text(last.rules),
        "points": number(last.rules.length.number),
        "clock": PACES[last.clock].title if last.clock else "",
        "minutes": several(last.minutes, "minute"),
        "seats": plan.final_terms.seats,
    }
    is_final = plan.is_knockout
    if values["rules"]:
        yield (
            gettext("Rules of the final: %(rules)s.") % values
            if is_final
            else gettext("Rules of the last round: %(rules)s.") % values
        )
    if last.rules.length != others.rules.length:
        yield _last_length(values, is_final=is_final, is_target=last.rules.length.by == "target")
    if last.clock and last.clock != others.clock:
        yield (
            gettext("Clock of the final: %(clock)s.") % values
            if is_final
            else gettext("Clock of the last round: %(clock)s.") % values
        )
    if plan.final_terms.minutes and last.minutes:
        yield (
            gettext("The final has %(minutes)s.") % values
            if is_final
            else gettext("The last round has %(minutes)s.") % values
        )
    if plan.final_terms.seats:
        yield (
            gettext("The final has a table of %(seats)s.") % values
            if is_final
            else gettext("The last round is played at tables of %(seats)s.") % values
        )


def _last_length(values: Mapping[str, object], *, is_final: bool, is_target: bool) -> str:
    if is_target and is_final:
        return gettext("The final is played to %(points)s points.") % values
    if is_target:
        return gettext("In the last round matches are played to %(points)s points.") % values
    if is_final:
        return gettext("The final is %(deals)s.") % values
    return gettext("In the last round a match is %(deals)s.") % values


def _rules_differ(stage_terms: Terms, others: Terms) -> bool:
    """Whether rules differ in more than the length of a match."""
    return (stage_terms.rules_ref, stage_terms.rules.name) != (others.rules_ref, others.rules.name) or any(
        name != "length" for name in stage_terms.rules.differences(others.rules)
    )
