"""House rules: the list, a page for each version, the editor, imports, and shared links."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.queries import player_of
from acts.declaring import Declared
from clubs import access
from clubs.forms.form_actions import Refusal, declared
from clubs.house_rules import page as public
from clubs.house_rules import services
from clubs.models import Act, Club, HouseRules, RulesVersion
from clubs.public import link_cards, page_context
from clubs.public.page_context import Visit
from clubs.roles import ROLES
from clubs.services.history import added_row
from engine.play.rule_sheet.nearest import fit_rules
from engine.play.rule_sheet.sheet import differences, rule_sheet
from engine.play.rules import Rules
from gameplay.access import is_member
from gameplay.house_rules import rule_sources
from gameplay.house_rules.editor import Editor, edit, editor_of
from gameplay.house_rules.rule_changes import changes
from gameplay.house_rules.rule_origin import steps
from gameplay.house_rules.rule_pictures import add_pictures
from web.errors import Refused
from web.files import PDF, kept_file
from web.link_cards import absolute
from web.text import as_address, on_calendar

# Reading


@require_safe
def house_rules_list(request: HttpRequest, club: str) -> HttpResponse:
    """The house rules of a club."""
    visit = page_context.visit(request, club)

    def make() -> dict[str, Any]:
        versions = public.newest().filter(house_rules__club=visit.club).order_by("house_rules__name")
        rows = list(map(_line, versions))
        return {
            "kept": [row for row in rows if not row["house_rules"].is_archived],
            "archived": [row for row in rows if row["house_rules"].is_archived],
        }

    part = page_context.part(visit.club, "rules", "clubs/rules/list_part.html", make, timed=True)
    return page_context.page(
        request, visit, "clubs/rules/list.html", {"part": part}, tab="rules", title=gettext("House rules")
    )


def _line(version: RulesVersion) -> dict[str, Any]:
    return {"house_rules": version.house_rules, "version": version, "fit": fit_rules(version.rules)}


@require_safe
def house_rules(request: HttpRequest, club: str, rules: str) -> HttpResponse:
    """The newest version of house rules, and its history."""
    visit = page_context.visit(request, club)
    return _show(request, visit, _find(visit.club, rules))


@require_safe
def rules_version(request: HttpRequest, club: str, rules: str, version: int) -> HttpResponse:
    """A version, and later changes."""
    visit = page_context.visit(request, club)
    return _show(request, visit, _find(visit.club, rules), version)


def _find(club: Club, slug: str) -> HouseRules:
    house_rules = HouseRules.objects.filter(club=club, slug=slug).first()
    if house_rules is None:
        raise Http404(gettext("House rules not found in this club."))
    return house_rules


def _show(
    request: HttpRequest,
    visit: Visit,
    house_rules: HouseRules,
    number: int | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """The page of a version, by default the newest."""
    versions = list(house_rules.versions.all())
    version = versions[-1] if number is None else _version_of(versions, number)

    def make() -> dict[str, Any]:
        return {**_version_context(house_rules, version.number), "seasons": _seasons(version), "found": house_rules}

    key = f"{house_rules.pk}-{version.number}"
    context = {
        "found": house_rules,
        "version": version,
        "newest": versions[-1],
        "ref": public.ref_of(version),
        "part": page_context.part(visit.club, "rules", "clubs/rules/version_part.html", make, timed=True, key=key),
        "shared": settings.SITE_URL + reverse("clubs:shared_rules", args=[version.token]),
        "refusal": refusal,
        "typed": request.POST if refusal else {"name": house_rules.name, "about": house_rules.about},
        "link_card": link_cards.rules_card(version, visit.club),
    }
    title = house_rules.name if version == versions[-1] else str(version)
    status = refusal.status if refusal else 200
    return page_context.page(
        request, visit, "clubs/rules/version.html", context, tab="rules", title=title, status=status
    )


def _version_of(versions: list[RulesVersion], number: int) -> RulesVersion:
    version = next((each for each in versions if each.number == number), None)
    if version is None:
        raise Http404(gettext("Version not found."))
    return version


def _version_context(house_rules: HouseRules, number: int) -> dict[str, Any]:
    """The context of a version's page: later changes, sheet, differences from the published ruleset, versions."""
    versions = public.versions_of(house_rules)
    version, newest = next(candidate for candidate in versions if candidate.number == number), versions[-1]
    fit = fit_rules(version.rules)
    return {
        "kept": version,
        "newest": None if version == newest else newest,
        "since": changes(version.rules, newest.rules),
        "fit": fit,
        **_sheet(version.rules, fit.nearest),
        "steps": steps(versions),
        "versions": versions[::-1],
    }


