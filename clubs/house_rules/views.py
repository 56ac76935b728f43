"""House rules: the list, every version's own page, the editor, bringing in, and the page behind a link."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.queries import player_of
from acts.declaring import Declared
from clubs import access
from clubs.forms.acting import Refusal, declared
from clubs.house_rules import page as public
from clubs.house_rules import services
from clubs.models import Act, Club, HouseRules, RulesVersion
from clubs.public import page_context
from clubs.public.page_context import Seen
from clubs.roles import ROLES
from clubs.services.history import made
from engine.play.rule_sheet.sheet import differences, rule_sheet
from engine.play.rules import Rules
from gameplay.access import is_member
from gameplay.house_rules import rule_sources
from gameplay.house_rules.editor import Editor, edit, editor_of
from gameplay.house_rules.rule_changes import changes
from gameplay.house_rules.rule_origin import steps
from gameplay.house_rules.rule_sources import Kept
from web.errors import Refused

# Reading


@require_safe
def house_rules_list(request: HttpRequest, club: str) -> HttpResponse:
    """The house rules of a club."""
    seen = page_context.seen(request, club)

    def make() -> dict[str, Any]:
        found = [
            _line(one) for one in public.newest().filter(house_rules__club=seen.club).order_by("house_rules__name")
        ]
        return {
            "kept": [one for one in found if not one["house_rules"].is_archived],
            "archived": [one for one in found if one["house_rules"].is_archived],
        }

    part = page_context.part(seen.club, "rules", "clubs/rules/list_part.html", make, timed=True)
    return page_context.page(
        request, seen, "clubs/rules/list.html", {"part": part}, tab="rules", title=gettext("House rules")
    )


def _line(version: RulesVersion) -> dict[str, Any]:
    published = Rules.preset(version.preset)
    return {
        "house_rules": version.house_rules,
        "version": version,
        "published": published.title,
        "changed": len(version.rules.differences(published)),
    }


@require_safe
def house_rules(request: HttpRequest, club: str, rules: str) -> HttpResponse:
    """House rules as they are now, and how they came to be so."""
    seen = page_context.seen(request, club)
    return _show(request, seen, _find(seen.club, rules))


@require_safe
def rules_version(request: HttpRequest, club: str, rules: str, version: int) -> HttpResponse:
    """One version, and what changed since."""
    seen = page_context.seen(request, club)
    return _show(request, seen, _find(seen.club, rules), version)


def _find(club: Club, slug: str) -> HouseRules:
    found = HouseRules.objects.filter(club=club, slug=slug).first()
    if found is None:
        raise Http404(gettext("House rules not found in this club."))
    return found


def _show(
    request: HttpRequest,
    seen: Seen,
    found: HouseRules,
    number: int | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """The page of a version, the newest unless another is asked for."""
    versions = list(found.versions.all())
    version = versions[-1] if number is None else next((one for one in versions if one.number == number), None)
    if version is None:
        raise Http404(gettext("Version not found."))

    def make() -> dict[str, Any]:
        return {**_told(public.all_of(found), version.number), "seasons": _seasons(version), "found": found}

    context = {
        "found": found,
        "version": version,
        "newest": versions[-1],
        "ref": public.ref_of(version),
        "part": page_context.part(
            seen.club, "rules", "clubs/rules/version_part.html", make, timed=True, key=f"{found.pk}-{version.number}"
        ),
        "shared": settings.SITE_URL + reverse("clubs:shared_rules", args=[version.token]),
        "refusal": refusal,
        "typed": request.POST if refusal else {"name": found.name, "about": found.about},
    }
    title = found.name if version == versions[-1] else str(version)
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/rules/version.html", context, tab="rules", title=title, status=status
    )


def _told(versions: list[Kept], number: int) -> dict[str, Any]:
    """What the page of a version tells: what changed since, its sheet, what is not as published, and every version."""
    kept, newest = next(one for one in versions if one.number == number), versions[-1]
    published = Rules.preset(kept.rules.name)
    return {
        "kept": kept,
        "newest": None if kept == newest else newest,
        "since": changes(kept.rules, newest.rules),
        "published": published,
        "own": changes(published, kept.rules),
        **_sheet(kept.rules, published),
        "steps": steps(versions),
        "versions": versions[::-1],
    }


def _sheet(rules: Rules, base: Rules) -> dict[str, Any]:
    changed = differences(rules, base)
    return {"sections": rule_sheet(rules), "changed_texts": {sentence.text for sentence in changed}}


def _seasons(version: RulesVersion) -> list[dict[str, str]]:
    """The seasons that are played by a version."""
    found = version.seasons.select_related("league__club").order_by("-pk")[:20]
    return [
        {
            "name": f"{one.league}, {one}",
            "url": page_context.address("clubs:season", one.league.club.slug, one.league.slug, one.slug),
        }
        for one in found
    ]


# The editor


@dataclass
class Draft:
    """What is in the editor: the rules as typed, and the words around them. `found` is what gets a new version."""

    editor: Editor
    found: HouseRules | None = None
    words: dict[str, str] = field(default_factory=dict)
    newest: RulesVersion | None = None

    @property
    def title(self) -> str:
        """What the page is called."""
        return gettext("Change %(name)s") % {"name": self.found.name} if self.found else gettext("New house rules")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_house_rules(request: HttpRequest, club: str) -> HttpResponse:
    """The editor, for house rules under a new name."""
    return _editing(request, page_context.seen_for(request, club, "rules"), None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_house_rules(request: HttpRequest, club: str, rules: str) -> HttpResponse:
    """The editor, for the next version: it starts from the newest, an earlier one, or a published ruleset."""
    seen = page_context.seen_for(request, club, "rules")
    return _editing(request, seen, _find(seen.club, rules))


def _editing(request: HttpRequest, seen: Seen, found: HouseRules | None) -> HttpResponse:
    newest = found.versions.latest("number") if found else None
    if request.method != "POST":
        start = request.GET.get("from") or (public.ref_of(newest) if newest else "standard")
        editor = edit(start)
        if editor.start is None:
            raise Http404(gettext("House rules not found."))
        return _show_editor(request, seen, Draft(editor, found, {}, newest))
    draft = _draft(request, found, newest)
    if request.POST.get("do") != "save":
        return _show_editor(request, seen, draft)
    if draft.editor.rules is None:
        return _show_editor(
            request, seen, draft, Refusal("rules", gettext("Nothing is lost. Please correct the fields below."))
        )
    return _save(request, seen, draft, draft.editor.rules)


def _draft(request: HttpRequest, found: HouseRules | None, newest: RulesVersion | None) -> Draft:
    """What was sent. A choice of other rules keeps what was changed; “reset” takes them as they are."""
    preset = request.POST.get("preset", "")
    editor = edit(preset) if request.POST.get("do") == "reset" else edit(preset, request.POST)
    words = {name: request.POST.get(name, "") for name in ("name", "about", "note")}
    return Draft(editor, found, words, newest)


def _save(request: HttpRequest, seen: Seen, draft: Draft, rules: Rules) -> HttpResponse:
    def show(refusal: Refusal) -> HttpResponse:
        if draft.found is not None:
            draft.newest = draft.found.versions.latest("number")
        return _show_editor(request, seen, draft, refusal)

    if draft.found is not None:
        return declared(request, services.save, draft.found, show, draft.found.get_absolute_url(), rules=rules)
    return declared(request, services.make, seen.club, show, _made, rules=rules)


def _made(act: Act) -> str:
    return made(act, HouseRules).get_absolute_url()


def _show_editor(request: HttpRequest, seen: Seen, draft: Draft, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "draft": draft,
        "refusal": refusal,
        "presets": _starts(request, draft),
        **_beside(draft.editor, draft.newest),
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/rules/editor.html", context, tab="rules", title=draft.title, status=status
    )


def _starts(request: HttpRequest, draft: Draft) -> list[tuple[str, list[tuple[str, str]]]]:
    """What the editor may start from: earlier versions first, then the published rulesets and what is offered."""
    own = [(kept.ref, kept.title) for kept in reversed(public.all_of(draft.found))] if draft.found else []
    known = {ref for ref, _ in own}
    found = [
        (group, [(value, label) for value, label in choices if value not in known])
        for group, choices in rule_sources.choices(player_of(request), draft.editor.preset)
    ]
    groups = [(gettext("Versions of %(rules)s") % {"rules": draft.found}, own), *found] if draft.found else found
    return [(group, choices) for group, choices in groups if choices]


def _beside(editor: Editor, newest: RulesVersion | None) -> dict[str, Any]:
    """What stands beside the editor: the sheet, what is not as published, and what the newest version had otherwise."""
    rules = editor.rules
    if rules is None or editor.start is None:
        return {"editor": editor}
    rules = services.named(rules)
    published = Rules.preset(rules.name)
    return {
        "editor": editor,
        "published": published,
        "own": changes(published, rules),
        "newest": newest,
        "since": changes(newest.rules, rules) if newest else None,
        **_sheet(rules, editor.start.rules),
    }


@never_cache
@require_POST
def rules_sheet(request: HttpRequest, club: str) -> HttpResponse:
    """For an open editor: the sheet as it is now, and at each option what it was and what is wrong with it."""
    seen = page_context.seen_for(request, club, "rules")
    slug = request.POST.get("of", "")
    found = _find(seen.club, slug) if slug else None
    draft = _draft(request, found, found.versions.latest("number") if found else None)
    is_other = request.POST.get("base") != draft.editor.preset
    context = {"is_part": True, "is_other_start": is_other, **_beside(draft.editor, draft.newest)}
    return render(request, "clubs/rules/editor_part.html", context)


# Names and putting away


@require_POST
def name_house_rules(request: HttpRequest, club: str, rules: str) -> HttpResponse:
    """Give house rules another name or description."""
    return _settle(request, club, rules, services.rename)


@require_POST
def archive_house_rules(request: HttpRequest, club: str, rules: str) -> HttpResponse:
    """Put house rules away, or bring them back."""
    return _settle(request, club, rules, services.bring_back if request.POST.get("back") else services.archive)


def _settle(request: HttpRequest, club: str, rules: str, asked: Declared[Any, HouseRules, ..., Act]) -> HttpResponse:
    seen = page_context.seen_for(request, club, "rules")
    found = _find(seen.club, rules)
    return declared(
        request, asked, found, lambda refusal: _show(request, seen, found, refusal=refusal), found.get_absolute_url()
    )


# Bringing in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bring_in_rules(request: HttpRequest, club: str) -> HttpResponse:
    """A file, its text or a link: what it holds is opened in the editor, to be looked at and kept."""
    seen = page_context.seen_for(request, club, "rules")
    if request.method != "POST":
        return _show_bring_in(request, seen)
    upload = request.FILES.get("file")
    text: str | bytes = request.POST.get("text", "")
    if upload is not None:
        text = upload.read(services.LONGEST_FILE + 1)
    try:
        brought = services.read_in(text)
    except Refused as refusal:
        return _show_bring_in(request, seen, Refusal("text", refusal.sentence, refusal.status))
    words = {"name": brought.name, "about": brought.about, "note": brought.note}
    return _show_editor(request, seen, Draft(editor_of(brought.rules), None, words))


def _show_bring_in(request: HttpRequest, seen: Seen, refusal: Refusal | None = None) -> HttpResponse:
    context = {"refusal": refusal, "typed": request.POST.get("text", "")}
    status = refusal.status if refusal else 200
    title = gettext("Import house rules")
    return page_context.page(
        request, seen, "clubs/rules/bring_in.html", context, tab="rules", title=title, status=status
    )


# Behind a link


@require_safe
def shared_rules(request: HttpRequest, token: str) -> HttpResponse:
    """House rules for whoever has the link: to read, practise, play by, copy and take away."""
    return _show_shared(request, _shared(token))


def _shared(token: str) -> RulesVersion:
    found = RulesVersion.objects.filter(token=token).select_related("house_rules__club").first()
    if found is None:
        raise Http404(gettext("This link does not lead to house rules."))
    return found


def _show_shared(request: HttpRequest, version: RulesVersion, refusal: Refusal | None = None) -> HttpResponse:
    found = version.house_rules
    seen = Seen(player_of(request), found.club)

    def make() -> dict[str, Any]:
        return _told(public.all_of(found), version.number)

    context = {
        "found": found,
        "version": version,
        "ref": public.ref_of(version),
        "part": page_context.part(
            seen.club, "rules", "clubs/rules/shared_part.html", make, timed=True, key=f"{found.pk}-{version.number}"
        ),
        "clubs": _own_clubs(request),
        "refusal": refusal,
        "typed": request.POST if refusal else {"name": found.name},
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/rules/shared.html", context, tab="rules", title=str(version), status=status
    )


def _own_clubs(request: HttpRequest) -> list[Club]:
    """The clubs whose house rules the reader may make."""
    roles = [role for role, acts in ROLES.items() if "rules" in acts]
    player = player_of(request)
    if not is_member(player):
        return []
    here = {"memberships__user__pk": player.pk, "memberships__left_at": None, "memberships__role__in": roles}
    return list(Club.objects.alive().filter(**here))


@require_safe
def shared_rules_file(request: HttpRequest, token: str) -> HttpResponse:
    """The same as JSON, to take away and bring in elsewhere."""
    version = _shared(token)
    url = settings.SITE_URL + reverse("clubs:shared_rules", args=[version.token])
    body = json.dumps(services.written(version, url), ensure_ascii=False, indent=2) + "\n"
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    name = f"{slugify(version.house_rules.name) or 'house-rules'}-{version.number}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return page_context.conditional(request, response)


@require_POST
def copy_rules(request: HttpRequest, token: str) -> HttpResponse:
    """Keep shared rules in a club of one's own."""
    version = _shared(token)
    player = player_of(request)
    if not is_member(player):
        back = reverse("clubs:shared_rules", args=[version.token])
        return redirect_to_login(back, reverse(settings.LOGIN_URL))
    own = access.club_for(player, request.POST.get("club", ""), "rules")
    name = request.POST.get("name", "") or version.house_rules.name

    def show(refusal: Refusal) -> HttpResponse:
        return _show_shared(request, version, refusal)

    return declared(request, services.make, own, show, _made, **{**services.copied(version), "name": name})
