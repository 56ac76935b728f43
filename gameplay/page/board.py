"""The board: both sides' melds, the piles, and the conditions to open and to go out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, ngettext, pgettext

from accounts.display_names import FORMER, name_text
from engine.play.cards import NAMES, WILD_CARDS, rank_word, rank_words
from engine.play.legality.card_verdicts import why_pile_shut
from engine.play.legality.going_out import contract_missing, red_threes_missing
from engine.play.melds import BOOK, Meld, book_kind, has_sevens
from engine.play.moves import DRAW, GARBAGE, MELD_NAMES, WILD, claim
from engine.play.refusals import Code, Refusal
from engine.play.rules import Rules
from engine.play.scoring import score_items, tally
from engine.play.state import DRAWING, OVER, PLAYING, State
from engine.play.view import View
from gameplay.page import markup
from gameplay.page.marks import NOTHING, Marks
from gameplay.page.words import book_words, count_words, is_reader, kind_words, meld_title
from web.text import join_words, number

_FEW, _WITH_CARDS = 8, 15
"""Most melds of a side that are shown at full size, and most that are shown with their cards."""
_SOON, _SPARE = 3, 6
"""Melds expected beside those that lay there when the reader last played, and those that there is room for: a row on a phone."""


@dataclass(frozen=True)
class MeldTile:
    """A meld as the board shows it."""

    name: str
    """Its name in notation: `9`, `wild`, `garbage`."""
    kind: str
    wilds: str
    """Wild cards used of those allowed at this size, or the value of the book."""
    words: str
    takes_cards: bool
    """Whether it is a button that adds the selected cards."""
    html: SafeString


@dataclass(frozen=True)
class Team:
    """A side: whose it is, its points, and its melds."""

    number: int
    title: str
    is_mine: bool
    red_threes: int
    deal_points: int
    match_points: int
    melds: list[MeldTile]
    room: int = 0
    """Melds that the board has room for, so that those of others move nothing until the reader plays."""

    @property
    def html(self) -> SafeString:
        """The melds as items of a list, and free places."""
        if not self.melds:
            words = gettext("No meld yet")
            return mark_safe(f'<li class="none">{words}</li>')  # noqa: S308  constants
        free = ['<li class="free" aria-hidden="true"></li>'] * (self.room - len(self.melds))
        return mark_safe("\n".join([*(f"<li>{meld.html}</li>" for meld in self.melds), *free]))  # noqa: S308  safe already

    @property
    def is_crowded(self) -> bool:
        """Whether there are, or may soon be, so many melds that each must be small."""
        return max(self.room - _SPARE + _SOON, len(self.melds)) > _FEW

    @property
    def is_packed(self) -> bool:
        """Whether there are so many melds that no screen has room for their cards."""
        return len(self.melds) > _WITH_CARDS


@dataclass(frozen=True)
class Piles:
    """Stock and discard pile, and what can be done with them."""

    stock: int
    count: int
    top: int | None
    verdict: SafeString
    reason: SafeString
    is_open: bool
    mark: str = ""
    """`blocked` or `frozen`, in place of the name of the pile."""
    discarder: str = ""
    """Who laid the top card since the reader last played."""
    draws: str = ""
    """What a press on the stock does, `Draw two`; empty if the reader cannot draw."""


@dataclass(frozen=True)
class Check:
    """A line of the checklist for going out."""

    short: str
    rest: str
    value: str
    is_done: bool
    whose: str = ""
    """The owner of the foot or yes: in front of `short`, and may be cut if there is little room."""


@dataclass(frozen=True)
class OpeningLine:
    """The first meld of the own team: its player, or its value."""

    is_done: bool
    words: str
    value: str
    note: str


def teams(view: View, names: Sequence[str], marks: Marks = NOTHING, *, is_still: bool = False) -> list[Team]:
    """The sides in order of play after the reader's own, which comes last; first where there are many sides.

    On a still picture, as a replay shows, no meld is a button.
    """
    state = view.position
    own_team = None if view.seat is None else view.seat % state.teams
    order = [((own_team or 0) + step) % state.teams for step in range(1, state.teams)]
    order = [0, *order] if own_team is None else [own_team, *order] if state.teams > 2 else [*order, own_team]
    can_add = not is_still and state.phase in (PLAYING, DRAWING) and state.turn == view.seat
    return [_team(state, team, names, marks, team == own_team, can_add, is_still) for team in order]


def _team(
    state: State, team: int, names: Sequence[str], marks: Marks, is_mine: bool, can_add: bool, is_still: bool
) -> Team:
    players = [names[seat] for seat in range(team, state.seats, state.teams)]
    players.sort(key=is_reader, reverse=True)
    melds = state.melds[team]
    last = {meld.name: index for index, meld in enumerate(melds)}
    tiles = [
        tile(
            state,
            team,
            index,
            is_mine and can_add,
            marks.melds.get((team, meld.name), 0) if last[meld.name] == index else 0,
        )
        for index, meld in enumerate(melds)
    ]
    if is_mine and can_add and _garbage_may_begin(state, melds):
        tiles.append(_tile(Meld(GARBAGE, b"", 0), "meld-garbage", "", 0, 0, "", True, False, 0, get_language()))
    new = sum(1 for meld in melds if marks.melds.get((team, meld.name), 0) >= len(meld.cards))
    return Team(
        number=team,
        title=join_words(players),
        is_mine=is_mine,
        red_threes=len(state.red_threes[team]),
        deal_points=points_on_table(state, team),
        match_points=state.scores[team],
        melds=tiles,
        room=0 if is_still or state.phase == OVER else len(melds) - new + _SPARE,
    )


def points_on_table(state: State, team: int) -> int:
    """The value of the team's cards on the table; cards left in hands do not count."""
    count = tally(state, team)._replace(left=(0, 0), red_threes_held=0, wild_unfinished=0)
    return sum(item.points for item in score_items(state.rules, state.seats, count))