def _sheet(rules: Rules, base: Rules) -> dict[str, Any]:
    changed = differences(rules, base)
    sections = add_pictures(rule_sheet(rules), rules)
    return {"sections": sections, "changed_texts": {sentence.text for sentence in changed}}


@require_safe
def rules_pdf(request: HttpRequest, club: str, rules: str, version: int) -> HttpResponse:
    """The rule sheet of a version on two sheets of paper."""
    visit = page_context.visit(request, club)
    pinned = _version_of(list(_find(visit.club, rules).versions.all()), version)
    sections = rule_sheet(pinned.rules)
    nearest = fit_rules(pinned.rules).nearest

    def make() -> bytes:
        from gameplay.house_rules.rules_pdf import rules_pdf  # which takes long to load
        from web.paper import Cover

        day = on_calendar(timezone.localtime(pinned.at), pgettext("date format", "j F Y"))
        stamp = gettext("Version %(number)s, %(day)s") % {"number": pinned.number, "day": day}
        about = Cover(
            f"{visit.club.name}: {pinned.house_rules.name}", absolute(public.address_of(pinned)), stamp, pinned.at
        )
        changed = {sentence.text for sentence in differences(pinned.rules, nearest)}
        title = gettext("Rule sheet, compared with %(ruleset)s") % {"ruleset": nearest.title}
        return rules_pdf(about, title, sections, changed, intro=pinned.house_rules.about)

    follows = f"rules|{pinned.pk}|{visit.club.version}|{sections}"
    name = f"{pinned.house_rules.slug}-{pinned.number}.pdf"
    return kept_file(request, name, PDF, make, follows=follows, zone=visit.club.zone)


def _seasons(version: RulesVersion) -> list[dict[str, str]]:
    """The seasons that are played by a version."""
    seasons = version.seasons.select_related("league__club").order_by("-pk")[:20]
    return [
        {
            "name": f"{season.league}, {season}",
            "url": page_context.address("clubs:season", season.league.club.slug, season.league.slug, season.slug),
        }
        for season in seasons
    ]


# The editor


@dataclass
class Draft:
    """The contents of the editor: the rules and texts as typed. `target` gets the new version."""

    editor: Editor
    target: HouseRules | None = None
    words: dict[str, str] = field(default_factory=dict)
    newest: RulesVersion | None = None

    @property
    def title(self) -> str:
        """The title of the page."""
        return gettext("Change %(name)s") % {"name": self.target.name} if self.target else gettext("New house rules")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_house_rules(request: HttpRequest, club: str) -> HttpResponse:
    """Show the editor for new house rules."""
    return _editing(request, page_context.visit_for(request, club, "rules"), None)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_house_rules(request: HttpRequest, club: str, rules: str) -> HttpResponse:
    """Show the editor for the next version, from the newest, an earlier one, or a published ruleset."""
    visit = page_context.visit_for(request, club, "rules")
    return _editing(request, visit, _find(visit.club, rules))


def _editing(request: HttpRequest, visit: Visit, house_rules: HouseRules | None) -> HttpResponse:
    newest = house_rules.versions.latest("number") if house_rules else None
    if request.method != "POST":
        start = request.GET.get("from") or (public.ref_of(newest) if newest else "standard")
        editor = edit(start)
        if editor.start is None:
            raise Http404(gettext("House rules not found."))
        return _show_editor(request, visit, Draft(editor, house_rules, {}, newest))
    draft = _draft(request, house_rules, newest)
    if request.POST.get("do") != "save":
        return _show_editor(request, visit, draft)
    if draft.editor.rules is None:
        return _show_editor(
            request, visit, draft, Refusal("rules", gettext("Nothing is lost. Please correct the fields below."))
        )
    return _save(request, visit, draft, draft.editor.rules)


