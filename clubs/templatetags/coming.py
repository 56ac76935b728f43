"""Template tags for the pages of who comes."""

from django.template import Library

from clubs.coming.desk import name_of
from clubs.models import Reply

register = Library()


@register.filter
def person(reply: Reply) -> str:
    """The name of the person of a reply."""
    return name_of(reply)
