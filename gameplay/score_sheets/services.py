"""Score sheets that belong to no event: making one, keeping its deals, and clearing away what nobody looks at."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import SCORE_SHEETS, spend
from accounts.display_names import clean_name
from accounts.models import User
from engine.errors import BadInput
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.models import ScoreSheet
from gameplay.score_sheets.paper_scoring import Deal
from gameplay.score_sheets.terms import LONGEST_NAME, terms_of
from web.errors import Refused, Stale

LONGEST_TITLE = 60

STALE = gettext_noop("This score sheet has been changed on another phone. Choose which version to keep.")


def make(
    rules: Rules,
    shape: Shape,
    names: Sequence[str],
    *,
    title: str = "",
    dealer: int | None = None,
    owner: User | None = None,
    rules_ref: str = "",
    rules_name: str = "",
    request_key: str = "",
) -> ScoreSheet:
    """Create an empty sheet; `names` by seat. The last seat deals first by default. Raises `Refused`.

    A repeat with the same key returns the first.
    """
    _check_shape(rules, shape)
    earlier = ScoreSheet.objects.filter(made_with=request_key).first() if request_key else None
    if earlier is not None:
        return earlier
    sheet = ScoreSheet(
        rules_json=rules.write(),
        rules_ref=rules_ref,
        rules_name=rules_name[:120],
        seat_count=shape.seats,
        team_size=shape.team_size,
        title=_title(title),
        names=_names(names, shape),
        dealer=_seat(shape.seats - 1 if dealer is None else dealer, shape),
        owner=owner,
        made_with=request_key[:64],
        touched_at=timezone.now(),
    )
    spend(SCORE_SHEETS, owner)
    try:
        with transaction.atomic():
            sheet.save()
    except IntegrityError:
        return ScoreSheet.objects.get(made_with=request_key)
    return sheet


def _check_shape(rules: Rules, shape: Shape) -> None:
    try:
        rules.shape(*shape)
    except BadInput as error:
        raise Refused("no_shape", error.sentence, field="shape") from None


def _plain(text: str) -> str:
    return " ".join(text.split())


def _title(text: str) -> str:
    title = _plain(text)[:LONGEST_TITLE].rstrip()
    return clean_name(title, LONGEST_TITLE) if title else ""


def _names(names: Sequence[str], shape: Shape) -> list[str]:
    plain = [_plain(name) for name in [*names, *[""] * shape.seats][: shape.seats]]
    for seat, name in enumerate(plain):
        if len(name) > LONGEST_NAME:
            raise Refused(
                "long_name",
                gettext("The name is too long. The limit is %(most)s characters.") % {"most": LONGEST_NAME},
                field=f"seat-{seat}",
            )
        if name:
            plain[seat] = name = clean_name(name, LONGEST_NAME, field=f"seat-{seat}")
        if name and name.casefold() in [other.casefold() for other in plain[:seat]]:
            raise Refused(
                "same_name",
                gettext("Two players are called %(name)s. Give them different names.") % {"name": name},
                field=f"seat-{seat}",
            )
    return plain


def _seat(number: int, shape: Shape) -> int:
    if not 0 <= number < shape.seats:
        raise Refused("no_seat", gettext("Choose the first dealer."), field="dealer")
    return number


# Changing it


def _change(pk: int, change: Callable[[ScoreSheet], bool], key: str = "") -> ScoreSheet:
    """Change a sheet under its lock; `change` returns whether it did. Raises `Refused` if it was deleted."""
    with transaction.atomic():
        try:
            sheet = ScoreSheet.objects.locked(pk)
        except ScoreSheet.DoesNotExist:
            raise Refused("gone", gettext("This score sheet was deleted.")) from None
        if change(sheet):
            sheet.version += 1
            sheet.changed_with = key[:64]
            sheet.touched_at = timezone.now()
            sheet.save()
        return sheet


def save(
    pk: int, deals: Sequence[Deal], *, is_stopped: bool, seen: int, key: str, earlier: Collection[str] = ()
) -> ScoreSheet:
    """Replace the stored deals with those of a phone. Twice does no harm.

    `seen` is the version that the phone's deals were made from, `key` the name of this change, and `earlier` the
    names of changes without an answer. Raises `Stale` if another has changed the sheet since then, and `Refused` for
    impossible figures, with `deal`, `side` and `row` to blame.
    """

    def change(sheet: ScoreSheet) -> bool:
        new = [dict(deal) for deal in deals]
        if sheet.deals == new and sheet.is_stopped == is_stopped:
            return False
        if sheet.version != seen and sheet.changed_with not in {key, *earlier}:
            raise Stale("stale", gettext(STALE), version=sheet.version)
        paper_scoring.check_all(terms_of(sheet), new)
        sheet.deals, sheet.is_stopped = new, is_stopped and bool(new)
        return True

    return _change(pk, change, key)


def save_deal(pk: int, number: int, deal: Deal, *, seen: int, key: str = "") -> ScoreSheet:
    """Save one deal of a sheet: the next, or one that is changed. Repeats, also of the last key, do no harm.

    Raises `Stale` if the sheet has changed since the page was made, and `Refused` for impossible figures.
    """

    def change(sheet: ScoreSheet) -> bool:
        saved = list(sheet.deals)
        if saved[number - 1 : number] == [deal] or (key and sheet.changed_with == key):
            return False
        if sheet.version != seen:
            words = gettext("This score sheet was changed on another phone. Save again to replace it.")
            raise Stale("stale", words, version=sheet.version)
        if not 1 <= number <= len(saved) + 1:
            raise Refused("no_such_deal", gettext("Enter deal %(number)s first.") % {"number": len(saved) + 1})
        terms = terms_of(sheet)
        if number > len(saved) and paper_scoring.reckon(terms, saved).is_over:
            raise Refused("over", gettext("The match was over after deal %(count)s.") % {"count": len(saved)})
        saved[number - 1 : number] = [dict(deal)]
        paper_scoring.check_all(terms, saved)
        sheet.deals, sheet.is_stopped = saved, False
        return True

    return _change(pk, change, key)


def drop_last(pk: int, number: int, *, seen: int | None = None, key: str = "") -> ScoreSheet:
    """Delete the last deal, if it still has this number. Raises `Stale` if `seen` is not its version."""

    def change(sheet: ScoreSheet) -> bool:
        if not sheet.deals or len(sheet.deals) != number or (key and sheet.changed_with == key):
            return False
        _check_version(sheet, seen)
        sheet.deals, sheet.is_stopped = sheet.deals[:-1], False
        return True

    return _change(pk, change, key)


def stop(pk: int, *, is_stopped: bool, seen: int | None = None, key: str = "") -> ScoreSheet:
    """Record that the players stopped here, or that they continue. Raises `Stale` if `seen` is not its version."""

    def change(sheet: ScoreSheet) -> bool:
        if sheet.is_stopped == is_stopped or (key and sheet.changed_with == key):
            return False
        _check_version(sheet, seen)
        if is_stopped and not sheet.deals:
            raise Refused("nothing", gettext("Enter a score first."))
        sheet.is_stopped = is_stopped
        return True

    return _change(pk, change, key)


def _check_version(sheet: ScoreSheet, seen: int | None) -> None:
    if seen is not None and sheet.version != seen:
        raise Stale("stale", gettext("This score sheet was changed elsewhere. Check it again."), version=sheet.version)


def rename(
    pk: int, names: Sequence[str], *, title: str, dealer: int, seen: int | None = None, key: str = ""
) -> ScoreSheet:
    """Set the title, the players by seat, and the first dealer. Raises `Refused`, or `Stale` by `seen`."""

    def change(sheet: ScoreSheet) -> bool:
        if key and sheet.changed_with == key:
            return False
        shape = Shape(sheet.seat_count, sheet.team_size)
        new: dict[str, Any] = {"title": _title(title), "names": _names(names, shape), "dealer": _seat(dealer, shape)}
        changed = any(getattr(sheet, name) != value for name, value in new.items())
        if changed:
            _check_version(sheet, seen)
        for name, value in new.items():
            setattr(sheet, name, value)
        return changed

    return _change(pk, change, key)


# Whose it is


def keep(pk: int, owner: User) -> None:
    """Save a sheet in an account, unless it is in another's. Twice does no harm."""
    changed = ScoreSheet.objects.filter(pk=pk, owner=None).update(owner=owner)
    if not changed and not ScoreSheet.objects.filter(pk=pk, owner=owner).exists():
        raise Refused("kept", gettext("This score sheet is already saved in another account. Its link still works."))


def keep_all(keys: Iterable[str], owner: User) -> None:
    """Save the sheets that a visitor made before signing in."""
    ScoreSheet.objects.filter(key__in=list(keys), owner=None).update(owner=owner)


def delete(pk: int) -> None:
    """Delete a sheet with its photographs. Twice does no harm."""
    ScoreSheet.objects.filter(pk=pk).delete()


def forget(owner_id: int) -> None:
    """Delete the sheets of an account."""
    ScoreSheet.objects.filter(owner=owner_id).delete()
