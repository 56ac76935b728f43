"""Proposals to reschedule a match: one side proposes, the other accepts, declines or proposes something else."""

from datetime import datetime
from typing import Any, Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Act, Proposal, Team
from clubs.services import lookups, naming
from clubs.services.history import ActionRequest, ByRow, Never, Record, added_row, declare, perform
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
    **how: Unpack[ActionRequest],
) -> Proposal:
    """Propose another time or place for a match; `venue` empty for the home side's, `is_online` `None` for as it is.

    For people who act for the team, and organisers. The other side is notified. Withdraws the same side's earlier
    proposal. Raises `Refused` (fields `starts_at`, `venue`, `is_online`, `words`), or `NotAllowed`.
    """

    def do(record: Record) -> str:
        match = fixture_scheduling.match_of(record, pairing_id)
        team = fixture_scheduling.team_of(match, team_id)
        record.ask([team])
        fixture_scheduling.check_open(match)
        for proposal in _open(match):
            if proposal.team_id != team.pk:
                raise Refused(
                    "answer_first",
                    gettext("%(team)s has already made a proposal. Answer that first.") % {"team": proposal.team},
                )
            record.change(proposal, status=Status.WITHDRAWN, answered_at=record.now, answered_by=by)
        return _propose(record, match, team, by, starts_at, venue, is_online, words)

    return added_row(perform(fixture_scheduling.club_of(pairing_id), do, PROPOSAL, by=by, **how), Proposal)


AGREEMENT = declare(
    "rearranged",
    needs=ByRow(fixture_scheduling.check_side),
    undo=Never("Both sides were told. Propose another time instead."),
)


def accept(proposal_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Accept for the other side: the match is rescheduled, and both sides are notified."""

    def do(record: Record) -> str:
        proposal, match = _proposal(record, proposal_id)
        record.ask(match.opponents(proposal.team))
        fixture_scheduling.check_open(match)
        fixture_scheduling.check_when(match, proposal.starts_at, record.now)
        _answer(record, proposal, Status.ACCEPTED)
        fixture_scheduling.schedule(
            record, match, by, starts_at=proposal.starts_at, venue=proposal.venue, is_online=proposal.is_online
        )

        def when() -> str:
            return fixture_scheduling.as_text(match, proposal.starts_at, proposal.venue, proposal.is_online)

        fixture_scheduling.tell(
            record, match, match.teams, lambda: gettext("agreed for %(when)s") % {"when": when()}, "agreed"
        )
        return gettext("%(match)s was rescheduled by agreement: %(when)s.") % {"match": match, "when": when()}

    return perform(_club_of(proposal_id), do, AGREEMENT, by=by, **how)


def decline(proposal_id: int, by: User, *, answer: str = "", **how: Unpack[ActionRequest]) -> Act:
    """Decline for the other side: everything stays as it was."""

    def do(record: Record) -> str:
        proposal, match = _proposal(record, proposal_id)
        record.ask(match.opponents(proposal.team))
        reason = naming.clean_text(" ".join(answer.split()), LONGEST_WORDS, gettext("An answer"), field="answer")
        _answer(record, proposal, Status.DECLINED, reason)

        def when() -> str:
            return fixture_scheduling.as_text(match, proposal.starts_at, proposal.venue, proposal.is_online)

        fixture_scheduling.tell(
            record, match, [proposal.team], lambda: gettext("not agreed for %(when)s") % {"when": when()}, "declined"
        )
        return gettext("%(match)s stays as it is: %(when)s was declined.") % {"match": match, "when": when()}

    return perform(_club_of(proposal_id), do, PROPOSAL, by=by, **how)


def counter(
    proposal_id: int,
    by: User,
    *,
    starts_at: datetime,
    venue: str = "",
    is_online: bool | None = None,
    words: str = "",
    **how: Unpack[ActionRequest],
) -> Proposal:
    """Propose something else for the other side; the first side must answer. Raises as `propose`."""

    def do(record: Record) -> str:
        proposal, match = _proposal(record, proposal_id)
        opponents = match.opponents(proposal.team)
        record.ask(opponents)
        fixture_scheduling.check_open(match)
        _answer(record, proposal, Status.DECLINED)
        return _propose(record, match, opponents[0], by, starts_at, venue, is_online, words)

    return added_row(perform(_club_of(proposal_id), do, PROPOSAL, by=by, **how), Proposal)


def withdraw(proposal_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Withdraw a proposal, for the side that made it."""

    def do(record: Record) -> str:
        proposal, match = _proposal(record, proposal_id)
        record.ask([proposal.team])
        _answer(record, proposal, Status.WITHDRAWN)
        return gettext("%(match)s: %(team)s cancelled its proposal.") % {"match": match, "team": proposal.team}

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
    terms: dict[str, Any] = {"starts_at": starts_at, "venue": where, "is_online": online}
    proposal = Proposal(
        pairing=match.pairing,
        team=team,
        by=by,
        words=naming.clean_text(" ".join(words.split()), LONGEST_WORDS, gettext("Your message"), field="words"),
        **terms,
    )
    record.create(proposal)

    def when() -> str:
        return fixture_scheduling.as_text(match, **terms)

    fixture_scheduling.tell(
        record,
        match,
        match.opponents(team),
        lambda: gettext("%(team)s proposes %(when)s") % {"team": team, "when": when()},
        "proposed",
    )
    return gettext("%(team)s proposed to play %(match)s %(when)s.") % {"team": team, "match": match, "when": when()}


def _answer(record: Record, proposal: Proposal, status: str, answer: str = "") -> None:
    record.change(proposal, status=status, answered_at=record.now, answered_by=record.by, answer=answer)


def _open(match: LeagueMatch) -> list[Proposal]:
    return list(Proposal.objects.filter(pairing=match.pairing, status=Status.OPEN).select_related("team"))


def _club_of(proposal_id: int) -> int:
    pairing = lookups.existing(Proposal.objects.filter(pk=proposal_id).values_list("pairing_id", flat=True).first())
    return fixture_scheduling.club_of(pairing)


def _proposal(record: Record, proposal_id: int) -> tuple[Proposal, LeagueMatch]:
    """A proposal that is open, and its match."""
    proposal = lookups.existing(Proposal.objects.filter(pk=proposal_id).select_related("team").first())
    match = fixture_scheduling.match_of(record, proposal.pairing_id)
    if proposal.status != Status.OPEN:
        raise Refused(
            "answered",
            gettext("This proposal has already been answered: %(answer)s.")
            % {"answer": proposal.get_status_display().lower()},
        )
    return proposal, match