def _garbage_may_begin(state: State, melds: tuple[Meld, ...]) -> bool:
    return state.rules.garbage and has_sevens(state.rules, melds) and not any(meld.name == GARBAGE for meld in melds)


def tile(state: State, team: int, index: int, can_add: bool, added: int = 0) -> MeldTile:
    """A meld of a team, with the number of cards that others `added` since the reader last played."""
    melds = state.melds[team]
    meld = melds[index]
    earlier = sum(1 for other in melds[:index] if other.name == meld.name)
    kind = "" if meld.name == GARBAGE else book_kind(state.rules, meld)
    bonus = state.rules.bonus_of[kind] if kind else 0
    takes_cards = can_add and (not meld.is_book or _grows(state.rules, meld))
    element_id, book = f"meld-{team}-{MELD_NAMES[meld.name]}-{earlier}", book_words(state.rules)[0]
    is_mixed = has_several_melds(state.rules) and meld.wild > 0 and not meld.is_book and meld.name != WILD
    most = most_wild(state, meld)
    return _tile(meld, element_id, kind, most, bonus, book, takes_cards, is_mixed, added, get_language())


def has_several_melds(rules: Rules) -> bool:
    """Whether a team may have several incomplete melds of a rank, so that a move names the one with wild cards."""
    return rules.melds_per_rank in ("clean_and_dirty", "free")


def _grows(rules: Rules, book: Meld) -> bool:
    """Whether a complete book takes more cards."""
    growth = rules.books_grow
    if book.name == WILD:
        return growth.wild != "no"
    return (growth.clean if book.keeps or not book.wild else growth.dirty) != "no"


@lru_cache(maxsize=8192)
def _tile(
    meld: Meld,
    element_id: str,
    kind: str,
    most: int,
    bonus: int,
    book: str,
    takes_cards: bool,
    is_mixed: bool,
    added: int,
    language: str | None,
) -> MeldTile:
    """The tile, made once for each language: most melds of a table are those of the last page.

    `most` is -1 where no wild card may join; `is_mixed` if moves name the meld with a star.
    """
    wilds = _wilds(meld, most, bonus)
    room = BOOK if meld.name == WILD or meld.is_book else max(0, most - meld.wild)
    words = _tile_words(meld, kind, most, bonus, book)
    html = markup.meld_tile(
        meld,
        element_id,
        kind if kind in ("", "clean", "dirty", "wild") else "clean",
        wilds,
        _with_added(words, added, is_new=added >= len(meld.cards)),
        book=book,
        added=added,
        room=room if takes_cards else None,
        name=MELD_NAMES[meld.name] + "*" * is_mixed,
    )
    return MeldTile(MELD_NAMES[meld.name], kind, wilds, words, takes_cards, html)


