"""Newsletters: drafted from results, edited by two, previewed, sent once to their readers, and stopped."""

import io
import re
import smtplib
from datetime import timedelta
from functools import partial

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from clubs import tasks
from clubs.models import Act, Club, Copy, Membership, Newsletter, Team
from clubs.services import club_archive, erasure, history
from clubs.services.publications import newsletter_sending, newsletters
from clubs.services.seasons import season_close
from clubs.statistics import matchday_words
from tests.at_once import at_once
from tests.clubs import leagues as makers
from tests.makers import make_club
from tests.tournaments.organising import pressed, refusal
from tournaments.models import Pairing
from tournaments.services.matches import results
from web.errors import NotAllowed, Refused, Stale

PAGE = "/clubs/harbour/newsletter/"


@pytest.fixture
def wanting(club, in_club):
    """Ida and Jan, members who want the newsletter."""
    return [in_club(club, name, wants_letters=True) for name in ("Ida", "Jan")]


@pytest.fixture
def draft(club, owner):
    """A newsletter that is ready to be sent."""
    newsletter = history.added_row(newsletters.draft(club.pk, owner), Newsletter)
    newsletters.edit(newsletter.pk, owner, subject="Week 12", body="Dear all,\n\nsee <b>you</b> soon.", version=0)
    return Newsletter.objects.get(pk=newsletter.pk)


def send(newsletter, by, **how):
    return newsletter_sending.send(newsletter.pk, by, version=Newsletter.objects.get(pk=newsletter.pk).version, **how)


# Drafted from results


@pytest.fixture
def season(season, in_september):
    return season


def play_day(season, owner, number, scores):
    """Decide the matches of a matchday: card points by the names of the teams."""
    for pairing in Pairing.objects.filter(round__number=number, round__stage__tournament__division__season=season):
        names = [place.entry.name for place in pairing.places.select_related("entry")]
        makers.decide(pairing, owner, {name: scores[name] for name in names})


@pytest.mark.django_db
def test_a_matchday_is_told_by_what_happened(season, owner):
    play_day(season, owner, 1, {"Pair 1": 4000, "Pair 2": 2100, "Pair 3": 2000, "Pair 4": 1000})
    summary = matchday_words.describe_matchday(season, 1, site="https://example.org", now=makers.NOW)
    first = {
        frozenset(place.entry.name for place in pairing.places.select_related("entry"))
        for pairing in Pairing.objects.filter(round__number=1)
    }
    assert frozenset({"Pair 1", "Pair 4"}) in first
    assert "Monday League, Autumn 2026: matchday 1" in summary.body
    assert re.search(r"Pair 1 – Pair 4 4,000 – 1,000|Pair 4 – Pair 1 1,000 – 4,000", summary.body)
    assert "The clearest win was that of Pair 1 over Pair 4, by 3,000." in summary.body
    assert "Pair 2 beat Pair 3 by only 100, the closest match of the day." in summary.body
    assert "Next, matchday 2:" in summary.body
    # Dates by the club's clock: the matchday ends at 21:59 UTC, which is Sunday in Amsterdam.
    assert re.search(r"Pair \d – Pair \d: by Sun 20 Sep", summary.body)
    assert "https://example.org/clubs/harbour/leagues/monday-league/autumn-2026/" in summary.body
    assert summary.subject.startswith("Matchday 1: ")


@pytest.mark.django_db
def test_teams_that_are_called_the_same_are_told_of(season, owner):
    play_day(season, owner, 1, {"Pair 1": 4000, "Pair 2": 2100, "Pair 3": 2000, "Pair 4": 1000})
    Team.objects.filter(league=season.league).update(name="A former player / A former player")
    summary = matchday_words.describe_matchday(season, 1, site="", now=makers.NOW)
    assert "A former player / A former player share the lead" in summary.body or "went ahead with" in summary.body


