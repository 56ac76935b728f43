"""Names of people in everything that clubs store: a person's name comes from one row, their membership, and what repeats
it follows.

Pairs, teams and histories repeat names, so that they can be sorted, searched and exported; here they are brought in line
when the row's name is corrected, or the person is forgotten.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F, Model, Prefetch, Q, QuerySet

from accounts import privacy
from accounts.display_names import FORMER, folded
from accounts.person_names import Clean, NewName, clean_rows, corrected, forgotten, mentioning
from clubs.exports.archive_rows import events_of
from clubs.models import (
    Act,
    Appearance,
    Blackout,
    Club,
    Fixture,
    HouseRules,
    JoinRequest,
    KeptAside,
    League,
    Meeting,
    MeetingGuest,
    Membership,
    News,
    Newsletter,
    Proposal,
    Remark,
    RepeatingMeeting,
    Reply,
    RulesVersion,
    Series,
    Team,
    TeamMember,
)
from clubs.services.leagues import titles
from clubs.services.leagues.team_entries import event_name, in_order
from tournaments.models import Member, Tournament
from tournaments.services import person_names as events
from tournaments.services.person_names import NOBODY as NOBODY

TYPED: tuple[tuple[type[Model], str, tuple[str, ...]], ...] = (
    (Club, "pk", ("line", "about", "venue")),
    (News, "club", ("title", "body")),
    (Newsletter, "club", ("subject", "body")),
    (Meeting, "club", ("title", "words", "venue")),
    (RepeatingMeeting, "club", ("title", "words", "venue")),
    (Reply, "question__club", ("name", "note")),
    (MeetingGuest, "meeting__club", ("name", "note")),
    (JoinRequest, "club", ("words",)),
    (Membership, "club", ("note", "address")),
    (HouseRules, "club", ("about",)),
    (Remark, "club", ("note",)),
    (RulesVersion, "house_rules__club", ("note",)),
    (League, "club", ("about",)),
    (Series, "club", ("name",)),
    (Team, "league__club", ("venue",)),
    (Blackout, "season__league__club", ("reason",)),
    (Proposal, "team__league__club", ("venue", "words", "answer")),
    (Fixture, "pairing__round__stage__tournament__division__season__league__club", ("venue",)),
)
"""Texts of a club by the path to it: people may mention others in them."""
RENAMED = "rename"
"""The kind of an act that corrects a name: it alone remembers the name before, so that it can be undone."""


def forget(
    club: Club, memberships: Sequence[Membership], names: Collection[str] = (), *, user_id: int = NOBODY
) -> None:
    """Replace a person's names in a locked club, its events and the leagues of others that they play in.

    The memberships still have their names. `names` are others of the person, who may have an account (`user_id`).
    """
    person_ids = {membership.pk for membership in memberships}
    for membership in memberships:
        if membership.user_id is None:
            _link_evenings(club, membership, membership.name)
    played = Member.objects.filter(appearance__membership__in=person_ids).exclude(name=FORMER)
    every_name = {*names, *(membership.name for membership in memberships), *played.values_list("name", flat=True)}
    every_name |= _former_names(club, person_ids)
    other_names = _other_names(club, person_ids)
    new = forgotten(every_name, other_names - every_name)
    _replace(club, person_ids, other_names, list(played.values_list("pk", flat=True)), new, user_id)


def forget_notes(club: Club, memberships: Sequence[Membership]) -> None:
    """Blank what people wrote beside their answers to a club's questions, in its history too."""
    replies = Reply.objects.filter(question__club=club, membership__in=memberships)
    reply_ids = set(replies.values_list("pk", flat=True))
    acts = list(mentioning(Act.objects.filter(club=club), ['"reply"'], "changes")) if reply_ids else []
    for act in acts:
        act.changes = [
            change | {side: _without_note(change[side]) for side in ("was", "is")}
            if change["model"] == "reply" and change["pk"] in reply_ids
            else change
            for change in act.changes
        ]
    Act.objects.bulk_update(acts, ["changes"], batch_size=200)
    replies.update(note="")


def _without_note(fields: Any) -> Any:
    return fields | {"note": ""} if isinstance(fields, dict) and "note" in fields else fields


