"""Organisers in tests of their pages: browsers that press what the pages show, with the fields as they have them."""

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
        own = dict(attrs)
        if tag == "form":
            self._form = {"action": own.get("action", ""), "fields": {}, "buttons": [], "method": own.get("method")}
            self.forms.append(self._form)
        elif self._form is None:
            return
        elif tag == "input" and "name" in own:
            kind = own.get("type", "text")
            if kind in ("checkbox", "radio"):
                if "checked" in own:
                    self._form["fields"].setdefault(own["name"], []).append(own.get("value", "on"))
            else:
                self._form["fields"].setdefault(own["name"], []).append(own.get("value", ""))
        elif tag == "select":
            self._select = own.get("name")
            self._form["fields"][self._select] = []
        elif tag == "option" and self._select:
            chosen = self._form["fields"][self._select]
            if "selected" in own or not chosen:
                self._form["fields"][self._select] = [own.get("value", "")]
        elif tag == "textarea":
            self._text = own.get("name")
            self._form["fields"][self._text] = [""]
        elif tag == "button" and own.get("type", "submit") == "submit":
            self._form["buttons"].append(own)

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
    """A browser of one organiser, who presses what the pages show."""

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
    forms = [one for one in Forms(markup).forms if one["action"].endswith(action) and one["method"] == "post"]
    assert forms, (action, [one["action"] for one in Forms(markup).forms])
    for form in forms:
        found = [
            one for one in form["buttons"] if button is None or one.get("id") == button or one.get("value") == button
        ]
        if found:
            chosen = found[0]
            fields = dict(form["fields"])
            if "name" in chosen:
                fields[chosen["name"]] = [chosen.get("value", "")]
            return {"action": chosen.get("formaction", form["action"]), "fields": fields, "page": ""}
    raise AssertionError((action, button, [one["buttons"] for one in forms]))


def said(answer):
    """What a page says was refused."""
    found = re.findall(r'<p class="error" id="refused"[^>]*>(.*?)</p>', answer.content.decode())
    return found[0] if found else ""