@pytest.mark.django_db
def test_what_changed_in_the_table_is_told(season, owner):
    play_day(season, owner, 1, {"Pair 1": 4000, "Pair 2": 2100, "Pair 3": 2000, "Pair 4": 1000})
    play_day(season, owner, 2, {"Pair 1": 1000, "Pair 2": 3000, "Pair 3": 2000, "Pair 4": 2500})
    summary = matchday_words.describe_matchday(season, 2, site="", now=makers.NOW)
    second = [
        {place.entry.name for place in pairing.places.select_related("entry")}
        for pairing in Pairing.objects.filter(round__number=2)
    ]
    assert {"Pair 1", "Pair 3"} in second or {"Pair 1", "Pair 2"} in second
    assert summary.subject == "Matchday 2: Pair 2 took the lead"
    assert "Pair 2 took the lead from Pair 1 with 4 points" in summary.body


@pytest.mark.django_db
def test_draws_walkovers_and_what_is_still_open_are_told(season, owner):
    match = makers.match(season, "Pair 1", "Pair 4")
    results.walkover(match.pk, [makers.entry(season, "Pair 4").pk], by=owner)
    summary = matchday_words.describe_matchday(season, 1, site="", now=makers.NOW)
    assert "Pair 1 won by walkover" in summary.body
    assert "clearest" not in summary.body
    assert re.search(r"Still without a result:\nPair \d – Pair \d: play by Sun 13 Sep", summary.body)
    later = matchday_words.describe_matchday(season, 1, site="", now=makers.NOW + timedelta(days=60))
    assert "overdue since Sun 13 Sep" in later.body
    other = makers.match(season, "Pair 2", "Pair 3")
    makers.decide(other, owner, {"Pair 2": 900, "Pair 3": 900})
    names = re.compile(r"Pair (2 and Pair 3|3 and Pair 2) drew\.")
    assert names.search(matchday_words.describe_matchday(season, 1, site="", now=makers.NOW).body)


@pytest.mark.django_db
def test_runs_and_the_end_of_the_season_are_told(season, owner):
    makers.play_out(season, owner)
    summary = matchday_words.describe_matchday(season, 3, site="", now=makers.NOW)
    assert "Pair 1 won for the third time in a row." in summary.body
    assert "That was the last matchday: Pair 1 finished first with 6 points." in summary.body
    assert "Next" not in summary.body
    assert summary.subject == "Matchday 3: Pair 1 stayed ahead"


@pytest.mark.django_db
def test_the_newsletter_of_a_closed_season_begins_with_its_champion(season, club, staff, owner, browser_of):
    makers.play_out(season, owner)
    season_close.close(season.pk, owner)
    browser = browser_of(staff["organiser"])
    assert f'value="{season.pk}-0" checked' in " ".join(browser.get(f"{PAGE}write/").split())
    newsletter = history.added_row(newsletters.draft(club.pk, owner, about=[(season.pk, 0)]), Newsletter)
    assert newsletter.subject == "Monday League, Autumn 2026: Pair 1 won"
    assert "Champion of Division 1: Pair 1" in newsletter.body
    assert "Final places:\n1. Pair 1\n2. Pair 2\n3. Pair 3\n4. Pair 4" in newsletter.body
    chosen = f'value="{season.pk}-{newsletters.CLOSE}" checked'
    assert chosen not in browser.get(f"{PAGE}write/"), "it was told, and is only offered"
    season_close.undo_close(season.pk, owner)
    with pytest.raises(Refused, match="cannot cover this matchday"):
        newsletters.draft(club.pk, owner, about=[(season.pk, 0)])


def test_scores_keep_their_order_after_a_name_that_is_written_from_the_right(season, owner):
    Team.objects.filter(name="Pair 4").update(name="مريم")
    Team.objects.filter(name="Pair 1").update(name="يوسف")
    makers.play_out(season, owner)
    lines = [
        line
        for line in matchday_words.describe_matchday(season, 1, site="", now=makers.NOW).body.splitlines()
        if "مريم –" in line or "– مريم" in line
    ]
    assert re.search("\u200e [23],000 – [23],000$", lines[0])


@pytest.mark.django_db
def test_nobody_of_the_club_is_named_but_by_team(season, owner):
    makers.play_out(season, owner)
    body = matchday_words.describe_matchday(season, 3, site="", now=makers.NOW).body
    assert "Ann" not in body
    assert "Ben" not in body


