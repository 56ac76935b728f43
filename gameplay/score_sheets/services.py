"""Score sheets that belong to no event: making one, keeping its deals, and clearing away what nobody looks at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from engine.errors import BadInput
from engine.play.options import Shape
from engine.play.rules import Rules
from gameplay.score_sheets import paper_scoring
from gameplay.score_sheets.models import ScoreSheet
from gameplay.score_sheets.paper_scoring import Deal
from gameplay.score_sheets.terms import LONGEST_NAME, terms_of
from web.errors import Refused, Stale

NOBODYS = timedelta(days=365)
"""A sheet that is in nobody's account is deleted when it was not changed for so long."""
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
    """A new, empty sheet; `names` by seat. The last seat deals first unless told otherwise. Raises `Refused`.

    Sent twice with one key it makes one.
    """
    _check_shape(rules, shape)
    found = ScoreSheet.objects.filter(made_with=request_key).first() if request_key else None
    if found is not None:
        return found
    sheet = ScoreSheet(
        rules_json=rules.write(),
        rules_ref=rules_ref,
        rules_name=rules_name[:120],
        seat_count=shape.seats,
        team_size=shape.team_size,
        title=_plain(title)[:60],
        names=_names(names, shape),
        dealer=_seat(shape.seats - 1 if dealer is None else dealer, shape),
        owner=owner,
        made_with=request_key[:64],
        touched_at=timezone.now(),
    )
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


def _names(names: Sequence[str], shape: Shape) -> list[str]:
    found = [_plain(name) for name in [*names, *[""] * shape.seats][: shape.seats]]
    for seat, name in enumerate(found):
        if len(name) > LONGEST_NAME:
            raise Refused(
                "long_name",
                gettext("The name is too long. The limit is %(most)s characters.") % {"most": LONGEST_NAME},
                field=f"seat-{seat}",
            )
        if name and name.casefold() in [other.casefold() for other in found[:seat]]:
            raise Refused(
                "same_name",
                gettext("Two players are called %(name)s. Give them different names.") % {"name": name},
                field=f"seat-{seat}",
            )
    return found


def _seat(number: int, shape: Shape) -> int:
    if not 0 <= number < shape.seats:
        raise Refused("no_seat", gettext("Choose the first dealer."), field="dealer")
    return number


# Changing it


def _change(pk: int, change: Callable[[ScoreSheet], bool], key: str = "") -> ScoreSheet:
    """Change a sheet under its lock; `change` says whether it did. Raises `Refused` where it is gone."""
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
    """Put the deals of a phone in the place of those that are kept. Twice is harmless.

    `seen` is the version that the phone's deals were made from, `key` the name of this change, and `earlier` those of
    changes that the phone sent before and had no answer to. Raises `Stale` where somebody else has changed the sheet
    meanwhile, and `Refused` for what cannot be, with `deal`, `side` and `row` where one is to blame.
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
    """Keep one deal of a sheet: the next, or one that is changed. Twice is harmless, as is what has the last key.

    Raises `Stale` where the sheet was changed since the page was made, and `Refused` for a deal that cannot be.
    """

    def change(sheet: ScoreSheet) -> bool:
        kept = list(sheet.deals)
        if kept[number - 1 : number] == [deal] or (key and sheet.changed_with == key):
            return False
        if sheet.version != seen:
            words = gettext("This score sheet was changed on another phone. Save again to replace it.")
            raise Stale("stale", words, version=sheet.version)
        if not 1 <= number <= len(kept) + 1:
            raise Refused("no_such_deal", gettext("Enter deal %(number)s first.") % {"number": len(kept) + 1})
        terms = terms_of(sheet)
        if number > len(kept) and paper_scoring.reckon(terms, kept).is_over:
            raise Refused("over", gettext("The match was over after deal %(count)s.") % {"count": len(kept)})
        kept[number - 1 : number] = [dict(deal)]
        paper_scoring.check_all(terms, kept)
        sheet.deals, sheet.is_stopped = kept, False
        return True

    return _change(pk, change, key)


def drop_last(pk: int, number: int, *, seen: int | None = None, key: str = "") -> ScoreSheet:
    """Take the last deal away, if it still is number so and so. Raises `Stale` where `seen` is not its version."""

    def change(sheet: ScoreSheet) -> bool:
        if not sheet.deals or len(sheet.deals) != number or (key and sheet.changed_with == key):
            return False
        _check_seen(sheet, seen)
        sheet.deals, sheet.is_stopped = sheet.deals[:-1], False
        return True

    return _change(pk, change, key)


def stop(pk: int, *, is_stopped: bool, seen: int | None = None, key: str = "") -> ScoreSheet:
    """Say that the players stopped here, or that they go on. Raises `Stale` where `seen` is not its version."""

    def change(sheet: ScoreSheet) -> bool:
        if sheet.is_stopped == is_stopped or (key and sheet.changed_with == key):
            return False
        _check_seen(sheet, seen)
        if is_stopped and not sheet.deals:
            raise Refused("nothing", gettext("Enter a deal first."))
        sheet.is_stopped = is_stopped
        return True

    return _change(pk, change, key)


def _check_seen(sheet: ScoreSheet, seen: int | None) -> None:
    if seen is not None and sheet.version != seen:
        raise Stale("stale", gettext("This score sheet was changed elsewhere. Check it again."), version=sheet.version)


def rename(
    pk: int, names: Sequence[str], *, title: str, dealer: int, seen: int | None = None, key: str = ""
) -> ScoreSheet:
    """Set the title, the players by seat, and who dealt first. Raises `Refused`, `Stale` where `seen` is not its version."""

    def change(sheet: ScoreSheet) -> bool:
        if key and sheet.changed_with == key:
            return False
        shape = Shape(sheet.seat_count, sheet.team_size)
        new: dict[str, Any] = {
            "title": _plain(title)[:60],
            "names": _names(names, shape),
            "dealer": _seat(dealer, shape),
        }
        changed = any(getattr(sheet, name) != value for name, value in new.items())
        if changed:
            _check_seen(sheet, seen)
        for name, value in new.items():
            setattr(sheet, name, value)
        return changed

    return _change(pk, change, key)


# Whose it is


def keep(pk: int, owner: User) -> None:
    """Keep a sheet in somebody's account, unless it is in another's. Twice is harmless."""
    changed = ScoreSheet.objects.filter(pk=pk, owner=None).update(owner=owner)
    if not changed and not ScoreSheet.objects.filter(pk=pk, owner=owner).exists():
        raise Refused("kept", gettext("This score sheet is already saved in another account. Its link still works."))


def keep_all(keys: Iterable[str], owner: User) -> None:
    """Keep the sheets that a visitor made before signing in."""
    ScoreSheet.objects.filter(key__in=list(keys), owner=None).update(owner=owner)


def delete(pk: int) -> None:
    """Delete a sheet with its photographs. Twice is harmless."""
    ScoreSheet.objects.filter(pk=pk).delete()


def forget(owner_id: int) -> None:
    """Delete what an account kept."""
    ScoreSheet.objects.filter(owner=owner_id).delete()


def clear_old() -> None:
    """Delete the sheets in nobody's account that were not changed for a year. Twice is harmless."""
    ScoreSheet.objects.filter(owner=None, touched_at__lt=timezone.now() - NOBODYS).delete()
