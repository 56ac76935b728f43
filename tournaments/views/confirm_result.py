"""The page on which a side confirms or disputes a result of another side, from the match or with the table card."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from gameplay.score_sheets import deal_names
from tournaments.models import Pairing, Result
from tournaments.public.names import match_title
from tournaments.public.pending_results import compare, reports
from tournaments.score_sheets.views import Desk
from tournaments.services.matches import results
from web.errors import Refused


def page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the entered results deal by deal; on POST take the answer of the reader's side."""
    if request.method == "POST":
        try:
            return _answer(request, desk)
        except Refused as refusal:
            return _show(request, desk, refusal)
    return _show(request, desk)


def _answer(request: HttpRequest, desk: Desk) -> HttpResponse:
    chosen, agrees = request.POST.get("result", ""), request.POST.get("answer") == "yes"
    by_id = {str(report.result.pk): report for report in reports(desk.match, desk.entry)}
    words = " ".join(request.POST.get("words", "").split())[:300]
    if request.POST.get("answer") not in ("yes", "no"):
        raise Refused("no_answer", gettext("Choose whether the result is right."))
    result = by_id[chosen].result if chosen in by_id else _confirmed(desk, chosen) if agrees else None
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


def _confirmed(desk: Desk, chosen: str) -> Result | None:
    """The result that has been confirmed since then: to agree to it again is harmless."""
    result = desk.match.pairing.result
    return result if result is not None and str(result.pk) == chosen else None


def _show(request: HttpRequest, desk: Desk, refusal: Refused | None = None) -> HttpResponse:
    pending = reports(desk.match, desk.entry)
    context = {
        "desk": desk,
        "event": desk.match.pairing.round.stage.tournament,
        "title": match_title(desk.match.pairing),
        "reports": pending,
        "lines": compare(desk.match, pending),
        "names": desk.match.terms.names,
        "column": deal_names.words(desk.match.terms.boards, "Deal"),
        "refusal": refusal,
        "words": request.POST.get("words", "")[:300],
        "answered": request.POST.get("result", ""),
    }
    return render(request, "tournaments/score/answer.html", context, status=refusal.status if refusal else 200)
