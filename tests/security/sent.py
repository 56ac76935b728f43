"""Requests from forms of pages: every control by name, and one request for every button, like a browser."""

from html.parser import HTMLParser
from typing import NamedTuple

SECRET = "csrfmiddlewaretoken"
UNSENT = ("button", "reset", "image")


class Sent(NamedTuple):
    """A request of a button on a page: its address, button and data.

    `offered` are the choices of each control, its own value first; `kinds` its kind, as in `type="date"`.
    """

    action: str
    button: tuple[str, str] | None
    data: dict[str, list[str]]
    offered: dict[str, list[str]]
    kinds: dict[str, str]

    @property
    def act(self):
        """The button's own word, or an `act` that the form carries: what tells one form of a page from another."""
        return self.button[1] if self.button else next(iter(self.data.get("act", [])), "")

    @property
    def names(self):
        """The names of its controls, its button's among them; the secret of the page aside."""
        return {*self.offered, *self.data} - {SECRET}


class _Forms(HTMLParser):
    """The forms of a page; a control may name the form that it belongs to."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.forms, self._open, self._select, self._text, self.htmx = {}, None, None, None, []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.htmx += [(name, value) for name, value in attrs.items() if name in ("hx-vals", "data-hx-vals", "hx-vars")]
        if tag == "form":
            self._open = attrs.get("id") or f"form {len(self.forms)}"
            self._form(self._open).update(action=attrs.get("action") or "", method=attrs.get("method", "get").lower())
            return
        where = attrs.get("form") or self._open
        name = attrs.get("name")
        if tag == "option" and self._select:
            form, chosen = self._select
            form["offered"].setdefault(chosen, []).append(attrs.get("value", ""))
            if "selected" in attrs:
                form["data"][chosen] = [attrs.get("value", "")]
        if where is None or tag not in ("input", "select", "textarea", "button"):
            return
        form, kind = self._form(where), attrs.get("type", "submit" if tag == "button" else "text")
        if name and tag != "button":
            form["kinds"][name] = kind if tag == "input" else tag
        if tag == "button" or kind == "submit":
            if kind not in UNSENT:
                form["buttons"].append((attrs.get("formaction"), (name, attrs.get("value", "")) if name else None))
        elif name and tag == "select":
            form["offered"].setdefault(name, [])
            form["data"].setdefault(name, [])
            self._select = form, name
        elif name and tag == "textarea":
            form["offered"].setdefault(name, [])
            form["data"][name] = [""]
            self._text = form, name
        elif name:
            form["shown"] |= kind != "hidden"
            value = attrs.get("value", "on" if kind in ("checkbox", "radio") else "")
            form["offered"].setdefault(name, []).append(value)
            if kind not in ("checkbox", "radio", "file") or (kind != "file" and "checked" in attrs):
                form["data"].setdefault(name, []).append(value)

    def _form(self, name):
        fresh = {"action": "", "method": "get", "data": {}, "offered": {}, "kinds": {}, "buttons": [], "shown": False}
        return self.forms.setdefault(name, fresh)

    def handle_endtag(self, tag):
        if tag == "form":
            self._open = None
        elif tag == "select" and self._select:
            form, name = self._select
            if not form["data"].get(name) and form["offered"][name]:
                form["data"][name] = form["offered"][name][:1]
            self._select = None
        elif tag == "textarea":
            self._text = None

    def handle_data(self, data):
        if self._text:
            form, name = self._text
            form["data"][name] = [form["data"][name][0] + data.removeprefix("\n")]


def forms_of(markup, page, method="post"):
    """Every request that the forms of a page make by this method, one for each of their buttons."""
    read = _Forms(markup)
    assert not read.htmx, f"{page} sends {read.htmx} beside its form: let it be a hidden field, which is read here"
    for form in read.forms.values():
        if form["method"] != method or not (form["buttons"] or form["shown"]):
            continue  # nothing in it could be pressed
        for formaction, button in form["buttons"] or [(None, None)]:
            data = {name: values for name, values in form["data"].items() if name != SECRET}
            if button:
                data[button[0]] = [button[1]]
            yield Sent(formaction or form["action"] or page, button, data, form["offered"], form["kinds"])