def correct(club: Club, membership: Membership, was: str, *, by_themselves: bool = False) -> None:
    """Bring everything in line with a membership's name, which was another one before.

    People who rename themselves (`by_themselves`) change their own rows and the history of these, no texts of others.
    """
    if not by_themselves:  # or else a member could take over somebody’s results by taking their name first
        _link_evenings(club, membership, was)
    linked = Member.objects.filter(appearance__membership=membership).values_list("pk", "name")
    before = {folded(was), folded(event_name(was))}
    played = {pk: name for pk, name in linked if folded(name) in before}
    names = {was, *played.values()} - {membership.name}
    other_names = _other_names(club, {membership.pk})
    new = corrected(membership.name, names, other_names - names)
    new = new.with_own_only if by_themselves else new
    _replace(club, {membership.pk}, other_names, list(played), new, NOBODY)


def _link_evenings(club: Club, membership: Membership, name: str) -> None:
    """Link the rows of a name that was typed at evenings of the club, unless it could be somebody else's."""
    if any(folded(other) == folded(name) for other in _other_names(club, {membership.pk})):
        return
    typed = Member.objects.filter(tournament__circle=club.circle, user=None, appearance=None)
    same = [pk for pk, other in typed.values_list("pk", "name") if folded(other) == folded(event_name(name))]
    Appearance.objects.bulk_create(Appearance(membership=membership, member_id=pk) for pk in same)


def _other_names(club: Club, person_ids: Collection[int]) -> set[str]:
    """The names of everybody else in the club, former members included."""
    return set(Membership.objects.filter(club=club).exclude(pk__in=person_ids).values_list("name", flat=True)) - {
        FORMER
    }


def _former_names(club: Club, person_ids: Collection[int]) -> set[str]:
    """Names that these memberships had before they were corrected."""
    sides = (
        change[side]
        for changes in Act.objects.filter(club=club, kind=RENAMED).values_list("changes", flat=True)
        for change in changes
        for side in ("was", "is")
        if change["model"] == "membership" and change["pk"] in person_ids
    )
    return {str(fields["name"]) for fields in sides if fields and "name" in fields}


# Replacing


def _replace(
    club: Club,
    person_ids: Collection[int],
    other_names: Collection[str],
    member_ids: list[int],
    new: NewName,
    user_id: int,
) -> None:
    """Replace a person's names everywhere. A name that another person of the club has too (`other_names`) stays in
    texts."""
    others = {folded(name) for name in other_names}
    if shared := {name for name in new.names if folded(name) in others}:
        rest = forgotten(new.names - shared, other_names) if new.is_forgotten else new.with_own_only
        new = replace(rest, names=new.names, own=new.own)
    teams = Team.objects.filter(roster__membership__in=person_ids).select_related("league__club").distinct()
    _rename_teams(teams, person_ids, new)
    rows = _Rows(frozenset(person_ids), _other_ids(club, person_ids), frozenset(team.pk for team in teams))
    _clean_club(club, rows, new, user_id)
    for host in Club.objects.filter(leagues__teams__in=teams).exclude(pk=club.pk).distinct().order_by("pk"):
        guest = new if new.is_forgotten else new.with_own_only
        strangers = rows.others | _other_ids(host, person_ids)
        _clean_club(Club.objects.locked(host.pk), replace(rows, others=strangers), guest, NOBODY)
        Club.objects.filter(pk=host.pk).update(version=F("version") + 1)
    played = Q(pk__in=Member.objects.filter(pk__in=member_ids).values("tournament"))
    ids = {
        *events_of(club).values_list("pk", flat=True),
        *Tournament.objects.filter(played).values_list("pk", flat=True),
    }
    events.replace(events.lock(ids), member_ids, new)


def _rename_teams(teams: QuerySet[Team], person_ids: Collection[int], new: NewName) -> None:
    """Rename the teams of a person: an automatic name is made from the players again."""
    here = TeamMember.objects.filter(left_at=None).exclude(role=TeamMember.Role.RESERVE).select_related("membership")
    changed = []
    for team in teams.prefetch_related(Prefetch("roster", here)):
        names = {place.membership_id: place.membership.name for place in in_order(team.roster.all())}
        before = [*new.names] if person_ids & names.keys() else []
        automatic = {titles.automatic(team.league.kind, _with(names, person_ids, name))[:80] for name in before}
        if team.name in automatic:
            team.name = titles.automatic(team.league.kind, _with(names, person_ids, new.name))[:80]
        else:
            team.name = new.own(team.name)[:80]
        changed.append(team)
    Team.objects.bulk_update(changed, ["name"], batch_size=200)


def _with(names: dict[int, str], person_ids: Collection[int], name: str) -> list[str]:
    return [name if pk in person_ids else other for pk, other in names.items()]


@dataclass(frozen=True)
class _Rows:
    """Rows by id: the person's memberships, those of others, and the person's teams."""

    memberships: frozenset[int]
    others: frozenset[int]
    teams: frozenset[int]


