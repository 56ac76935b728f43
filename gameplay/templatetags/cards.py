"""Cards in templates: their faces, their suits, and how they are spoken."""

from django.template import Library

from gameplay.page import markup

register = Library()
register.filter("face", markup.face)
register.filter("fan", markup.fan)
register.filter("suit", markup.suit_class)
register.filter("spoken", lambda card: markup.SPOKEN[card])
