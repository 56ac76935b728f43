"""Templates that an organiser starts from: settings and stages that fit together, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, gettext_noop

from engine.play.rules import Rules
from tournaments.models import Tournament
from tournaments.plan import Plan, standard

Kind, Setting = Tournament.Kind, Tournament.Setting


@dataclass(frozen=True)
class Starter:
    """A kind of event. `entries` is the usual number; `deals` how many a match has."""

    english_title: str
    english_sentence: str
    entries: int
    english_stages: tuple[tuple[str, Plan], ...]
    kind: Tournament.Kind = Kind.PARTNERSHIP
    side_size: int = 2
    setting: Tournament.Setting = Setting.FACE
    deals: int = 4
    more: Mapping[str, Any] = field(default_factory=dict)
    """Further settings of the event."""

    @property
    def title(self) -> str:
        """Name in the reader’s language."""
        return gettext(self.english_title)

    @property
    def sentence(self) -> str:
        """Description of the format."""
        return gettext(self.english_sentence)

    @property
    def stages(self) -> tuple[tuple[str, Plan], ...]:
        """Its stages, with the names that they are made with in the reader's language."""
        return tuple((gettext(name), plan) for name, plan in self.english_stages)

    @property
    def rules(self) -> Rules:
        """The ruleset of its matches: Standard, with its number of deals."""
        return Rules.make("standard", {"length": {"deals": self.deals}})

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of the event, by field of `Tournament`; `rules` is the ruleset."""
        return {
            "entry_kind": self.kind,
            "side_size": self.side_size,
            "setting": self.setting,
            "rules": self.rules,
            **self.more,
        }


WEEK = 7 * 24
EVENING = 100
"""Minutes for a round of four deals at real tables."""

FROM_SCRATCH = Starter(
    gettext_noop("A new event"),
    gettext_noop("Choose the format and all its settings yourself."),
    8,
    ((gettext_noop("Round robin"), standard("round_robin", round_minutes=EVENING)),),
)
"""The start of an event without a template: the format that most people know, face to face."""

STARTERS: dict[str, Starter] = {
    "club_night": Starter(
        gettext_noop("Club night, four deals, partners rotate"),
        gettext_noop("Come on your own and play four deals, each with a different partner. Points add up."),
        16,
        ((gettext_noop("Club night"), standard("rotating_partners", rounds=4, counts="total")),),
        Kind.PERSON,
        side_size=1,
        deals=1,
        more={"has_check_in": True},
    ),
    "league_cup": Starter(
        gettext_noop("League cup, double elimination"),
        gettext_noop("Pairs play at home, two weeks for a round. A pair is out after two losses."),
        8,
        ((gettext_noop("Cup"), standard("double_elimination", round_hours=2 * WEEK)),),
        setting=Setting.MIXED,
    ),
    "championship": Starter(
        gettext_noop("Championship, 54 players at nine tables of six, top two go through"),
        gettext_noop(
            "Every player for themselves, four deals at each table. Two from each table go through: 54, then 18, "
            "then a final of six."
        ),
        54,
        ((gettext_noop("Championship"), standard("pod_knockout", seats=6, most=6, advance=2, waits_for_go=True)),),
        Kind.PERSON,
        side_size=1,
        more={"entry_limit": 54, "has_check_in": True},
    ),
    "swiss_weekend": Starter(
        gettext_noop("Swiss weekend"),
        gettext_noop("Pairs play six matches in two days, each against a pair with equal points. Nobody is out."),
        16,
        ((gettext_noop("Swiss"), standard("swiss", rounds=6, waits_for_go=True)),),
        deals=2,
        more={"has_check_in": True},
    ),
    "round_robin": Starter(
        gettext_noop("Round robin of pairs"),
        gettext_noop("Every pair meets every other once, a week for each match, online or at a table."),
        8,
        ((gettext_noop("Round robin"), standard("round_robin", round_hours=WEEK)),),
        setting=Setting.MIXED,
    ),
    "groups_knockout": Starter(
        gettext_noop("Groups, then knockout"),
        gettext_noop(
            "Four groups of four pairs. Two from each go through to a knockout, in which group mates meet late."
        ),
        16,
        (
            (gettext_noop("Groups"), standard("groups", groups=4)),
            (gettext_noop("Knockout"), standard("single_elimination", take=8, take_each=2, third_place=True)),
        ),
        deals=2,
    ),
    "duplicate": Starter(
        gettext_noop("Duplicate evening (Howell)"),
        gettext_noop("All tables play the same deals, and every pair meets every other. Skill counts, not the cards."),
        8,
        ((gettext_noop("Duplicate"), standard("howell")),),
        deals=1,
        more={"has_check_in": True},
    ),
    "mixer": Starter(
        gettext_noop("Mixer at tables of four"),
        gettext_noop("Everyone plays alone at tables of four, in three rounds. As few people as possible meet again."),
        16,
        ((gettext_noop("Mixer"), standard("social", seats=4, least=3, most=5, rounds=3)),),
        Kind.PERSON,
        side_size=1,
        deals=2,
    ),
    "ladder": Starter(
        gettext_noop("Ladder"),
        gettext_noop(
            "Pairs challenge others up to three places above them. The winner takes the place. You decide when it ends."
        ),
        10,
        ((gettext_noop("Ladder"), standard("ladder", reach=3, idle_days=30)),),
        setting=Setting.MIXED,
    ),
    "arena": Starter(
        gettext_noop("Arena evening"),
        gettext_noop(
            "For two hours, free players are paired as soon as they finish, one deal at a time. Most wins comes first."
        ),
        12,
        ((gettext_noop("Arena"), standard("arena", minutes=120)),),
        deals=1,
        more={"has_check_in": True},
    ),
}
"""Every template, by the name that a form sends."""
