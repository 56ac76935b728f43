"""What a user's preferences may be."""

from zoneinfo import available_timezones

from django.core.exceptions import ValidationError


def validate_time_zone(value: str) -> None:
    """Refuse what is not the name of an IANA time zone."""
    if value not in available_timezones():
        raise ValidationError(
            "%(value)s is not a time zone; choose one such as Europe/Paris.",
            code="unknown_time_zone",
            params={"value": value},
        )
