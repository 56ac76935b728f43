"""`manage.py reports`: the reports of players, listed and closed by the operator."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from gameplay.conversation import services as conversation
from gameplay.models import Report
from web.errors import Refused


class Command(BaseCommand):
    """Lists open reports. `--uphold ID` hides the message, `--dismiss ID` leaves it visible. Both close the report."""

    help = __doc__ or ""

    def add_arguments(self, parser: CommandParser) -> None:
        """Options to close a report."""
        parser.add_argument("--uphold", type=int, metavar="ID", help="hide the reported message")
        parser.add_argument("--dismiss", type=int, metavar="ID", help="leave the message visible")

    def handle(self, *args: Any, **options: Any) -> None:
        """Settle the report named, or list those that are open."""
        for name in ("uphold", "dismiss"):
            if options[name] is not None:
                self._settle(options[name], is_upheld=name == "uphold")
                return
        for report in Report.objects.filter(settled_at=None).select_related("table", "message", "reporter"):
            self.stdout.write(_line(report))

    def _settle(self, report_id: int, *, is_upheld: bool) -> None:
        try:
            conversation.close_report(report_id, is_upheld=is_upheld)
        except Refused as refusal:
            raise CommandError(refusal.sentence) from None
        self.stdout.write(f"Report {report_id} is {'upheld' if is_upheld else 'dismissed'}.")


def _line(report: Report) -> str:
    text = f" {report.message.name} said: {report.message.text!r}." if report.message else ""
    reason = f" Reason: {report.reason!r}." if report.reason else ""
    sender = report.reporter or "a former member"
    return f"{report.pk}. {report.at:%Y-%m-%d %H:%M} UTC, {report.table.get_absolute_url()}, by {sender}.{text}{reason}"
