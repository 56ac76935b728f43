"""Organisers in tests of their pages: browsers that press the buttons of pages, with the fields as they are."""

import re
from html.parser import HTMLParser

from django.test import Client


class Forms(HTMLParser):
    """The forms of a page: by address, their fields as a browser would send them, and the buttons there are."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.forms, self._form, self._select, self._text = [], None, None, None
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self._form = {"action": attrs.get("action", ""), "fields": {}, "buttons": [], "method": attrs.get("method")}
            self.forms.append(self._form)
        elif self._form is None:
            return
        elif tag == "input" and "name" in attrs:
            kind = attrs.get("type", "text")
            if kind in ("checkbox", "radio"):
                if "checked" in attrs:
                    self._form["fields"].setdefault(attrs["name"], []).append(attrs.get("value", "on"))
            else:
                self._form["fields"].setdefault(attrs["name"], []).append(attrs.get("value", ""))
        elif tag == "select":
            self._select = attrs.get("name")
            self._form["fields"][self._select] = []
        elif tag == "option" and self._select:
            chosen = self._form["fields"][self._select]
            if "selected" in attrs or not chosen:
                self._form["fields"][self._select] = [attrs.get("value", "")]
        elif tag == "textarea":
            self._text = attrs.get("name")
            self._form["fields"][self._text] = [""]
        elif tag == "button" and attrs.get("type", "submit") == "submit":
            self._form["buttons"].append(attrs)

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._text = None

    def handle_data(self, data):
        if self._text and self._form:
            # A browser leaves out the line break that a textarea may begin with.
            self._form["fields"][self._text] = [data.removeprefix("\n")]


class Desk:
    """An organiser’s browser, which presses the buttons of pages."""

    def __init__(self, user=None):
        self.client = Client(enforce_csrf_checks=True)
        if user is not None:
            self.client.force_login(user)

    def get(self, path, status=200, **how):
        answer = self.client.get(path, **how)
        assert answer.status_code == status, (path, answer.status_code)
        return answer.content.decode()

    def form(self, path, action, button=None):
        """The form of a page whose address ends so, with the fields that pressing a button by its id or text sends."""
        markup = self.get(path)
        return pressed(markup, action, button)

    def send(self, path, action, button=None, **typed):
        """Fill in a form of a page and press its button; the answer."""
        form = self.form(path, action, button)
        return self.post(form, **typed)

    def post(self, form, **typed):
        data = form["fields"] | typed
        return self.client.post(form["action"] or form["page"], data)


def pressed(markup, action, button=None):
    forms = [form for form in Forms(markup).forms if form["action"].endswith(action) and form["method"] == "post"]
    assert forms, (action, [form["action"] for form in Forms(markup).forms])
    for form in forms:
        for chosen in form["buttons"]:
            if button in (None, chosen.get("id"), chosen.get("value")):
                name = {chosen["name"]: [chosen.get("value", "")]} if "name" in chosen else {}
                fields = dict(form["fields"]) | name
                return {"action": chosen.get("formaction", form["action"]), "fields": fields, "page": ""}
    raise AssertionError((action, button, [form["buttons"] for form in forms]))


def refusal(answer):
    refusals = re.findall(r'<p class="error" id="refused"[^>]*>(.*?)</p>', answer.content.decode())
    return refusals[0] if refusals else ""