def _with_added(words: str, added: int, *, is_new: bool) -> str:
    if not added:
        return words
    if is_new:
        return gettext("%(meld)s, new meld") % {"meld": words}
    return ngettext("%(meld)s, one new card", "%(meld)s, %(count)s new cards", added) % {"meld": words, "count": added}


def _wilds(meld: Meld, most: int, bonus: int) -> str:
    if meld.is_book:
        return f"+{number(bonus)}"
    if meld.name in (WILD, GARBAGE):
        return ""
    return pgettext("wild cards of a meld", "none") if most < 0 else f"{meld.wild}/{most}"


def most_wild(state: State, meld: Meld) -> int:
    """Wild cards that the meld may hold at its size; -1 for a meld that never holds one."""
    return -1 if meld.name in state.rules.pure else state.rules.most_wild[min(len(meld.cards), BOOK)]


def _tile_words(meld: Meld, kind: str, most: int, bonus: int, book: str) -> str:
    """The meld for a screen reader."""
    cards = len(meld.cards)
    values: dict[str, object] = {"title": meld_title(meld.name), "kind": kind_words(kind), "book": book}
    if meld.name == GARBAGE:
        few = ngettext("%(title)s: one card", "%(title)s: %(count)s cards", cards)
        return few % {**values, "count": count_words(cards)}
    if meld.is_book:
        return gettext("%(title)s: %(kind)s %(book)s, plus %(bonus)s") % {**values, "bonus": bonus}
    values |= {"count": cards, "whole": BOOK}
    if meld.name == WILD:
        return gettext("%(title)s: %(count)s of %(whole)s, wild cards only") % values
    if most < 0:
        return gettext("%(title)s: %(count)s of %(whole)s, clean, no wild cards allowed") % values
    values |= {"wild": count_words(meld.wild), "most": count_words(most)}
    if meld.wild == 1:
        return gettext("%(title)s: %(count)s of %(whole)s, %(kind)s, one wild card, %(most)s allowed") % values
    return gettext("%(title)s: %(count)s of %(whole)s, %(kind)s, %(wild)s wild cards, %(most)s allowed") % values


# Piles


def piles(view: View, discarder: str = "") -> Piles:
    """Stock and pile, with the verdict in a few words and the reason after it."""
    state = view.position
    shut = why_pile_shut(state)
    verdict, reason = _verdict(view, shut)
    return Piles(
        stock=len(state.stock),
        count=len(state.pile),
        top=state.pile[0] if state.pile else None,
        verdict=markup.sentence(verdict),
        reason=markup.sentence(reason),
        is_open=shut is None and view.seat == state.turn and state.phase == DRAWING,
        mark=_pile_mark(state, shut),
        discarder=discarder,
        draws=draw_words(state) if _can_draw(view) else "",
    )


def _pile_mark(state: State, shut: Refusal | None) -> str:
    if shut is not None and shut.code in (Code.PILE_BLOCKED, Code.WILD_ON_TOP):
        return pgettext("the pile", "blocked")
    return pgettext("the pile", "frozen") if state.frozen and state.pile else ""


def _can_draw(view: View) -> bool:
    state = view.position
    return view.seat == state.turn and state.phase == DRAWING and view.why_not(DRAW) is None


def _verdict(view: View, shut: Refusal | None) -> tuple[str, str]:
    state = view.position
    if state.phase == OVER:
        return gettext("The deal is over."), ""
    if shut is not None:
        return shut.sentence, ""
    need = claim_words(state)
    if view.seat != state.turn or state.phase not in (DRAWING, PLAYING):
        return gettext("Frozen.") if state.frozen else gettext("Not blocked."), need
    held = _hold_words(view)
    need = f"{need} {held}" if held else need
    if state.phase == PLAYING:
        return gettext("Frozen, and you have already drawn.") if state.frozen else gettext(
            "Not blocked, but you have already drawn."
        ), need
    return gettext("Frozen.") if state.frozen else gettext("Not blocked."), need


