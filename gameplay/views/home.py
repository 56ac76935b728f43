"""The front page, your turn, practice, rule sheets, and pages about the site."""

import secrets
from datetime import UTC
from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import retention
from accounts.budgets import TABLES, check
from accounts.guests import make_guest
from accounts.models import User
from accounts.queries import player_of
from engine.play.moves import NO, YES
from engine.play.rule_sheet.sheet import Section, Sentence, differences, rule_sheet
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS, RULESETS, Ruleset, choices
from engine.words import say
from gameplay import front_page, link_cards, queries, turn_list
from gameplay.access import is_member, is_somebody, own_seat
from gameplay.house_rules import rule_titles, ruleset_facts
from gameplay.house_rules.rule_pictures import add_pictures
from gameplay.models import Table
from gameplay.practice_form import PracticeForm
from gameplay.retention import PRACTICE
from gameplay.services import first_deal, play, tables
from web.errors import Refused, is_htmx
from web.files import PDF, kept_file
from web.link_cards import absolute
from web.sent_numbers import read_whole

TURNS = 4
"""Tables of a member on the front page."""

# The front page and practice


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page: to visitors the site and a practice deal at one press, to members their own day."""
    player = player_of(request)
    practice = [turn_list.TableLine(seat, timezone.now()) for seat in queries.practice_of(player)]
    public = [turn_list.Watched(table) for table in queries.public_tables()]
    names = rule_titles.of_tables([*(line.table for line in practice[:1]), *(line.table for line in public)])
    is_newcomer = not practice and queries.is_newcomer(player)
    context = {"practice": practice, "public": public, "rule_names": names, "is_newcomer": is_newcomer}
    if isinstance(player, User) and is_member(player):
        turns = [turn_list.Turn(seat, timezone.now()) for seat in queries.turns_of(player)]
        context |= {"turns": turns[:TURNS], "turns_beyond": len(turns[TURNS:]), **front_page.for_member(player)}
        return render(request, "gameplay/day.html", context)
    context |= {"example_standings": front_page.EXAMPLE, "scene": front_page.SCENE, **front_page.for_visitors()}
    return render(request, "gameplay/home.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Choose rules and bots; a POST starts the match, for visitors as a guest. With `guided` it is a first deal."""
    player = player_of(request)
    form = PracticeForm(request.POST if request.method == "POST" else request.GET or None, user=player)
    going_on = queries.practice_of(player)
    if request.method == "POST" and form.is_valid():
        try:
            # First, so that a visitor who is refused leaves no guest behind.
            check(TABLES, player)
            make = first_deal.make_first_deal if request.POST.get("guided") else partial(_new_practice, form)
            return redirect(make(make_guest(request)))
        except Refused as refusal:
            form.add_error(None, refusal.sentence)
    context = {
        "practice_days": PRACTICE.days,
        "form": form,
        "practice": [turn_list.TableLine(seat, timezone.now()) for seat in going_on],
        "rule_names": rule_titles.of_tables(seat.table for seat in going_on),
    }
    return render(request, "gameplay/practice.html", context, status=422 if request.method == "POST" else 200)


def _new_practice(form: PracticeForm, player: User) -> Table:
    seats, team_size = form.rules.shape()
    return tables.make_practice(
        player, form.rules, level=form.bots, seat_count=seats, team_size=team_size, rules_ref=form.rules_ref
    )


# Your turn


@require_safe
def turns(request: HttpRequest) -> HttpResponse:
    """Every match of the player's: first those that wait for them, the least time left first."""
    player = player_of(request)
    if not is_somebody(player):
        return redirect("gameplay:practice")
    template = "gameplay/turns_list.html" if is_htmx(request) else "gameplay/turns.html"
    return render(request, template, _matches(player))


def _matches(player: User) -> dict[str, Any]:
    now = timezone.now()
    turns = [turn_list.Turn(seat, now) for seat in queries.turns_of(player)]
    waiting = [turn_list.Waiting(seat, now) for seat in queries.waiting_of(player)]
    practice = [turn_list.Waiting(seat, now) for seat in queries.practice_of(player)]
    invitations = list(queries.invitations_of(player))
    finished = [turn_list.Finished(seat, now) for seat in queries.finished_of(player)]
    tables = [*(line.table for line in practice), *(invitation.table for invitation in invitations)]
    has_played = bool(turns or waiting or practice or finished)
    return {
        "turns": turns,
        "waiting": waiting,
        "practice": practice,
        "practice_days": PRACTICE.days,
        "rule_names": rule_titles.of_tables(tables),
        "finished": finished,
        "is_newcomer": not has_played and queries.is_newcomer(player),
        "invitations": invitations,
        "live": ",".join(f"{line.table.slug}:{line.table.version}" for line in [*turns, *waiting, *practice]),
        "request_key": secrets.token_urlsafe(12),
    }


