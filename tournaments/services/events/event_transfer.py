"""Whole events moved between installations: the rows exported, and their import.

Accounts stay behind, and so do organisers, emails, ratings, online tables, links, and the keys of deals that are not
public yet. People become names, which they can claim again.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

from accounts.display_names import FORMER, clean_display_name
from accounts.models import User
from engine.errors import BadInput
from engine.play.rules import Rules
from gameplay.house_rules.match_length import with_length
from tournaments import stage_standings, terms
from tournaments.models import (
    Act,
    Adjustment,
    Answer,
    Board,
    Entry,
    KeptApart,
    Member,
    Organiser,
    Pairing,
    Place,
    Result,
    Round,
    SitOut,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.plan import Plan
from tournaments.services.events import addresses
from tournaments.stage_state import load
from web.database.row_transfer import Carried, Check, Damaged, Ids, Within, act_changes
from web.errors import Refused

Rows = Mapping[str, Sequence[Model]]
"""Rows by model label."""
STAYING_ACTS = ("organisers",)
"""Kinds of actions that are not exported, because they concern accounts only."""


def is_name(longest: int) -> Check:
    """Check that a text is a valid name, or one of a deleted account."""

    def check(value: Any) -> None:
        try:
            clean_display_name(value.replace(FORMER, "somebody gone"), longest)
        except ValidationError as error:
            raise Damaged("no name") from error

    return check


def is_rules(value: Any) -> None:
    """Check that these are playable rules."""
    try:
        Rules.read(value)
    except BadInput as error:
        raise Damaged("no rules") from error


def _is_plan(value: Any) -> None:
    try:
        Plan.read(value)
    except Refused as error:
        raise Damaged("no plan") from error


def _is_length(value: Any) -> None:
    try:
        with_length(Rules.preset("standard"), value)
    except BadInput as error:
        raise Damaged("no length of a match") from error


# Ids within values


def _of_saved_rules(refs: Within) -> Within:
    """Numbers for the saved rules that terms name."""

    def within(terms: Any, ids: Ids) -> dict[str, Any]:
        return {**terms, "rules_ref": refs(terms["rules_ref"], ids)} if terms.get("rules_ref") else dict(terms)

    return within


def _of_stage(refs: Within) -> Within:
    """The same in the plan of a stage."""
    of_terms = _of_saved_rules(refs)

    def within(plan: Any, ids: Ids) -> dict[str, Any]:
        changed = {name: of_terms(plan[name], ids) for name in ("own_terms", "final_terms") if name in plan}
        if "round_terms" in plan:
            changed["round_terms"] = {name: of_terms(each, ids) for name, each in plan["round_terms"].items()}
        return {**plan, **changed}

    return within


def _players(value: Any, ids: Ids) -> list[int]:
    ids_here = [ids("tournaments.member", pk) for pk in value]
    return [pk for pk in ids_here if pk is not None]


def _lines(value: Any, ids: Ids) -> list[dict[str, Any]]:
    return [{**line, "entry": ids("tournaments.entry", line["entry"])} for line in value]


def _sheet(value: Any, ids: Ids) -> dict[str, Any]:
    sides = [[ids("tournaments.entry", pk) for pk in side] for side in value.get("sides", ())]
    return {**value, "sides": sides}


def _are_numbers(value: Any) -> None:
    if any(type(item) is not int for item in value):
        raise Damaged("no numbers")


def _are_lines(value: Any) -> None:
    for line in value:
        score = line.get("score")
        _are_numbers([line["entry"], *([] if score is None else [score])])
        _are_numbers(line.get("deals") or [])
        if type(line.get("forfeit", False)) is not bool:
            raise Damaged("no line of a result")
        _are_numbers([line[name] for name in ("books", "outs", "side") if line.get(name) is not None])


def _is_sheet(value: Any) -> None:
    sides, deals = value.get("sides", []), value.get("deals", [])
    for side in sides:
        _are_numbers(side)
    if type(deals) is not list or any(type(deal) is not dict for deal in deals):
        raise Damaged("no score sheet")


def _are_byes(value: Any) -> None:
    if any(not key.isdecimal() or kind not in ("half_bye", "bye", "zero_bye") for key, kind in value.items()):
        raise Damaged("no byes")


# Which rows


def exported_models(refs: Within) -> tuple[Carried, ...]:
    """Every exported model of events; `refs` replaces ids of rows of apps above by numbers."""
    by_label: dict[str, Carried] = {}
    within, check = act_changes("tournaments", lambda: by_label)
    every = (
        Carried(
            Tournament,
            frozenset({"created_by", "version", "look_at"}),
            within={"circle": refs, "terms": _of_saved_rules(refs)},
            checks={"name": is_name(80), "rules_json": is_rules, "length_json": _is_length},
            settle=_lots,
        ),
        Carried(Entry, frozenset({"entered_by"}), checks={"name": is_name(80), "byes": _are_byes}),
        Carried(Member, frozenset({"user", "email", "token"}), checks={"name": is_name(60)}),
        Carried(KeptApart),
        Carried(Stage, within={"plan_json": _of_stage(refs)}, checks={"plan_json": _is_plan}),
        Carried(StageEntry, checks={"byes": _are_byes}),
        Carried(Round),
        Carried(SitOut),
        Carried(Adjustment, frozenset({"by"})),
        Carried(Board),
        Carried(Pairing, frozenset({"table", "token"}), checks={"boards": _are_numbers}, settle=_table),
        Carried(
            Place, within={"players": _players, "sheet": _sheet}, checks={"players": _are_numbers, "sheet": _is_sheet}
        ),
        Carried(
            Result,
            frozenset({"by", "confirmed_by", "request_key"}),
            within={"lines": _lines, "sheet": _sheet},
            checks={"lines": _are_lines, "sheet": _is_sheet},
        ),
        Carried(Answer, frozenset({"user"})),
        Carried(
            Act,
            frozenset({"by", "request_key"}),
            within={"changes": within},
            checks={"changes": check},
            settle=_drawn_again,
        ),
    )
    by_label.update({kind.label: kind for kind in every})
    return every


def exported_rows(tournaments: QuerySet[Tournament]) -> dict[str, QuerySet[Any]]:
    """The exported rows of these events, by model label, in the order of their ids."""
    events = list(tournaments.values_list("pk", flat=True))
    querysets: dict[type[Model], Q] = {
        Tournament: Q(pk__in=events),
        Entry: Q(tournament__in=events),
        Member: Q(tournament__in=events),
        KeptApart: Q(tournament__in=events),
        Stage: Q(tournament__in=events),
        StageEntry: Q(stage__tournament__in=events),
        Round: Q(stage__tournament__in=events),
        SitOut: Q(round__stage__tournament__in=events),
        Adjustment: Q(stage__tournament__in=events),
        Board: Q(stage__tournament__in=events, opened_at__isnull=False),
        Pairing: Q(round__stage__tournament__in=events),
        Place: Q(pairing__round__stage__tournament__in=events),
        Result: Q(pairing__round__stage__tournament__in=events),
        Answer: Q(result__pairing__round__stage__tournament__in=events),
        Act: Q(tournament__in=events) & ~Q(kind__in=STAYING_ACTS),
    }
    selected = {model._meta.label_lower: model._default_manager.filter(which) for model, which in querysets.items()}
    # Checked when written: a table under way stays behind, and so does a private draw by lot.
    selected["tournaments.pairing"] = selected["tournaments.pairing"].select_related("table")
    # Checked likewise: lots that were drawn again before the start.
    selected["tournaments.act"] = selected["tournaments.act"].select_related("tournament")
    return {label: rows.order_by("pk") for label, rows in selected.items()}


def _lots(row: Model, values: dict[str, Any]) -> None:
    """Drop seeds of lots that are not drawn yet, because they would reveal them: the event gets others."""
    if isinstance(row, Tournament) and not row.has_begun:
        del values["lots"]
    if isinstance(row, Tournament) and row.status != Tournament.Status.OVER:
        del values["lot_seed"]


def _drawn_again(row: Model, values: dict[str, Any]) -> None:
    """Keep only the sentence of an act that changed lots which are not drawn yet: it cannot be undone elsewhere."""
    if not isinstance(row, Act) or row.tournament.has_begun:
        return
    if any(change["model"] == "tournament" and "lots" in (change["is"] or {}) for change in row.changes):
        values["changes"] = []


def _table(row: Model, values: dict[str, Any]) -> None:
    """Reset a match at an online table under way: its table stays behind."""
    open_statuses = (Pairing.Status.READY, Pairing.Status.PLAYING)
    if isinstance(row, Pairing) and row.table_id is not None and row.status in open_statuses:
        values |= {"status": Pairing.Status.READY, "opened_at": None, "begun_at": None}


# Import


def import_rows(rows: Rows, by: User, save: Callable[[str, Sequence[Model]], None]) -> None:
    """Store imported events with `by` as their organiser. Within a transaction.

    `save` stores the rows of a model by its label. Raises `Damaged` for events that cannot be shown.
    """
    for event in rows.get("tournaments.tournament", ()):
        assert isinstance(event, Tournament)  # noqa: S101  by its label
        event.created_by = by
        if Tournament.objects.filter(slug=event.slug).exists() or event.slug in addresses.RESERVED:
            event.slug = addresses.free_slug(event)
        save("tournaments.tournament", [event])  # one by one, so that no two take the same address
    for label, of_model in rows.items():
        if label != "tournaments.tournament":
            save(label, of_model)
    events = [event.pk for event in rows.get("tournaments.tournament", ())]
    Organiser.objects.bulk_create(
        Organiser(tournament_id=event, user=by, role=Organiser.Role.OWNER) for event in events
    )
    _prove(events)


def _prove(events: Iterable[int]) -> None:
    """Check that every stage can be read and ranked: valid rows may still contradict each other."""
    for stage in Stage.objects.filter(tournament__in=list(events)).select_related("tournament"):
        try:
            state = load(stage)
            for part in terms.parts(state.plan):
                terms.resolve(stage.tournament, state.plan, part)
            if state.rounds and state.entries:
                stage_standings.ranking(state)
        except Exception as error:
            raise Damaged(f"{stage} makes no sense") from error
