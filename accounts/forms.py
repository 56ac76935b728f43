"""Forms about the own account."""

from datetime import date
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    ChangePasswordForm,
    ConfirmLoginCodeForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SignupForm,
)
from allauth.core import context
from django import forms
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import get_language, gettext, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts import auth_log, sign_in_limits, time_zones
from accounts.colours import NAMES, colours_of
from accounts.display_names import LONGEST, clean_display_name
from accounts.models import User
from accounts.privacy import PREFERENCES
from accounts.scopes import SCOPES
from accounts.services import free_time, tokens
from accounts.signals import account_renamed

WEEKDAYS = list(
    enumerate((_("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday")))
)


class NameAndPlace(forms.Form):
    """What every sign-up asks beside the email address: a display name; the browser adds its time zone."""

    display_name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST,
        help_text=_("The name other players see. You can change it later."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    time_zone = forms.CharField(required=False, widget=forms.HiddenInput(attrs={"data-zone": ""}))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("Email address")

    def clean_display_name(self) -> str:
        return clean_display_name(self.cleaned_data["display_name"])

    def clean_time_zone(self) -> str:
        """The browser's guess; a wrong one does not refuse anyone."""
        name: str = self.cleaned_data["time_zone"]
        return time_zones.canonical(name) if time_zones.is_zone(name) else ""

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        """Store them, as allauth calls for it."""
        user.display_name = self.cleaned_data["display_name"]
        user.time_zone = self.cleaned_data["time_zone"] or time_zones.guess(request)
        user.language = get_language() or settings.LANGUAGE_CODE
        for name, chosen in colours_of(request).items():
            setattr(user, name, chosen)
        user.save(update_fields=["display_name", "time_zone", "language", *NAMES])


class SignUpForm(NameAndPlace, SignupForm):  # type: ignore[misc]
    """Sign-up with a display name, the email address and one password."""

    field_order = ["display_name", "email", "password1"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A second list of rules in a label's neighbourhood reads badly; the sentence below says the same.
        self.fields["password1"].help_text = _("At least 8 characters. Not a common password.")

    def clean(self) -> dict[str, Any]:
        """Refuse a password made of the name as well: allauth looks at the address alone."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "password1" in cleaned and "display_name" in cleaned:
            try:
                get_adapter().clean_password(cleaned["password1"], user=User(display_name=cleaned["display_name"]))
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return cleaned


class CodeRequestForm(RequestLoginCodeForm):  # type: ignore[misc]
    """Ask for a code by email, with or without an account."""

    def clean_email(self) -> str:
        """Prepare the code, and find whether to send it; see `accounts.adapter`."""
        email: str = super().clean_email()
        fresh = get_adapter().generate_login_code
        context.request.code_mail = sign_in_limits.next_code(context.request, email, self._user, fresh)
        return email


class MailedCodeForm(ConfirmLoginCodeForm):  # type: ignore[misc]
    """A code by email, which signs in once, even if several browsers asked for it."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        stage = context.request._login_stage
        if not sign_in_limits.use_code(stage.state["email"], stage.login.user, self.expected_code):
            raise get_adapter().validation_error("incorrect_code")
        return code


class ForgottenPasswordForm(ResetPasswordForm):  # type: ignore[misc]
    """Ask for a link by email to choose a new password, with or without an account."""

    def save(self, request: HttpRequest, **options: Any) -> str:
        """Send it, unless several that are still good were sent."""
        email: str = self.cleaned_data["email"]
        if sign_in_limits.can_mail_reset(request, email):
            super().save(request, **options)
        return email


class NewPasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """A change of password, which revokes API tokens unless they are kept; the log reports a wrong old one."""

    KEEP = "keep"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if tokens.unexpired(self.user).exists():
            self.fields["tokens"] = forms.ChoiceField(
                label=_("Your API tokens"),
                help_text=_("Anyone with a token can still act for you after the password has changed."),
                choices=[("revoke", _("Revoke all tokens")), (self.KEEP, _("Keep all tokens"))],
                widget=forms.RadioSelect,
                initial="revoke",
                required=False,
            )

    def clean_oldpassword(self) -> str:
        attempt = sign_in_limits.try_password(context.request, self.user.email)
        try:
            password: str = super().clean_oldpassword()
        except forms.ValidationError:
            auth_log.refuse(self.user, auth_log.PASSWORD)
            raise
        attempt.give_back()
        return password

    def save(self) -> None:
        """Change the password, and with it revoke the tokens: also those made since the page was shown."""
        with transaction.atomic():
            super().save()
            if self.cleaned_data.get("tokens") != self.KEEP:
                tokens.revoke_all(self.user)


class ResetFromKeyForm(ResetPasswordKeyForm):  # type: ignore[misc]
    """A new password by an emailed link, which revokes API tokens."""

    def has_tokens(self) -> bool:
        """Whether the person has tokens to be revoked."""
        return tokens.unexpired(self.user).exists()

    def save(self) -> None:
        """Set the password, and with it revoke the tokens."""
        with transaction.atomic():
            super().save()
            tokens.revoke_all(self.user)


_KEPT = ("deck", "card_back", "table_colour", "record_for")
"""Choices that a form without them leaves as they are, such as that of a page opened before they came."""


_COLOUR_LABELS = {
    "deck": _("Colours of the suits"),
    "card_back": _("Backs of the cards"),
    "table_colour": _("Colour of the table"),
}


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]
    """Profile and preferences of play and notifications."""

    time_zone = forms.CharField(
        label=_("Time zone"),
        help_text=_("Type a place, such as Paris, and choose."),
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)
    weekend_days = forms.MultipleChoiceField(
        label=_("Weekend"),
        choices=WEEKDAYS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Your clock pauses on these days at tables with free weekends."),
    )

    class Meta:
        model = User
        fields = ["display_name", *PREFERENCES]
        labels = {
            "display_name": _("Name"),
            "quiet_from": _("Quiet hours start"),
            "quiet_until": _("Quiet hours end"),
            "notice_email": _("By email"),
            "notice_push": _("On my devices"),
            "notice_digest": _("One email a day instead of one per turn"),
            "hand_order": _("Cards in my hand"),
            **_COLOUR_LABELS,
            "has_sound": _("Sound"),
            "has_haptics": _("Vibration"),
            "shows_presence": _("Show others when I am here"),
            "record_for": _("Show my matches to"),
        }
        help_texts = {"display_name": _("The name other players see."), "quiet_from": "", "quiet_until": ""}
        widgets = {
            "quiet_from": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            "quiet_until": forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
            **dict.fromkeys(("hand_order", "deck", "card_back", "table_colour", "record_for"), forms.RadioSelect),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["weekend_days"] = list(self.instance.weekend_days)
        self.fields["display_name"].required = True
        for name in _KEPT:
            self.fields[name].required = False

    def clean_display_name(self) -> str:
        return clean_display_name(self.cleaned_data["display_name"])

    def clean_time_zone(self) -> str:
        """The zone by its full name, or by a unique place alone."""
        typed = self.cleaned_data["time_zone"].strip()
        folded = typed.replace(" ", "_").casefold()
        if time_zones.is_zone(typed):
            return time_zones.canonical(typed)
        matches = [n for n in time_zones.names() if folded in (n.casefold(), n.casefold().rpartition("/")[2])]
        if len(matches) != 1:
            sentence = gettext("“%(value)s” is not a time zone. Choose one such as Europe/Paris.")
            raise forms.ValidationError(sentence % {"value": typed})
        return matches[0]

    def clean_weekend_days(self) -> str:
        return "".join(sorted(self.cleaned_data["weekend_days"]))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name in _KEPT:
            cleaned[name] = cleaned.get(name) or getattr(self.instance, name)
        if (cleaned.get("quiet_from") is None) != (cleaned.get("quiet_until") is None):
            self.add_error("quiet_until", _("Enter both times or leave both empty."))
        return cleaned

    def save(self, commit: bool = True) -> User:
        if "time_zone" in self.changed_data:
            self.instance.time_zone_is_guess = False
        user: User = super().save(commit=commit)
        if not free_time.FIELDS.isdisjoint(self.changed_data):
            free_time.announce_change(user)
        if "display_name" in self.changed_data and (was := self.initial["display_name"]):
            transaction.on_commit(lambda: account_renamed.send_robust(sender=User, user=user, was=was), robust=True)
        return user


class AbsenceForm(forms.Form):
    """The first and the last day one is away."""

    first = forms.DateField(label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    last = forms.DateField(label=_("Last day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day is before the first. Choose a later one."))
        for name in ("first", "last"):
            if cleaned.get(name) and not 2000 <= cleaned[name].year <= 2200:
                self.add_error(name, _("Choose a day in the coming year."))
        return cleaned


class ShortenForm(forms.Form):
    """The new last day of an absence."""

    last: Any = forms.DateField(
        label=_("New last day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean_last(self) -> date:
        day: date = self.cleaned_data["last"]
        if not 2000 <= day.year <= 2200:
            raise forms.ValidationError(_("Choose a day within the absence."))
        return day


def _lifetimes() -> list[tuple[int, str]]:
    """Lifetimes of a token in days, with their labels."""
    labels = {365: gettext("after a year"), tokens.NEVER: pgettext("token expires", "never")}
    return [
        (days, labels.get(days) or ngettext("after %(days)s day", "after %(days)s days", days) % {"days": days})
        for days in tokens.lifetimes()
    ]


class TokenForm(forms.Form):
    """A new token for the API."""

    name = forms.CharField(
        label=_("Name"), max_length=60, help_text=_("A name to recognise it by, such as the app that uses it.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=[(scope, _(words)) for scope, words in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.TypedChoiceField(
        label=pgettext_lazy("token", "Expires"), choices=_lifetimes, coerce=int, initial=tokens.usual_days
    )

    def clean_name(self) -> str:
        return clean_display_name(self.cleaned_data["name"], longest=60)


class PushForm(forms.Form):
    """A browser's data when it subscribes."""

    endpoint = forms.CharField(max_length=500)
    p256dh = forms.CharField(max_length=120)
    auth = forms.CharField(max_length=60)


class ColoursForm(forms.ModelForm):  # type: ignore[type-arg]
    """Colours of cards and table alone."""

    class Meta:
        model = User
        fields = NAMES
        labels = _COLOUR_LABELS
        widgets = dict.fromkeys(NAMES, forms.RadioSelect)
