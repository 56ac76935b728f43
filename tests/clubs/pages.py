"""Readers of clubs' pages: they press the buttons that the pages show, with the fields as the pages have them."""

from tests.tournaments.organising import Desk, pressed


class Reader(Desk):
    """Somebody who opens pages and sends their forms."""

    def press(self, path, button, **typed):
        """Press the button of this id on a page, with something typed; the answer."""
        form = pressed(self.get(path), "", button)
        data = form["fields"] | typed
        return self.client.post(form["action"] or path, {name: value for name, value in data.items() if value != []})

    def done(self, path, button, **typed):
        """The same for what is not refused; the page that it leads to."""
        answer = self.press(path, button, **typed)
        assert answer.status_code == 302, answer.content.decode()
        return answer["Location"]