def _other_ids(club: Club, person_ids: Collection[int]) -> frozenset[int]:
    return frozenset(Membership.objects.filter(club=club).exclude(pk__in=person_ids).values_list("pk", flat=True))


def _clean_club(club: Club, rows: _Rows, new: NewName, user_id: int) -> None:
    """Replace the names in the history and the texts of a club."""
    of_club = Act.objects.filter(club=club)
    acts = list(mentioning(of_club, new.names, "sentence", "reason", "changes"))
    if new.is_forgotten:  # their details can be there without the name
        rest = of_club.exclude(pk__in=[act.pk for act in acts])
        acts += [act for act in mentioning(rest, ['"membership"'], "changes") if _concerns(act, rows.memberships)]
    if user_id:
        acts += of_club.filter(by=user_id).exclude(pk__in=[act.pk for act in acts])
        News.objects.filter(club=club, by=user_id).update(name=FORMER)
    for act in acts:
        clean = new.own if _concerns(act, rows.memberships) else new.clean
        act.sentence, act.reason = clean(act.sentence)[:300], new.typed(act.reason)[:200]
        act.name = FORMER if user_id and act.by_id == user_id else act.name
        if new.is_forgotten or act.kind != RENAMED:
            act.changes = [_cleaned(change, rows, new) for change in act.changes]
    Act.objects.bulk_update(acts, ["sentence", "reason", "name", "changes"], batch_size=200)
    for model, path, fields in TYPED:
        clean_rows(model._default_manager.filter(**{path: club.pk}), fields, new.names, new.typed)
    if new.is_forgotten:
        _forget_kept_aside(club, new)
    club.refresh_from_db(fields=["line", "about", "venue"])
    privacy.replace_in_notices([f"club:{club.pk}"], new.clean)


def _forget_kept_aside(club: Club, new: NewName) -> None:
    """Drop rows of imported lists that wait to be downloaded and mention the person."""
    names = [set(name.casefold().split()) for name in new.names]
    for aside in KeptAside.objects.filter(club=club):
        rows = [row for row in aside.rows if not any(name <= _words_of(row) for name in names)]
        if len(rows) < len(aside.rows):
            aside.rows = rows
            aside.save(update_fields=["rows"])


def _words_of(row: Sequence[Any]) -> set[str]:
    """The words of a row that was kept aside, first and last names from whichever cells."""
    _, cells, _ = row
    return {word.strip(",;") for word in " ".join(map(str, cells)).casefold().split()}


def _concerns(act: Act, person_ids: Collection[int]) -> bool:
    """Whether an act changed the person's own rows."""
    sides = [(change["pk"], change["model"], change[side] or {}) for change in act.changes for side in ("was", "is")]
    return any(
        (pk in person_ids and model == "membership")
        or (isinstance(fields, dict) and fields.get("membership_id") in person_ids)
        for pk, model, fields in sides
    )


_PRIVATE = ("email", "contact", "phone", "address", "hears_by", "note")
_TYPED_IN_CHANGES = ("title", "body", "words", "answer", "reason", "note", "address", "line", "about", "venue")


def _cleaned(change: dict[str, Any], rows: _Rows, new: NewName) -> dict[str, Any]:
    """A change of the history with the names replaced. It can still be undone."""
    return change | {side: _side(change, change[side], rows, new) for side in ("was", "is")}


def _side(change: dict[str, Any], fields: Any, rows: _Rows, new: NewName) -> Any:
    if not isinstance(fields, dict):
        return fields
    model, cleaned = change["model"], dict[str, Any]()
    for name in _TYPED_IN_CHANGES:
        cleaned |= _text(fields, name, new.typed)
    if model == "membership":
        # Rows that no longer exist are known by their name only.
        is_own = change["pk"] in rows.memberships or (
            change["pk"] not in rows.others and fields.get("name") in new.names
        )
        if is_own:
            cleaned |= {"name": new.name} | (dict.fromkeys(_PRIVATE, "") if new.is_forgotten else {})
    elif model == "team":
        cleaned |= _text(fields, "name", new.own if change["pk"] in rows.teams else new.clean)
    elif model != "club":
        cleaned |= _text(fields, "name", new.typed)
    return fields | {name: value for name, value in cleaned.items() if name in fields}


def _text(fields: dict[str, Any], name: str, clean: Clean) -> dict[str, Any]:
    return {name: clean(fields[name])} if isinstance(fields.get(name), str) else {}