def claim_words(state: State) -> str:
    """The conditions to take the pile now, in a sentence."""
    rules = state.rules
    need = _need(state)
    if rules.pile_to_meld != "never" and not state.frozen:
        values = {"cards": need, "ranks": rank_words(state.pile[0] // 4)}
        need = gettext("%(cards)s, or a meld of %(ranks)s that is not complete") % values
    if taken_count(state) == 1:
        return gettext("To take this card, you need %(cards)s.") % {"cards": need}
    if rules.pile_take == "all":
        return gettext("To take the pile, you need %(cards)s.") % {"cards": need}
    return gettext("To take the top %(count)s, you need %(cards)s.") % {"count": taken_count(state), "cards": need}


def _hold_words(view: View) -> str:
    state = view.position
    if state.rules.pile_claim == "legal_meld" and not state.frozen:
        return ""
    held = sum(1 for card in view.hand if card // 4 == state.pile[0] // 4)
    return gettext("You have %(count)s.") % {"count": count_words(held)} if held else gettext("You have none.")


def taken_count(state: State) -> int:
    """The number of cards with the pile."""
    take = state.rules.pile_take
    return len(state.pile) if take == "all" else min(int(take), len(state.pile))


def why_no_claim(view: View) -> SafeString | str:
    """Why the seat cannot take the pile, in a few words for a button."""
    state = view.position
    if shut := why_pile_shut(state):
        return _shut_words(shut) or gettext("not now")
    top = state.pile[0]
    held = bytes([card for card in view.hand if card // 4 == top // 4][:2])
    refusal = view.why_not(claim(held)) if len(held) == 2 else None
    if refusal is not None and refusal.code not in (Code.CLAIM_TOO_WEAK, Code.PILE_FROZEN):
        return _shut_words(refusal) or markup.sentence(refusal.sentence)
    return gettext("needs %(cards)s") % {"cards": _need(state, is_brief=True)}


def _shut_words(refusal: Refusal) -> str:
    """The reason why the pile is closed, in a few words; empty if only the engine's sentence says it."""
    if refusal.code == Code.PILE_EMPTY:
        return gettext("the pile is empty")
    if refusal.code == Code.PILE_BLOCKED:
        return pgettext("the pile", "blocked")
    if refusal.code == Code.PILE_NEEDS_OPEN:
        return gettext("open first")
    if refusal.code == Code.WILD_ON_TOP:
        return gettext("wild card on top")
    if refusal.code == Code.BELOW_MINIMUM:
        return gettext("add more to open")
    return gettext("you would have too few cards left") if refusal.code == Code.KEEP_CARDS else ""


def _need(state: State, *, is_brief: bool = False) -> str:
    """Cards that claim the pile: `two natural nines`; in brief `two nines`."""
    top, rules = state.pile[0], state.rules
    if top in WILD_CARDS or state.frozen or rules.pile_claim == "natural_pair":
        ranks = {"ranks": rank_words(top // 4)}
        return (gettext("two %(ranks)s") if is_brief else gettext("two natural %(ranks)s")) % ranks
    if rules.pile_claim == "one_match":
        rank = {"rank": rank_word(top // 4)}
        return (pgettext("cards that are needed", "one %(rank)s") if is_brief else gettext("a natural %(rank)s")) % rank
    return gettext("two cards that match %(card)s") % {"card": NAMES[top]}


def draw_words(state: State) -> str:
    """`Draw two`."""
    return capfirst(gettext("Draw %(count)s") % {"count": count_words(state.rules.draw_count)})


# To go out, and to open


def contract(view: View, names: Sequence[str]) -> list[Check]:
    """Conditions for the reader's team (for a spectator: the team to act) to go out, as a checklist."""
    state, rules = view.position, view.position.rules
    me = state.turn if view.seat is None else view.seat
    team = me % state.teams
    missing = contract_missing(state, team, state.melds[team])
    checks, language = [], get_language()
    for kind, need in rules.needed.items():
        if need:
            have = need - missing.get(kind, 0)
            book = f" {_books_to_go_out(rules.book_words[need > 1], language)}"
            checks.append(Check(_kind_of_books(kind, language), book, f"{have}/{need}", have >= need))
    if rules.contract_red_threes != "none":
        lacking = red_threes_missing(state)
        value = gettext("%(count)s left") % {"count": lacking} if lacking > 0 else pgettext("red threes", "all")
        where = " " + pgettext("Red threes …", "on the table")
        checks.append(Check(gettext("3♥ and 3♦"), where, value, lacking <= 0))
    checks.append(_foot(state, me, names[me], played=False))
    if rules.partner_foot != "none":
        played = rules.partner_foot == "played"
        checks += [_foot(state, partner, names[partner], played=played) for partner in state.partners(me)]
    if rules.permission == "required" and state.team_size > 1:
        checks.append(_yes(state, me, names))
    return checks


@lru_cache(maxsize=256)
def _books_to_go_out(noun: str, language: str | None) -> str:
    """Words after their kind on the checklist, however many are needed."""
    return {
        "book": pgettext("Clean …: 0/1", "book"),
        "books": pgettext("Clean …: 0/2", "books"),
        "pile": pgettext("Clean …: 0/1", "book"),
        "piles": pgettext("Clean …: 0/2", "books"),
        "canasta": pgettext("Clean …: 0/1", "canasta"),
        "canastas": pgettext("Clean …: 0/2", "canastas"),
    }.get(noun, noun)


@lru_cache(maxsize=256)
def _kind_of_books(kind: str, language: str | None) -> str:
    """Words in front of “books” on the checklist."""
    return {
        "clean": pgettext("… books", "Clean"),
        "dirty": pgettext("… books", "Dirty"),
        "wild": pgettext("… books", "Wild"),
        "sevens": pgettext("… books", "Sevens"),
    }.get(kind) or capfirst(gettext(kind))


def _foot(state: State, seat: int, name: str, *, played: bool) -> Check:
    is_up = state.feet[seat] is None
    is_done = is_up and (not played or bool(state.foot_turns[seat]))
    if not is_up:
        value = pgettext("a foot", "not picked up")
    else:
        value = pgettext("a foot", "played") if played and is_done else pgettext("a foot", "picked up")
    return _about(name, pgettext("of cards", "foot"), value, is_done)


def _yes(state: State, me: int, names: Sequence[str]) -> Check:
    partners = state.partners(me)
    is_own_turn = state.turn == me
    if is_own_turn and state.allowed:
        value = pgettext("the yes to go out", "yes")
    else:
        value = pgettext("the yes to go out", "refused") if is_own_turn and state.refused else gettext("ask first")
    if len(partners) > 1:
        return Check(gettext("Partner agrees"), "", value, is_own_turn and state.allowed)
    return _about(names[partners[0]], pgettext("the answer", "yes"), value, is_own_turn and state.allowed)


def _about(name: str, subject: str, value: str, is_done: bool) -> Check:
    """A line about one player: `Walter’s` `foot`, `Walter` `F.’s foot`, `Your` `foot`."""
    if is_reader(name):
        return Check(subject, "", value, is_done, pgettext("checklist", "Your"))
    first, _, more = name.partition(" ") if not name.startswith(name_text(FORMER)) else (name, "", "")
    if more:
        return Check(gettext("%(initial)s’s %(what)s") % {"initial": more, "what": subject}, "", value, is_done, first)
    return Check(subject, "", value, is_done, pgettext("checklist", "%(name)s’s") % {"name": first})


def opening(view: View, names: Sequence[str]) -> OpeningLine:
    """Whether the reader's team has opened, and what opening takes or took."""
    state = view.position
    me = state.turn if view.seat is None else view.seat
    team = me % state.teams
    least = state.rules.opening.minimum(state.deal, state.scores[team])
    is_done = state.opened[team]
    if not least:
        value = gettext("any meld")
    else:
        value = (gettext("%(points)s were needed") if is_done else gettext("%(points)s points")) % {"points": least}
    return OpeningLine(is_done, _opened_words(state, team, names), value, wild_note(state))


def _opened_words(state: State, team: int, names: Sequence[str]) -> str:
    opener = state.opener[team]
    if not state.opened[team]:
        return gettext("Not open yet")
    if opener is None:
        return pgettext("a team that has melded", "Opened")
    return (
        gettext("Opened by you")
        if is_reader(names[opener])
        else gettext("Opened by %(name)s") % {"name": names[opener]}
    )


def wild_note(state: State) -> str:
    """The wild cards that a meld can hold, in a sentence."""
    return _wild_note(state.rules.wild_limits, get_language())


@lru_cache(maxsize=256)
def _wild_note(limits: tuple[int, ...], language: str | None) -> str:
    steps = [(size, most) for size, most in enumerate(limits, start=3) if size == 3 or most != limits[size - 4]]
    parts = [
        gettext("%(count)s from %(size)s cards") % {"count": count_words(most), "size": count_words(size)}
        if size > 3
        else gettext("%(count)s at first") % {"count": count_words(most)}
        for size, most in steps
    ]
    if len(steps) == 1:
        return gettext("Wild cards in a meld: at most %(count)s.") % {"count": count_words(limits[0])}
    return gettext("Wild cards in a meld: %(counts)s.") % {"counts": join_words(parts)}
