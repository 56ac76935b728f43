"""Reserves are asked in their order, each with a time to answer, as long as somebody is missing."""

from datetime import datetime

from clubs.coming import letters, occasions
from clubs.coming.occasions import Occasion
from clubs.models import Reply, ReplyLetter

Answer = Reply.Answer


def missing(occasion: Occasion, replies: list[Reply], *, is_eve: bool) -> int:
    """How many reserves are needed: one for each person who cannot come, more if fewer than the least number could
    come, and from the day before on one for an odd number.
    """
    regulars = [reply for reply in replies if not reply.is_reserve]
    count = sum(reply.answer == Answer.NO for reply in regulars)
    if occasion.repeating and occasion.repeating.least:
        possible = sum(reply.answer != Answer.NO for reply in regulars)
        count = max(count, occasion.repeating.least - possible)
    here = sum(reply.comes for reply in replies if reply.is_reserve)
    count = max(0, count - here)
    coming = sum(reply.comes for reply in replies)
    return 1 if is_eve and not count and coming % 2 else count


def ask_next(occasion: Occasion, now: datetime) -> list[Reply]:
    """Ask as many further reserves as are missing; returns their replies. The question is locked by the caller."""
    question = occasion.question
    reserves = occasions.reserves(question)
    if not reserves or question.asked_at is None or occasion.is_closed(now):
        return []
    replies = list(Reply.objects.filter(question=question))
    is_waiting = [each for each in replies if each.is_reserve and not each.answer and each.answer_by]
    is_eve = question.reminded_at is not None
    count = missing(occasion, replies, is_eve=is_eve) - sum((each.answer_by or now) > now for each in is_waiting)
    known = {reply.membership_id for reply in replies}
    following = [member for member in reserves if member.pk not in known][: max(0, count)]
    until = now + occasion.reserve_time
    new = [
        Reply(question=question, membership=member, is_reserve=True, answer_by=min(until, occasion.closes_at or until))
        for member in following
    ]
    for reply in new:
        reply.save()
    letters.write(new, ReplyLetter.Kind.RESERVE, now)
    return new