def _draft(request: HttpRequest, house_rules: HouseRules | None, newest: RulesVersion | None) -> Draft:
    """The sent form. Changes are kept if other rules are chosen; “reset” discards them."""
    preset = request.POST.get("preset", "")
    editor = edit(preset) if request.POST.get("do") == "reset" else edit(preset, request.POST)
    words = {name: request.POST.get(name, "") for name in ("name", "about", "note")}
    return Draft(editor, house_rules, words, newest)


def _save(request: HttpRequest, visit: Visit, draft: Draft, rules: Rules) -> HttpResponse:
    def show(refusal: Refusal) -> HttpResponse:
        if draft.target is not None:
            draft.newest = draft.target.versions.latest("number")
        return _show_editor(request, visit, draft, refusal)

    if draft.target is not None:
        return declared(request, services.save, draft.target, show, draft.target.get_absolute_url(), rules=rules)
    return declared(request, services.make, visit.club, show, _url_of, rules=rules)


def _url_of(act: Act) -> str:
    return added_row(act, HouseRules).get_absolute_url()


def _show_editor(request: HttpRequest, visit: Visit, draft: Draft, refusal: Refusal | None = None) -> HttpResponse:
    draft.editor.ask_first()
    draft.editor.search(request.POST.get("find", "")[:100])
    context = {
        "draft": draft,
        "refusal": refusal,
        "presets": _starts(request, draft),
        **_beside(draft.editor, draft.newest),
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, visit, "clubs/rules/editor.html", context, tab="rules", title=draft.title, status=status
    )


def _starts(request: HttpRequest, draft: Draft) -> list[tuple[str, list[tuple[str, str]]]]:
    """Rules that the editor can start from: earlier versions first, then published rulesets and those offered."""
    earlier = [(each.ref, each.title) for each in reversed(public.versions_of(draft.target))] if draft.target else []
    own_refs = {ref for ref, _ in earlier}
    offered = [
        (group, [(value, label) for value, label in choices if value not in own_refs])
        for group, choices in rule_sources.choices(player_of(request), draft.editor.preset)
    ]
    groups = [(gettext("Versions of %(rules)s") % {"rules": draft.target}, earlier), *offered]
    return [(group, choices) for group, choices in groups if choices]


def _beside(editor: Editor, newest: RulesVersion | None) -> dict[str, Any]:
    """The context next to the editor: the nearest published ruleset, changes from the newest version, the sheet."""
    rules = editor.rules
    if editor.draft is None or editor.start is None:
        return {"editor": editor}
    fit = fit_rules(editor.draft)
    if rules is None:
        return {"editor": editor, "fit": fit}
    rules = services.assign_preset(rules)
    return {
        "editor": editor,
        "fit": fit,
        "newest": newest,
        "since": changes(newest.rules, rules) if newest else None,
        **_sheet(rules, editor.start.rules),
    }


@never_cache
@require_POST
def rules_sheet(request: HttpRequest, club: str) -> HttpResponse:
    """Update an open editor: the sheet, and at each option its former value and its problems."""
    visit = page_context.visit_for(request, club, "rules")
    slug = request.POST.get("of", "")
    house_rules = _find(visit.club, slug) if slug else None
    draft = _draft(request, house_rules, house_rules.versions.latest("number") if house_rules else None)
    draft.editor.ask_first()
    draft.editor.search(request.POST.get("find", "")[:100])
    is_other = request.POST.get("base") != draft.editor.preset
    context = {"is_part": True, "is_other_start": is_other, **_beside(draft.editor, draft.newest)}
    return render(request, "clubs/rules/editor_part.html", context)


# Names and archive


@require_POST
def name_house_rules(request: HttpRequest, club: str, rules: str) -> HttpResponse:
    """Give house rules another name or description."""
    return _do_act(request, club, rules, services.rename)


@require_POST
def archive_house_rules(request: HttpRequest, club: str, rules: str) -> HttpResponse:
    """Archive house rules, or restore them."""
    return _do_act(request, club, rules, services.restore if request.POST.get("back") else services.archive)


