"""Reads a list from any file, and imports it: the page “Import a list” from the command line."""

import json
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from clubs.bring_in import child, column_contents
from clubs.bring_in.reading import KINDS
from clubs.bring_in.workbook import Workbook
from clubs.models import Club, League, Membership
from clubs.services import list_import
from clubs.services.list_import import Choices
from clubs.services.season_lists import SeasonTerms
from clubs.services.seasons.past_seasons import Wishes
from web.errors import Refused


class Command(BaseCommand):
    help = "Reads a list of members, results, a table or fixtures from any file, and imports it (docs/clubs.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file: .xlsx, .xls, .ods, or a table of text")
        parser.add_argument("--club", required=True, help="the club's address, the last part of its page")
        parser.add_argument("--what", required=True, choices=KINDS, help="what the file has")
        parser.add_argument("--answers", type=Path, help="a JSON file with answers to the questions")
        parser.add_argument("--by", default="", help="username of who imports it (default: an owner of the club)")
        parser.add_argument("--dry-run", action="store_true", help="read it only")
        parser.add_argument("--json", action="store_true", help="print what was read as one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"Club not found: {options['club']}.")
        try:
            book = _book(options["file"])
            answers = _answers(options["answers"])
            choices = choices_of(book, answers)
            wishes = _wishes(club, answers.get("league", ""))
            reading = list_import.read(club, book, options["what"], choices, wishes)
            sentence = ""
            if not options["dry_run"]:
                by = _person(club, options["by"])
                act = list_import.import_list(
                    *(club.pk, by),
                    what=options["what"],
                    book=book,
                    choices=choices,
                    name=options["file"].name,
                    wishes=wishes,
                    season=_season(answers),
                )
                sentence = act.sentence
        except (Refused, OSError) as error:
            raise CommandError(str(error)) from None
        if options["json"]:
            self.stdout.write(json.dumps(reading.as_json(), ensure_ascii=False))
            return
        self.stdout.write(sentence or f"{len(reading.items)} rows would be imported.")
        for question in reading.questions:
            self.stdout.write(f"Row {question.row}: {question.text} [{question.guess}]")


def _book(path: Path) -> Workbook:
    if path.stat().st_size > child.MOST_BYTES:
        raise child.too_large()
    return child.read_file(path.read_bytes())


def _answers(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        answers = json.loads(path.read_text("utf-8"))
    except ValueError:
        raise CommandError(f"{path} is not JSON.") from None
    return answers if isinstance(answers, dict) else {"answers": answers}


def choices_of(book: Workbook, answers: dict[str, Any]) -> Choices:
    """The choices of a file of answers: `sheet`, `heading_row`, `columns`, and `answers` with row, kind and answer."""
    try:
        sheet = next((at for at, item in enumerate(book.sheets) if item.name == answers.get("sheet")), None)
        if answers.get("sheet") and sheet is None:
            raise CommandError(f"Sheet not found: {answers['sheet']}.")
        heading = answers.get("heading_row")
        columns = answers.get("columns")
        return Choices(
            sheet=sheet,
            heading=heading - 1 if heading else None,
            has_heading=bool(heading) if "heading_row" in answers else None,
            columns=None if columns is None else [_holds(column) for column in columns],
            answers=_by_key(answers.get("answers", []), [item.name for item in book.sheets]),
            first_day=_season(answers).first_day,
        )
    except (TypeError, KeyError, AttributeError):
        raise CommandError("The answers must have the form of the documentation.") from None


def _holds(column: Any) -> str:
    return str(column["is"] if isinstance(column, dict) else column or column_contents.LEAVE_OUT)


def _wishes(club: Club, name: Any) -> Wishes:
    """The league of this name, or a new one of it."""
    league = League.objects.filter(club=club, name=str(name), is_archived=False).first() if name else None
    return Wishes(league_id=league.pk) if league else Wishes(league_name=str(name or ""))


def _season(answers: dict[str, Any]) -> SeasonTerms:
    """Name and first day of a season, and its division, that the file does not have."""
    try:
        first_day = date.fromisoformat(str(answers["first_day"])) if answers.get("first_day") else None
    except ValueError:
        raise CommandError("The first day must be a date such as 2026-09-07.") from None
    return SeasonTerms(str(answers.get("season", ""))[:60], first_day, str(answers.get("division", ""))[:60])


def _by_key(answers: Any, sheets: list[str]) -> dict[str, str]:
    """Answers by the keys of their questions, those of further sheets with the name of the sheet; a mapping has the
    keys already."""
    if isinstance(answers, dict):
        return {str(key): str(answer) for key, answer in answers.items()}
    keyed: dict[str, str] = {}
    for answer in answers:
        part = f"s{sheets.index(answer['sheet']) + 1}-" if answer.get("sheet") in sheets else ""
        key, number = f"{part}{answer['row']}-{answer['kind']}", 1
        while (f"{key}-{number}" if number > 1 else key) in keyed:
            number += 1
        keyed[f"{key}-{number}" if number > 1 else key] = str(answer.get("answer", answer.get("guess", "")))
    return keyed


def _person(club: Club, username: str) -> User | None:
    """Who imports: the account named, else the first owner of the club, if it has one with an account."""
    if username:
        person = User.objects.filter(username=username, is_active=True).first()
        if person is None:
            raise CommandError(f"Account not found: {username}.")
        return person
    owners = Membership.objects.filter(club=club, left_at=None, role=Membership.Role.OWNER, user__is_active=True)
    owner = owners.select_related("user").order_by("pk").first()
    return owner.user if owner is not None else None
