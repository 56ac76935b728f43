"""Rearranging a match: one side proposes, the other agrees, declines or proposes something else."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Act, Proposal, Team
from clubs.services import lookups, naming
from clubs.services.history import ByRow, How, Never, Record, declare, made, perform
from clubs.services.leagues import fixture_scheduling
from clubs.services.leagues.fixture_scheduling import LeagueMatch
from web.errors import Refused

Status = Proposal.Status
LONGEST_WORDS = 300


PROPOSAL = declare(
    "proposal",
    needs=ByRow(fixture_scheduling.check_side),
    undo=Never("The other side was told. Propose again instead."),
)


def propose(
    pairing_id: int,
    by: User,
    *,
    team_id: int,
    starts_at: datetime,
    venue: str = "",
    is_online: bool | None = None,
    words: str = "",
    **how: Unpack[How],
) -> Proposal:
    """Ask the other side of a match to play at another time or place; `venue` empty for the home side's, `is_online`
    `None` for as it is.

    By who acts for the team, or an organiser for it. The other side is told. What the same side proposed before is
    overtaken. Raises `Refused` (fields `starts_at`, `venue`, `is_online`, `words`), or `NotAllowed`.
    """

    def do(record: Record) -> str:
        match = fixture_scheduling.match_of(record, pairing_id)
        team = fixture_scheduling.team_of(match, team_id)
        record.ask([team])
        fixture_scheduling.check_open(match)
        for row in _open(match):
            if row.team_id != team.pk:
                raise Refused(
                    "answer_first",
                    gettext("%(team)s has already made a proposal. Answer that first.") % {"team": row.team},
                )
            record.change(row, status=Status.WITHDRAWN, answered_at=record.now, answered_by=by)
        return _propose(record, match, team, by, starts_at, venue, is_online, words)

    return made(perform(fixture_scheduling.club_of(pairing_id), do, PROPOSAL, by=by, **how), Proposal)


AGREEMENT = declare(
    "rearranged",
    needs=ByRow(fixture_scheduling.check_side),
    undo=Never("Both sides were told. Propose another time instead."),
)


def accept(proposal_id: int, by: User, **how: Unpack[How]) -> Act:
    """The other side agrees (or an organiser for it): the match is played so, and both sides are told."""

    def do(record: Record) -> str:
        row, match = _proposal(record, proposal_id)
        record.ask(match.others(row.team))
        fixture_scheduling.check_open(match)
        fixture_scheduling.check_when(match, row.starts_at, record.now)
        _answer(record, row, Status.ACCEPTED)
        fixture_scheduling.arrange(record, match, by, starts_at=row.starts_at, venue=row.venue, is_online=row.is_online)

        def told() -> str:
            return fixture_scheduling.in_words(match, row.starts_at, row.venue, row.is_online)

        fixture_scheduling.tell(
            record, match, match.teams, lambda: gettext("agreed for %(when)s") % {"when": told()}, "agreed"
        )
        return gettext("%(match)s was rescheduled by agreement: %(when)s.") % {"match": match, "when": told()}

    return perform(_club_of(proposal_id), do, AGREEMENT, by=by, **how)


def decline(proposal_id: int, by: User, *, answer: str = "", **how: Unpack[How]) -> Act:
    """The other side does not agree: everything stays as it was."""

    def do(record: Record) -> str:
        row, match = _proposal(record, proposal_id)
        record.ask(match.others(row.team))
        said = naming.clean_text(" ".join(answer.split()), LONGEST_WORDS, gettext("An answer"), field="answer")
        _answer(record, row, Status.DECLINED, said)

        def told() -> str:
            return fixture_scheduling.in_words(match, row.starts_at, row.venue, row.is_online)

        fixture_scheduling.tell(
            record, match, [row.team], lambda: gettext("not agreed for %(when)s") % {"when": told()}, "declined"
        )
        return gettext("%(match)s stays as it is: %(when)s was declined.") % {"match": match, "when": told()}

    return perform(_club_of(proposal_id), do, PROPOSAL, by=by, **how)


def counter(
    proposal_id: int,
    by: User,
    *,
    starts_at: datetime,
    venue: str = "",
    is_online: bool | None = None,
    words: str = "",
    **how: Unpack[How],
) -> Proposal:
    """The other side proposes something else instead, which the first side is to answer. Raises as `propose`."""

    def do(record: Record) -> str:
        row, match = _proposal(record, proposal_id)
        others = match.others(row.team)
        record.ask(others)
        fixture_scheduling.check_open(match)
        _answer(record, row, Status.DECLINED)
        return _propose(record, match, others[0], by, starts_at, venue, is_online, words)

    return made(perform(_club_of(proposal_id), do, PROPOSAL, by=by, **how), Proposal)


def withdraw(proposal_id: int, by: User, **how: Unpack[How]) -> Act:
    """Whoever proposed takes it back."""

    def do(record: Record) -> str:
        row, match = _proposal(record, proposal_id)
        record.ask([row.team])
        _answer(record, row, Status.WITHDRAWN)
        return gettext("%(match)s: %(team)s cancelled its proposal.") % {"match": match, "team": row.team}

    return perform(_club_of(proposal_id), do, PROPOSAL, by=by, **how)


# Parts


def _propose(
    record: Record,
    match: LeagueMatch,
    team: Team,
    by: User,
    starts_at: datetime,
    venue: str,
    is_online: bool | None,
    words: str,
) -> str:
    online = fixture_scheduling.check_where(match, is_online)
    where = "" if online else fixture_scheduling.read_venue(venue)
    fixture_scheduling.check_when(match, starts_at, record.now)
    asked: dict[str, Any] = {"starts_at": starts_at, "venue": where, "is_online": online}
    row = Proposal(
        pairing=match.pairing,
        team=team,
        by=by,
        words=naming.clean_text(" ".join(words.split()), LONGEST_WORDS, gettext("Your message"), field="words"),
        **asked,
    )
    record.create(row)

    def told() -> str:
        return fixture_scheduling.in_words(match, **asked)

    fixture_scheduling.tell(
        record,
        match,
        match.others(team),
        lambda: gettext("%(team)s proposes %(when)s") % {"team": team, "when": told()},
        "proposed",
    )
    return gettext("%(team)s proposed to play %(match)s %(when)s.") % {"team": team, "match": match, "when": told()}


def _answer(record: Record, row: Proposal, status: str, answer: str = "") -> None:
    record.change(row, status=status, answered_at=record.now, answered_by=record.by, answer=answer)


def _open(match: LeagueMatch) -> list[Proposal]:
    return list(Proposal.objects.filter(pairing=match.pairing, status=Status.OPEN).select_related("team"))


def _club_of(proposal_id: int) -> int:
    pairing = Proposal.objects.filter(pk=proposal_id).values_list("pairing_id", flat=True).first()
    if pairing is None:
        raise Refused("no_such_row", gettext(lookups.GONE))
    return fixture_scheduling.club_of(pairing)


def _proposal(record: Record, proposal_id: int) -> tuple[Proposal, LeagueMatch]:
    """A proposal that waits for an answer, and its match."""
    row = Proposal.objects.filter(pk=proposal_id).select_related("team").first()
    if row is None:
        raise Refused("no_such_row", gettext(lookups.GONE))
    match = fixture_scheduling.match_of(record, row.pairing_id)
    if row.status != Status.OPEN:
        raise Refused(
            "answered",
            gettext("This proposal has already been answered: %(answer)s.")
            % {"answer": row.get_status_display().lower()},
        )
    return row, match