@pytest.mark.django_db
def test_an_organiser_starts_edits_and_sees_the_newsletter(season, staff, browser_of, wanting):
    play_day(season, staff["owner"], 1, {"Pair 1": 4000, "Pair 2": 2100, "Pair 3": 2000, "Pair 4": 1000})
    page = browser_of(staff["organiser"])
    to = page.submit(f"{PAGE}write/", "begin")
    newsletter = Newsletter.objects.get()
    assert to == f"{PAGE}{newsletter.pk}/edit/"
    assert (newsletter.season, newsletter.matchday, newsletter.by) == (season, 1, staff["organiser"])
    assert "The clearest win" in newsletter.body
    assert page.submit(to, "save", subject="This week", body="Short <i>and</i> sweet") == f"{PAGE}{newsletter.pk}/"
    markup = page.get(f"{PAGE}{newsletter.pk}/")
    assert "Short &lt;i&gt;and&lt;/i&gt; sweet" in markup
    assert "<small>2 members</small>" in markup
    page.submit(f"{PAGE}{newsletter.pk}/", "delete")
    assert not Newsletter.objects.exists()


@pytest.mark.django_db
def test_only_matchdays_of_the_club_with_results_are_told(season, club, owner, staff, refuses):
    with refuses("no_matchday"):
        newsletters.draft(club.pk, owner, about=[(season.pk, 1)])
    makers.play_out(season, owner)
    newsletters.draft(club.pk, owner, about=[(season.pk, 3)])
    other = make_club("Other", owner=owner)
    with refuses("no_matchday"):
        newsletters.draft(other.pk, owner, about=[(season.pk, 3)])


@pytest.mark.django_db
@pytest.mark.parametrize("value", ["x", "1", "1-x", "²-1", "-1-2", "1-99999999999"])
def test_a_choice_that_is_none_is_refused(club, owner, value):
    client = Client()
    client.force_login(owner)
    answer = client.post(f"{PAGE}write/", {"about": value, "key": "k"})
    assert answer.status_code == 422
    assert "A newsletter cannot cover this matchday" in refusal(answer)
    assert not Newsletter.objects.exists()