@require_POST
def answer(request: HttpRequest, slug: str) -> HttpResponse:
    """Say yes or no to `May I go out?` without opening the table."""
    player = cast(User, player_of(request))
    table, _ = own_seat(player, slug)
    move = {"yes": YES, "no": NO}.get(request.POST.get("answer", ""))
    seen = read_whole(request.POST.get("seen", ""))
    if move is None or seen is None:
        raise Http404(gettext("Answer not found."))
    try:
        play.play(table.pk, player, [move], seen=seen, request_key=request.POST.get("key", "")[:64] or None)
    except Refused as refusal:
        messages.error(request, f"{table.name}: {refusal.sentence}")
    else:
        sentence = gettext("%(table)s: you said yes.") if move == YES else gettext("%(table)s: you said no.")
        messages.success(request, sentence % {"table": table.name})
    return redirect("gameplay:turns")


# Rules


@require_safe
def rulesets(request: HttpRequest) -> HttpResponse:
    """The published rulesets side by side."""
    return render(request, "gameplay/rulesets.html", {"comparisons": ruleset_facts.compare_published()})


@require_safe
def ruleset(request: HttpRequest, name: str) -> HttpResponse:
    """The rule sheet of a published ruleset, and its differences from another."""
    rules = _preset(name)
    base = request.GET.get("from", "")
    other = _preset(base) if base and base != name else None
    changed = differences(rules, other) if other else ()
    others = [(title, [choice for choice in group if choice[0] != name]) for title, group in choices()]
    context = {
        "rules": rules,
        "published": RULESETS[name],
        "sections": add_pictures(rule_sheet(rules), rules),
        "others": others,
        "other": other,
        "changed": changed,
        "changed_texts": {sentence.text for sentence in changed},
        "link_card": link_cards.ruleset_card(name),
    }
    return render(request, "gameplay/ruleset.html", context)


@require_safe
def ruleset_pdf(request: HttpRequest, name: str) -> HttpResponse:
    """The rule sheet of a published ruleset on two sheets of paper."""
    rules = _preset(name)
    sections = [*rule_sheet(rules), *_unsaid(RULESETS[name])]

    def make() -> bytes:
        from gameplay.house_rules.rules_pdf import rules_pdf  # which takes long to load
        from web.paper import Cover

        address = absolute(reverse("gameplay:ruleset", args=[name]))
        about = Cover(f"Hand and Foot: {rules.title}", address, gettext("Published ruleset"), timezone.now())
        return rules_pdf(about, gettext("Rule sheet"), sections, intro=say(RULESETS[name].about))

    return kept_file(request, f"{name}.pdf", PDF, make, follows=f"rules|{sections}", zone=UTC)


def _unsaid(published: Ruleset) -> list[Section]:
    """What the source of a ruleset says otherwise, below its rule sheet."""
    sentences = tuple(Sentence((), say(text)) for text in published.unsaid)
    return [Section(gettext("Played differently by its source"), sentences)] if sentences else []


def _preset(name: str) -> Rules:
    if name not in PRESETS:
        raise Http404(gettext("Ruleset not found."))
    return Rules.preset(name)


# About the site


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "gameplay/about.html")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    context = {"rules": retention.rules(), "reasons": dict.fromkeys(retention.reasons().values())}
    return render(request, "gameplay/privacy.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    return render(request, "gameplay/accessibility.html")


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    return render(request, "gameplay/api.html")


urls = [
    path("", home, name="home"),
    path("play/", turns, name="turns"),
    path("play/<slug:slug>/answer/", answer, name="answer"),
    path("practice/", practice, name="practice"),
    path("rules/", rulesets, name="rulesets"),
    path("rules/<slug:name>/", ruleset, name="ruleset"),
    path("rules/<slug:name>/sheet.pdf", ruleset_pdf, name="ruleset_pdf"),
    path("about/", about, name="about"),
    path("privacy/", privacy, name="privacy"),
    path("accessibility/", accessibility, name="accessibility"),
    path("api/", api, name="api"),
]
