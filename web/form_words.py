"""What forms say of input that is missing or out of bounds: Django's own sentences say no way out, and are stiff in German."""

from django import forms
from django.core import validators
from django.utils.translation import gettext_lazy


def connect() -> None:
    """Put the site's sentences in place of Django's, before any form is made."""
    forms.Field.default_error_messages["required"] = gettext_lazy("Fill in this field.")
    validators.MinValueValidator.message = gettext_lazy("Enter %(limit_value)s or more.")
    validators.MaxValueValidator.message = gettext_lazy("Enter %(limit_value)s or less.")