@pytest.mark.django_db
def test_a_form_sent_twice_starts_one_newsletter(club, owner):
    client = Client()
    client.force_login(owner)
    first, second = (client.post(f"{PAGE}write/", {"key": "same"}) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert Newsletter.objects.count() == 1


# Edited by two


@pytest.mark.django_db
def test_two_who_edit_do_not_overwrite_each_other(draft, staff, browser_of):
    owner, organiser = browser_of(staff["owner"]), browser_of(staff["organiser"])
    path = f"{PAGE}{draft.pk}/edit/"
    form = owner.form(path, "", "save")
    organiser.submit(path, "save", body="Her text")
    data = {name: value for name, value in form["fields"].items() if value != []}
    answer = owner.client.post(path, data | {"body": "My text"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Someone has saved another text" in refusal(answer)
    assert "My text</textarea>" in page
    assert "Her text" in page
    assert Newsletter.objects.get().body == "Her text"
    # Having seen both, one of them stands.
    retry = pressed(page, "", "save")
    data = {name: value for name, value in retry["fields"].items() if value != []}
    assert owner.client.post(path, data).status_code == 302
    assert Newsletter.objects.get().body == "My text"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("subject", "body", "field"),
    [
        ("", "x", "subject"),
        ("x" * 121, "x", "subject"),
        ("a\x07b", "x", "subject"),
        ("x", " ", "body"),
        ("x", "y" * 20001, "body"),
        ("x", "a\x00b", "body"),
    ],
)
def test_what_cannot_be_sent_is_refused_beside_its_field(draft, owner, subject, body, field):
    with pytest.raises(Refused) as refused:
        newsletters.edit(draft.pk, owner, subject=subject, body=body, version=draft.version)
    assert refused.value.details["field"] == field


@pytest.mark.django_db
def test_a_refused_form_keeps_what_was_typed(draft, owner, browser_of):
    answer = browser_of(owner).press(f"{PAGE}{draft.pk}/edit/", "save", subject="", body="Long text")
    assert (answer.status_code, refusal(answer)) == (422, "Enter a heading.")
    assert "Long text</textarea>" in answer.content.decode()


@pytest.mark.django_db
def test_no_newsletter_is_sent_if_another_has_just_changed_it(draft, owner, wanting):
    newsletters.edit(draft.pk, owner, subject="Other", body="Other", version=draft.version)
    with pytest.raises(Stale, match="Read it again"):
        newsletter_sending.send(draft.pk, owner, version=draft.version)
    assert not Copy.objects.exists()


# Sent


@pytest.mark.django_db
def test_it_goes_once_to_members_who_want_it_and_can_be_reached(club, draft, owner, in_club, wanting, person):
    in_club(club, "Kai")  # wants none
    in_club(club, "Lea", wants_letters=True, left_at=timezone.now())
    mia = in_club(club, "Mia", wants_letters=True)
    EmailAddress.objects.create(user=mia, email=mia.email, verified=False)
    Membership.objects.create(club=club, name="Nora", email="nora@example.org", wants_letters=True)
    Membership.objects.create(club=club, name="Otto", email="otto@example.org")
    Membership.objects.create(club=club, name="Pia", wants_letters=True)
    gone = in_club(club, "Rob", wants_letters=True)
    type(gone).objects.filter(pk=gone.pk).update(is_active=False)
    send(draft, owner, request_key="k")
    send(draft, owner, request_key="k")
    newsletter_sending.send_copies(draft.pk)
    newsletter_sending.send_due()
    assert sorted(sent.to[0] for sent in mail.outbox) == ["ida@example.org", "jan@example.org", "nora@example.org"]
    draft.refresh_from_db()
    assert draft.status == "sent"
    assert draft.sent_at is not None
    assert Copy.objects.filter(sent_at__isnull=False, due_at=None).count() == 3
    # Nobody reads the addresses of others.
    assert all(message.recipients() == message.to and len(message.to) == 1 for message in mail.outbox)


@pytest.mark.django_db
def test_what_was_sent_is_neither_changed_nor_sent_again(draft, owner, wanting, refuses):
    send(draft, owner)
    for act in (
        lambda: send(draft, owner),
        lambda: newsletters.edit(draft.pk, owner, subject="x", body="y", version=1),
        lambda: newsletters.delete_draft(draft.pk, owner),
    ):
        with refuses("sent"):
            act()


@pytest.mark.django_db
def test_nobody_to_send_to_is_said(draft, owner, refuses):
    with refuses("nobody"):
        send(draft, owner)
    assert Newsletter.objects.get().status == "draft"


@pytest.mark.django_db
def test_a_club_does_not_flood_its_members(club, owner, wanting, refuses):
    for number in range(newsletter_sending.LETTERS_A_DAY + 1):
        newsletter = history.added_row(newsletters.draft(club.pk, owner), Newsletter)
        newsletters.edit(newsletter.pk, owner, subject=f"{number}", body="x", version=0)
        if number < newsletter_sending.LETTERS_A_DAY:
            send(newsletter, owner)
    with refuses("too_many_letters"):
        send(newsletter, owner)


@pytest.mark.django_db
def test_the_newsletter_is_text_and_html_with_a_way_to_stop_it(club, draft, owner, wanting, settings):
    send(draft, owner)
    newsletter_sending.send_due()
    message = next(message for message in mail.outbox if message.to == ["ida@example.org"])
    token = Membership.objects.get(user=wanting[0]).letters_token
    stop = f"{settings.SITE_URL}/clubs/newsletter/{token}/stop/"
    assert message.subject == "Week 12"
    assert "see <b>you</b> soon." in message.body
    assert stop in message.body
    assert message.extra_headers["List-Unsubscribe"] == f"<{stop}>"
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    [(html, kind)] = message.alternatives
    assert kind == "text/html"
    assert "see &lt;b&gt;you&lt;/b&gt; soon." in html
    assert f'href="{stop}"' in html
    assert "script" not in html
    assert "style" not in html


@pytest.mark.django_db
def test_no_heading_makes_a_second_header(draft, owner, wanting):
    Newsletter.objects.update(subject="Hello\r\nBcc: all@example.org")
    Club.objects.update(name="Harbour\r\nBcc: all@example.org")
    send(draft, owner)
    newsletter_sending.send_due()
    for message in mail.outbox:
        assert message.subject == "Hello Bcc: all@example.org"
        assert len(message.recipients()) == 1
        assert b"\nBcc:" not in message.message().as_bytes().partition(b"\n\n")[0]


@pytest.mark.django_db
def test_who_leaves_or_stops_it_before_their_copy_goes_gets_none(draft, owner, wanting):
    send(draft, owner)
    Membership.objects.filter(user=wanting[0]).update(left_at=timezone.now())
    newsletters.unsubscribe(Membership.objects.get(user=wanting[1]).letters_token)
    newsletter_sending.send_due()
    assert mail.outbox == []
    assert not Copy.objects.filter(due_at__isnull=False).exists()
    assert Newsletter.objects.get().status == "sent"


# Broken off


@pytest.mark.django_db
def test_a_copy_that_broke_off_is_sent_again_and_the_others_were_sent(draft, owner, wanting, monkeypatch):
    send(draft, owner)
    real = mail.EmailMessage.send

    def fail(message, *args, **kwargs):
        if message.to == ["ida@example.org"]:
            raise OSError("no mail server")
        return real(message, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(mail.EmailMessage, "send", fail)
        newsletter_sending.send_copies(draft.pk)
    assert [message.to for message in mail.outbox] == [["jan@example.org"]]
    assert Newsletter.objects.get().status == "sending"
    newsletter_sending.send_due()
    assert len(mail.outbox) == 1
    Copy.objects.filter(due_at__isnull=False).update(due_at=timezone.now() - timedelta(seconds=1))
    tasks.sweep_newsletters()
    assert [message.to for message in mail.outbox] == [["jan@example.org"], ["ida@example.org"]]
    assert Newsletter.objects.get().status == "sent"


@pytest.mark.django_db
def test_an_address_that_does_not_exist_is_not_tried_for_ever(draft, owner, wanting, monkeypatch):
    send(draft, owner)

    def fail(message, *args, **kwargs):
        raise smtplib.SMTPRecipientsRefused({message.to[0]: (550, b"no such user")})

    monkeypatch.setattr(mail.EmailMessage, "send", fail)
    newsletter_sending.send_due()
    assert Newsletter.objects.get().status == "sent"
    assert not Copy.objects.filter(sent_at__isnull=False).exists()


@pytest.mark.django_db(transaction=True)
def test_each_copy_goes_out_once_if_two_send_it(club, in_club):
    owner = in_club(club, "Ann", "owner", wants_letters=True)
    newsletter = history.added_row(newsletters.draft(club.pk, owner), Newsletter)
    newsletters.edit(newsletter.pk, owner, subject="x", body="y", version=0)
    Newsletter.objects.filter(pk=newsletter.pk).update(status="sending")
    Copy.objects.create(newsletter=newsletter, membership=Membership.objects.get(), due_at=timezone.now())
    results = at_once(
        partial(newsletter_sending.send_copies, newsletter.pk),
        partial(newsletter_sending.send_copies, newsletter.pk),
        newsletter_sending.send_due,
    )
    assert not [result for result in results if isinstance(result, Exception)]
    assert len(mail.outbox) == 1


@pytest.mark.django_db(transaction=True)
def test_two_who_send_at_once_send_one_newsletter(club, in_club):
    ann, ben = in_club(club, "Ann", "owner", wants_letters=True), in_club(club, "Ben", "organiser")
    newsletter = history.added_row(newsletters.draft(club.pk, ann), Newsletter)
    newsletters.edit(newsletter.pk, ann, subject="x", body="y", version=0)
    results = at_once(*(partial(newsletter_sending.send, newsletter.pk, by, version=1) for by in (ann, ben)))
    assert [result.code for result in results if isinstance(result, Exception)] == ["sent"]
    assert Copy.objects.count() == 1


# Stopped


@pytest.mark.django_db
def test_a_mail_program_stops_it_in_one_click_without_signing_in(club, wanting):
    reader = Membership.objects.get(user=wanting[0])
    program = Client(enforce_csrf_checks=True)
    path = f"/clubs/newsletter/{reader.letters_token}/stop/"
    assert program.get(path).status_code == 200
    reader.refresh_from_db()
    assert reader.wants_letters
    for _ in range(2):
        assert program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    reader.refresh_from_db()
    assert not reader.wants_letters
    assert Membership.objects.get(user=wanting[1]).wants_letters
    assert program.get("/clubs/newsletter/nobody/stop/").status_code == 404


# Rights


@pytest.mark.django_db
def test_members_read_what_was_sent_and_organisers_what_is_written(club, draft, staff, wanting, client, person):
    path = f"{PAGE}{draft.pk}/"
    for role, status in (("owner", 200), ("organiser", 200), ("scorer", 404), ("member", 404), ("guest", 404)):
        client.force_login(staff[role])
        assert client.get(path).status_code == status, role
        assert client.get(f"{path}edit/").status_code == (200 if status == 200 else 403)
        assert client.get(f"{PAGE}readers/").status_code == (200 if status == 200 else 403)
        assert ("Week 12" in client.get(PAGE).content.decode()) is (status == 200)
    with pytest.raises(NotAllowed):
        send(draft, staff["scorer"])
    send(draft, staff["owner"])
    for role in staff:
        client.force_login(staff[role])
        assert "see &lt;b&gt;you" in client.get(path).content.decode()
        assert "Week 12" in client.get(PAGE).content.decode()
    client.force_login(person("Stranger"))
    for page in (PAGE, path, f"{PAGE}write/"):
        assert client.get(page).status_code == 403


@pytest.mark.django_db
def test_another_clubs_newsletter_is_not_found(draft, owner, client):
    make_club("Other", owner=owner)
    client.force_login(owner)
    for end in ("", "edit/"):
        assert client.get(f"/clubs/other/newsletter/{draft.pk}/{end}").status_code == 404
        assert client.post(f"/clubs/other/newsletter/{draft.pk}/{end}", {"act": "delete"}).status_code == 404


# Readers without an account


@pytest.mark.django_db
def test_an_organiser_notes_who_without_an_account_asked_for_it(club, staff, browser_of, in_club, refuses):
    nora = Membership.objects.create(club=club, name="Nora", email="nora@example.org")
    Membership.objects.create(club=club, name="Otto", email="otto@example.org", wants_letters=True)
    page = browser_of(staff["organiser"])
    page.submit(f"{PAGE}readers/", "save", reader=str(nora.pk))
    wanting = Membership.objects.filter(wants_letters=True)
    assert [member.name for member in wanting] == ["Nora"]
    ida = in_club(club, "Ida")
    with refuses("not_without"):
        newsletters.set_readers(club.pk, staff["owner"], reader_ids=[Membership.objects.get(user=ida).pk])


@pytest.mark.django_db
def test_deleted_accounts_are_in_no_newsletter_and_get_none(club, draft, owner, in_club):
    ida = in_club(club, "Ida", wants_letters=True)
    newsletters.edit(draft.pk, owner, subject="Ida wins", body="Well done, Ida.", version=draft.version)
    erasure.forget(ida.pk)
    newsletter = Newsletter.objects.get()
    assert "Ida" not in newsletter.subject + newsletter.body
    assert not newsletter_sending.readers(club).exists()
    logged = "".join(f"{act.sentence}{act.changes}" for act in Act.objects.all())
    assert "Ida" not in logged


@pytest.mark.django_db
def test_newsletters_are_in_the_file_of_the_club_and_are_not_sent_from_it(club, draft, owner, wanting):
    gone = history.added_row(newsletters.draft(club.pk, owner), Newsletter)
    newsletters.delete_draft(gone.pk, owner)
    send(draft, owner)
    file = io.BytesIO()
    club_archive.export_club(club.pk, owner, file)
    file.seek(0)
    brought = club_archive.import_club(owner, file, slug="brought")
    [letter] = Newsletter.objects.filter(club=brought)
    assert (letter.subject, letter.body, letter.status) == (draft.subject, draft.body, "sent")
    assert not Copy.objects.filter(newsletter=letter, due_at__isnull=False).exists()