def _do_act(request: HttpRequest, club: str, rules: str, act: Declared[Any, HouseRules, ..., Act]) -> HttpResponse:
    visit = page_context.visit_for(request, club, "rules")
    house_rules = _find(visit.club, rules)
    url = house_rules.get_absolute_url()
    return declared(request, act, house_rules, lambda refusal: _show(request, visit, house_rules, refusal=refusal), url)


# Import


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def import_rules(request: HttpRequest, club: str) -> HttpResponse:
    """Import a file, its text or a link, and open it in the editor."""
    visit = page_context.visit_for(request, club, "rules")
    if request.method != "POST":
        return _show_import(request, visit)
    upload = request.FILES.get("file")
    text: str | bytes = request.POST.get("text", "")
    if upload is not None:
        text = upload.read(services.LONGEST_FILE + 1)
    try:
        imported = services.read_import(text)
    except Refused as refusal:
        return _show_import(request, visit, Refusal("text", refusal.sentence, refusal.status))
    words = {"name": imported.name, "about": imported.about, "note": imported.note}
    return _show_editor(request, visit, Draft(editor_of(imported.rules), None, words))


def _show_import(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    context = {"refusal": refusal, "typed": request.POST.get("text", "")}
    status = refusal.status if refusal else 200
    title = gettext("Import house rules")
    return page_context.page(
        request, visit, "clubs/rules/bring_in.html", context, tab="rules", title=title, status=status
    )


# Behind a link


@require_safe
def shared_rules(request: HttpRequest, token: str) -> HttpResponse:
    """House rules behind a link: to read, practise, use, copy and download."""
    return _show_shared(request, _shared(token))


def _shared(token: str) -> RulesVersion:
    version = RulesVersion.objects.filter(token=token).select_related("house_rules__club").first()
    if version is None:
        raise Http404(gettext("This link does not lead to house rules."))
    return version


def _show_shared(request: HttpRequest, version: RulesVersion, refusal: Refusal | None = None) -> HttpResponse:
    house_rules = version.house_rules
    visit = Visit(player_of(request), house_rules.club)

    def make() -> dict[str, Any]:
        return _version_context(house_rules, version.number)

    key = f"{house_rules.pk}-{version.number}"
    context = {
        "found": house_rules,
        "version": version,
        "ref": public.ref_of(version),
        "part": page_context.part(visit.club, "rules", "clubs/rules/shared_part.html", make, timed=True, key=key),
        "clubs": _own_clubs(request),
        "refusal": refusal,
        "typed": request.POST if refusal else {"name": house_rules.name},
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, visit, "clubs/rules/shared.html", context, tab="rules", title=str(version), status=status
    )


def _own_clubs(request: HttpRequest) -> list[Club]:
    """The clubs in which the reader may create house rules."""
    roles = [role for role, acts in ROLES.items() if "rules" in acts]
    player = player_of(request)
    if not is_member(player):
        return []
    here = {"memberships__user__pk": player.pk, "memberships__left_at": None, "memberships__role__in": roles}
    return list(Club.objects.alive().filter(**here))


@require_safe
def shared_rules_file(request: HttpRequest, token: str) -> HttpResponse:
    """Download the same as JSON, to import elsewhere."""
    version = _shared(token)
    url = settings.SITE_URL + reverse("clubs:shared_rules", args=[version.token])
    body = json.dumps(services.as_json(version, url), ensure_ascii=False, indent=2) + "\n"
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    name = f"{as_address(version.house_rules.name) or 'house-rules'}-{version.number}.json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return page_context.conditional(request, response)


@require_POST
def copy_rules(request: HttpRequest, token: str) -> HttpResponse:
    """Save shared rules in a club of your own."""
    version = _shared(token)
    player = player_of(request)
    if not is_member(player):
        back = reverse("clubs:shared_rules", args=[version.token])
        return redirect_to_login(back, reverse(settings.LOGIN_URL))
    club = access.club_for(player, request.POST.get("club", ""), "rules")
    name = request.POST.get("name", "") or version.house_rules.name

    def show(refusal: Refusal) -> HttpResponse:
        return _show_shared(request, version, refusal)

    return declared(request, services.make, club, show, _url_of, **{**services.copy_values(version), "name": name})
