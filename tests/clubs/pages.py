"""Readers of clubs' pages: they press the buttons that the pages show, with the fields as the pages have them."""

from tests.tournaments.organising import Desk, pressed


class Reader(Desk):
    """A reader who opens pages and sends their forms."""

    def press(self, path, button, **typed):
        """Press the button of this id on a page, with something typed; the answer."""
        form = pressed(self.get(path), "", button)
        data = form["fields"] | typed
        return self.client.post(form["action"] or path, {name: value for name, value in data.items() if value != []})

    def submit(self, path, button, **typed):
        """Press a button that must not be refused; the address it leads to."""
        answer = self.press(path, button, **typed)
        assert answer.status_code == 302, answer.content.decode()
        return answer["Location"]
