"""The page on which a side confirms or disputes what another has entered, from the match or with the table's card."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from tournaments.models import Pairing, Result
from tournaments.public.names import match_title
from tournaments.public.pending_results import compared, reports
from tournaments.score_sheets.views import Desk
from tournaments.services.matches import results
from web.errors import Refused


def page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """What was entered, deal by deal; posted, the answer of the reader's side."""
    if request.method == "POST":
        try:
            return _answer(request, desk)
        except Refused as refusal:
            return _show(request, desk, refusal)
    return _show(request, desk)


def _answer(request: HttpRequest, desk: Desk) -> HttpResponse:
    wanted, agrees = request.POST.get("result", ""), request.POST.get("answer") == "yes"
    known = {str(one.result.pk): one for one in reports(desk.match, desk.entry)}
    words = " ".join(request.POST.get("words", "").split())[:300]
    if request.POST.get("answer") not in ("yes", "no"):
        raise Refused("no_answer", gettext("Choose whether the result is right."))
    result = known[wanted].result if wanted in known else _confirmed(desk, wanted) if agrees else None
    if result is None:
        raise Refused("replaced", gettext("This result has just been replaced. Check it again."))
    if not agrees and not words:
        raise Refused(
            "no_words", gettext("Describe the problem in a few words. The other side and the organisers will read it.")
        )
    results.answer(result.pk, by=desk.user, agrees=agrees, words=words, by_entry=desk.entry.pk, origin=desk.origin)
    pairing = Pairing.objects.get(pk=desk.match.pairing.pk)
    if not agrees:
        messages.success(request, gettext("The result is disputed. An organiser will decide."))
    else:
        messages.success(
            request,
            gettext("The result is final.")
            if pairing.result_id
            else gettext("Thank you. Waiting for the others to answer."),
        )
    return redirect(desk.back)


def _confirmed(desk: Desk, wanted: str) -> Result | None:
    """The result that was confirmed meanwhile: to agree to it once more is harmless."""
    own = desk.match.pairing.result
    return own if own is not None and str(own.pk) == wanted else None


def _show(request: HttpRequest, desk: Desk, refusal: Refused | None = None) -> HttpResponse:
    found = reports(desk.match, desk.entry)
    context = {
        "desk": desk,
        "event": desk.match.pairing.round.stage.tournament,
        "title": match_title(desk.match.pairing),
        "reports": found,
        "lines": compared(desk.match, found),
        "names": desk.match.terms.names,
        "refusal": refusal,
        "words": request.POST.get("words", "")[:300],
        "answered": request.POST.get("result", ""),
    }
    return render(request, "tournaments/score/answer.html", context, status=refusal.status if refusal else 200)
