"""Clubs with something of everything, and the rights behind each of their addresses."""

from datetime import time, timedelta
from typing import NamedTuple

from django.utils import timezone

from accounts.models import User
from clubs.coming import links
from clubs.house_rules import services as house_rules
from clubs.models import (
    Act,
    Blackout,
    Club,
    Invitation,
    JoinRequest,
    KeptAside,
    LeagueClub,
    Meeting,
    MeetingGuest,
    Membership,
    News,
    NewsDelivery,
    Newsletter,
    NewsPlace,
    Question,
    RepeatingMeeting,
    Reply,
    RulesVersion,
    Season,
    SeasonEvent,
    Series,
    SeriesEvent,
    Team,
    TeamMember,
)
from clubs.news_places.addresses import store
from clubs.services.leagues import leagues, proposals
from clubs.services.seasons import cups, season_setup
from engine.play.rules import Rules
from tests.clubs import leagues as made
from tests.makers import make_club, make_event, make_person
from tests.security.site_map import addresses

ANYBODY = "anybody"
"""Nobody is refused."""
ACCOUNT = "account"
"""Anyone with an account; others are sent to sign in."""
OF_CLUB = "of the club"
"""Members of the club, in any role; visitors are sent to sign in."""


class Door(NamedTuple):
    """Rights to read and to send: `ANYBODY`, `ACCOUNT`, `OF_CLUB` or one of `clubs.roles.ACTS`.

    `get` is `None` if there is nothing to read, `posts` are pairs of a right and a form; empty if nothing is sent.
    """

    get: str | None
    posts: tuple[tuple[str, dict[str, str]], ...] = ()


def page(get, **posts):
    """A page, and the rights to send its form: `page(ANYBODY, delete="news")` is a form with `act=delete`."""
    return Door(get, tuple((needed, {"act": act.rstrip("_")}) for act, needed in posts.items()))


def form(needed, get=None, **data):
    """A form that is sent here; shown to people with the right, or by another page (`get=None`)."""
    return Door(get, ((needed, data),))


def both(needed):
    """A page with its one form."""
    return form(needed, needed)


WHEN = {"starts_at": "2030-03-01T19:00"}

DOORS = {
    # Players, as far as they show themselves.
    "player": page(ANYBODY),
    # All clubs, and what a link lets one into.
    "clubs": page(ANYBODY),
    "new_club": both(ACCOUNT),
    "bring_club": both(ACCOUNT),
    "join_by_link": form(ACCOUNT, ANYBODY),
    "invitation": form(ACCOUNT, ANYBODY),
    "claim": form(ACCOUNT, ANYBODY),
    "shared_rules": page(ANYBODY),
    "shared_rules_file": page(ANYBODY),
    "copy_rules": form("rules"),
    # A club, and what it tells.
    "club": page(ANYBODY),
    "events": page(ANYBODY),
    "roles": page(ANYBODY),
    "embeds": page(ANYBODY),
    "embed": page(ANYBODY),
    "calendar": page(ANYBODY),
    "dates": form("news", ANYBODY),
    "date": page("news", edit="news", off="news", on="news", delete="news", ask="news"),
    "repeating": both("news"),
    "repeating_one": page("news", edit="news", skip="news", end="news", reserves="news"),
    # Who comes.
    "coming": form(ANYBODY, ANYBODY),
    "coming_calendar": page(ANYBODY),
    "coming_line_up": form(ANYBODY, ANYBODY),
    "coming_group": form(ANYBODY, ANYBODY),
    "coming_group_calendar": page(ANYBODY),
    "stop_questions": form(ANYBODY, ANYBODY),
    "come": form(ANYBODY, ANYBODY),
    "meeting_guest": form(ANYBODY, ANYBODY),
    "meeting_guests": form("results", "results", guest="@guest"),
    "who_comes": page(
        "results",
        yes="results",
        partner="results",
        no="results",
        pair="results",
        confirm="members",
        remind="news",
        links="news",
    ),
    "team_coming": page("leagues", ask="leagues"),
    "league_coming": page("leagues", ask="leagues"),
    "all_news": page(ANYBODY),
    "write_news": both("news"),
    "news": page(ANYBODY, pin="news", unpin="news", delete="news"),
    "edit_news": both("news"),
    "news_feed": page(ANYBODY),
    "news_places": page("news", add="news"),
    # Who runs it.
    "tonight": Door("results", (("results", {"do": "grid"}), ("results", {"do": "publish"}))),
    "desk": page("members"),
    "tell_club": page("news"),
    "settings": both("settings"),
    "join_link": form("settings"),
    "archive": both("archive"),
    "fair_play": both("fair_play"),
    "history": page("history"),
    "undo": form("history"),
    "data": page("data"),
    "take_away": Door("data", (("data", {}),)),
    "bring_seasons": both("data"),
    "specimen": page("data"),
    "rank_anew": form("data"),
    # Members.
    "join": page(ANYBODY, join=ACCOUNT, ask=ACCOUNT, withdraw=ACCOUNT),
    "own": both(OF_CLUB),
    "leave": both(OF_CLUB),
    "members": page("directory"),
    "handbook": page("directory"),
    "handbook_pdf": page("directory"),
    "tell": page("members", done="members", undone="members"),
    "tell_slips": page("members"),
    "people": page("members"),
    "add_people": form("members"),
    "invite": form("members"),
    "bring_in_people": both("members"),
    "forget_person": both("members"),
    "bring_in_results": both("data"),
    "bring_in_table": both("data"),
    "bring_in_fixtures": both("leagues"),
    "people_import": page("members"),
    "kept_aside": page("members"),
    "person": page("members", edit="members", role="members", remove="members", link="members", letter="members"),
    "letter": form("members"),
    "answer": Door(None, (("members", {"answer": "yes"}), ("members", {"answer": "no"}))),
    "answer_league": Door(None, (("leagues", {"answer": "yes"}), ("leagues", {"answer": "no"}))),
    # House rules.
    "rules": page(ANYBODY),
    "new_house_rules": both("rules"),
    "rules_sheet": form("rules"),
    "bring_in_rules": both("rules"),
    "house_rules": page(ANYBODY),
    "change_house_rules": both("rules"),
    "name_house_rules": form("rules"),
    "archive_house_rules": form("rules"),
    "rules_version": page(ANYBODY),
    "rules_pdf": page(ANYBODY),
    # Series.
    "all_series": form("leagues", ANYBODY),
    "series": page(ANYBODY),
    "series_csv": page(ANYBODY),
    "edit_series": page("leagues", edit="leagues", evenings="leagues", delete="leagues"),
    # Leagues.
    "leagues": page(ANYBODY),
    "new_league": both("leagues"),
    "league": page(ANYBODY),
    "league_calendar": page(ANYBODY),
    "league_feed": page(ANYBODY),
    "player_calendar": page(ANYBODY),
    "fixture": Door(
        ANYBODY,
        (
            ("leagues", {"act": "set"}),
            ("leagues", {"act": "propose", "team": "@team", **WHEN}),
            *(("leagues", {"act": act, "proposal": "@proposal", **WHEN}) for act in ("accept", "decline", "counter")),
        ),
    ),
    "teams": page(ANYBODY),
    "team": page(ANYBODY),
    "team_calendar": page(ANYBODY),
    "edit_league": both("leagues"),
    "add_teams": both("leagues"),
    "roster": both("leagues"),
    "new_season": both("leagues"),
    "preview_new_season": form("leagues"),
    "season": page(ANYBODY),
    "division": page(ANYBODY),
    "fixtures": page(ANYBODY),
    "results": page(ANYBODY),
    "season_crosstable": page(ANYBODY),
    "league_embed": page(ANYBODY),
    "table_csv": page(ANYBODY),
    "fixtures_csv": page(ANYBODY),
    "table_pdf": page(ANYBODY),
    "table_json": page(ANYBODY),
    "season_desk": form("leagues", "results"),
    "results_so_far": Door("results", (("results", {"do": "grid"}), ("results", {"do": "publish"}))),
    "season_setup": both("leagues"),
    "preview_season": form("leagues"),
    "season_places": both("leagues"),
    "draw_season": both("leagues"),
    "days_off": both("leagues"),
    "cups": both("leagues"),
    "close_season": both("leagues"),
    "next_season": both("leagues"),
    # Newsletters and statistics.
    "stop_letters": form(ANYBODY, ANYBODY),
    "newsletters": page("look"),
    "write_newsletter": both("letters"),
    "newsletter_readers": both("letters"),
    "newsletter": page("look", send="letters", delete="letters"),
    "edit_newsletter": both("letters"),
    "statistics": page(ANYBODY),
    "statistics_csv": page(ANYBODY),
    "league_statistics": page(ANYBODY),
    "league_statistics_csv": page(ANYBODY),
    "head_to_head": page(ANYBODY),
    "season_statistics": page(ANYBODY),
    "season_statistics_csv": page(ANYBODY),
}
"""Every page of clubs by the name of its address. Rights of players in a match are tested elsewhere: here people
with a role are in no team, so that only an organiser’s right counts.
"""

API_LOOKS = {
    ANYBODY: (
        "clubs", "player", "shared_rules", "club", "club_roles", "club_news", "club_dates", "club_rules", "club_leagues",
        "news", "rules", "rules_version", "league", "league_teams", "team", "team_fixtures", "season", "season_tables",
        "season_fixtures", "match", "line_ups", "shared_rules_file", "club_events", "club_results", "proposals", "club_statistics",
        "club_series", "series", "series_file_standings_csv",
        "league_statistics", "league_head_to_head", "season_statistics", "file_calendar_ics", "file_news_atom",
        "file_statistics_csv", "league_file_calendar_ics", "league_file_feed_atom", "league_file_statistics_csv",
        "team_calendar", "player_calendar", "season_file_statistics_csv", "division_file_table_csv",
        "division_file_table_json", "division_file_table_pdf", "division_file_fixtures_csv",
    ),
    "look": ("club_coming", "club_own", "club_own_matches", "club_newsletters", "newsletter"),
    "directory": ("club_directory",),
    "history": ("club_history",),
    "fair_play": ("fair_play",),
    "settings": ("club_join_link",),
    "members": ("club_people", "club_waiting", "person_claim_link"),
    "letters": ("club_newsletter_topics", "club_newsletter_readers"),
    "data": ("club_data", "file_specimen"),
    "news": ("club_repeating", "club_news_places", "club_news_deliveries", "club_news_text"),
    "results": ("season_desk", "club_tonight", "coming_answers", "date_guests"),
    "leagues": ("season_draw_outlook", "season_close_outlook", "season_playoff_borders", "team_could_join", "series_could_count"),
}  # fmt: skip
"""Reading by API, by right."""
API_ACTS = {
    ACCOUNT: (
        "clubs", "link_look", "link_join", "link_claim", "link_letter", "link_decline_letter", "bring_club", "club_join",
        "club_ask", "club_withdraw",
    ),
    OF_CLUB: ("club_leave", "club_change_own", "coming_answer"),
    "settings": ("club_settings", "club_renew_link"),
    "archive": ("club_archive", "club_bring_back"),
    "history": ("undo",),
    "fair_play": ("fair_play_remark",),
    "members": (
        "club_add_people", "club_invite", "club_bring_in", "person_edit", "person_role", "person_remove",
        "person_bring_back", "person_forget", "person_renew_claim_link", "person_letter", "request_accept", "request_decline",
        "letter_revoke", "club_look_at_people", "coming_confirm",
    ),
    "letters": (
        "club_write_newsletter", "club_set_newsletter_readers", "newsletter_edit", "newsletter_send", "newsletter_delete",
    ),
    "data": ("club_look_at_seasons", "club_bring_seasons", "club_take_away", "season_rank_anew"),
    "news": (
        "club_write_news", "news_edit", "news_pin", "news_delete", "club_add_date", "date_edit", "date_call_off",
        "date_delete", "date_ask", "club_add_repeating", "repeating_edit", "repeating_skip", "repeating_end",
        "repeating_reserves", "coming_remind", "coming_renew_links", "club_add_news_place", "news_place_change",
        "news_place_address", "news_place_secret", "news_place_test", "news_place_pause", "news_place_remove",
        "news_delivery_again",
    ),
    "results": (
        "club_type_results", "club_publish_tonight", "club_people_here", "coming_answer_for", "coming_pair", "coming_change_partner",
        "date_remove_guest",
    ),
    "rules": (
        "club_make_rules", "club_copy_rules", "rules_save", "rules_rename", "rules_archive", "rules_bring_back",
        "club_look_at_rules", "club_read_rules",
    ),
    "leagues": (
        "club_make_series", "series_choose", "series_change", "series_delete", "answer_league", "club_make_league",
        "league_change", "league_archive", "league_bring_back", "league_ask_club", "league_ask",
        "league_add_team", "league_make_season", "part_with_club", "team_change", "team_leave", "team_come_back",
        "team_add_member", "team_member_drop", "team_member_replace", "team_member_role", "team_ask", "season_change",
        "season_discard", "season_divisions", "season_places", "season_add_days_off", "season_draw", "season_undo_draw",
        "season_move_matchday", "season_make_cup", "season_make_playoff", "season_close", "season_undo_close",
        "season_make_next", "season_undo_next", "season_next_outlook", "season_cup_seeds", "remove_days_off", "undo_cup",
        "match_set", "match_propose",
        "match_field", "proposal_accept", "proposal_decline", "proposal_counter", "proposal_withdraw",
    ),
}  # fmt: skip
"""Actions by API, by right."""

SITE = "the site does it by itself"
KINDS = {
    # The club.
    "make": (ACCOUNT, "new_club bring_club", "clubs bring_club"),
    "settings": ("settings", "settings", "club_settings"),
    "archive": ("archive", "archive", "club_archive"),
    "bring_back": ("archive", "archive", "club_bring_back"),
    "fair_play": ("fair_play", "fair_play", "fair_play_remark"),
    "taken": ("data", "take_away", "club_take_away"),
    "bring_in": ("data", "bring_seasons bring_in_results bring_in_table", "club_bring_seasons"),
    "rank_anew": ("data", "rank_anew", "season_rank_anew"),
    "brought": (SITE, "", ""),
    "undo": ("history", "undo", "undo"),
    # Its people; joining, asking and claiming a name need an account, and the link or email.
    "join": (ACCOUNT, "join join_by_link invitation", "club_join link_join link_letter"),
    "ask": (ACCOUNT, "join", "club_ask club_withdraw"),
    "claim": (ACCOUNT, "claim invitation", "link_claim link_letter"),
    "invite": (
        ("members", ACCOUNT),
        "invite letter person invitation",
        "club_invite letter_revoke person_letter link_decline_letter",
    ),
    "let_in": ("members", "answer", "request_accept"),
    "decline": ("members", "answer", "request_decline"),
    "add": ("members", "add_people bring_in_people", "club_add_people club_bring_in"),
    "rename": ("members", "person", "person_edit"),
    "role": ("members", "person", "person_role"),
    "remove": ("members", "person", "person_remove"),
    "forget": ("members", "forget_person", "person_forget"),
    "tell": ("members", "tell", ""),
    "back": ("members", "person", "person_bring_back"),
    "link": (("settings", "members"), "join_link person", "club_renew_link person_renew_claim_link"),
    "own": (OF_CLUB, "own", "club_change_own"),
    "leave": (OF_CLUB, "leave", "club_leave"),
    # What it tells.
    "news": ("news", "write_news", "club_write_news"),
    "news_edit": ("news", "edit_news", "news_edit"),
    "news_pin": ("news", "news", "news_pin"),
    "news_delete": ("news", "news", "news_delete"),
    "place_added": ("news", "news_places", "club_add_news_place"),
    "place_changed": ("news", "news_places", "news_place_change"),
    "place_paused": ("news", "news_places", "news_place_pause"),
    "place_address": ("news", "news_places", "news_place_address"),
    "place_secret": ("news", "news_places", "news_place_secret"),
    "place_failed": (SITE, "", ""),
    "place_removed": ("news", "news_places", "news_place_remove"),
    "place_again": ("news", "news_places", "news_delivery_again"),
    "meeting": ("news", "dates", "club_add_date"),
    "meeting_edit": ("news", "date", "date_edit"),
    "meeting_off": ("news", "date", "date_call_off"),
    "meeting_delete": ("news", "date", "date_delete"),
    "repeating": ("news", "repeating repeating_one", "club_add_repeating repeating_edit repeating_end"),
    "repeating_skip": ("news", "repeating_one", "repeating_skip"),
    "repeating_reserves": ("news", "repeating_one", "repeating_reserves"),
    "repeating_added": (SITE, "", ""),
    # Who comes; a captain may do it for the team.
    "coming_ask": ("news", "date", "date_ask"),
    "coming_links": ("news", "who_comes", "coming_renew_links"),
    "coming_remind": ("news", "who_comes", "coming_remind"),
    "coming_answer": ("results", "who_comes", "coming_answer_for"),
    "coming_pair": ("results", "who_comes", "coming_pair"),
    "coming_part": ("results", "who_comes", "coming_change_partner"),
    "coming_guest": ("members", "who_comes", "coming_confirm"),
    "guest_removed": ("results", "meeting_guests", "date_remove_guest"),
    "coming_team": ("leagues", "team_coming", "team_ask"),
    "coming_league": ("leagues", "league_coming", "league_ask"),
    "letter": ("letters", "write_newsletter", "club_write_newsletter"),
    "letter_edit": ("letters", "edit_newsletter", "newsletter_edit"),
    "letter_delete": ("letters", "newsletter", "newsletter_delete"),
    "letter_send": ("letters", "newsletter", "newsletter_send"),
    "letter_written": (SITE, "", ""),
    "letter_readers": ("letters", "newsletter_readers", "club_set_newsletter_readers"),
    # House rules.
    "rules_made": ("rules", "new_house_rules bring_in_rules copy_rules", "club_make_rules club_copy_rules"),
    "rules_saved": ("rules", "change_house_rules", "rules_save"),
    "rules_named": ("rules", "name_house_rules", "rules_rename"),
    "rules_archived": ("rules", "archive_house_rules", "rules_archive rules_bring_back"),
    # Series.
    "series_made": ("leagues", "all_series", "club_make_series"),
    "series_changed": ("leagues", "edit_series", "series_change"),
    "series_evenings": ("leagues", "edit_series", "series_choose"),
    "series_deleted": ("leagues", "edit_series", "series_delete"),
    # Leagues and teams; captains may do more, which tests of captains ask.
    "league": ("leagues", "new_league", "club_make_league"),
    "league_change": ("leagues", "edit_league", "league_change"),
    "league_archive": ("leagues", "edit_league", "league_archive league_bring_back"),
    "league_club": ("leagues", "edit_league", "league_ask_club"),
    "league_answer": ("leagues", "answer_league", "answer_league"),
    "league_part": ("leagues", "edit_league", "part_with_club"),
    "team": ("leagues", "add_teams", "league_add_team"),
    "team_change": ("leagues", "roster", "team_change"),
    "team_left": ("leagues", "roster", "team_leave team_come_back"),
    "roster": ("leagues", "roster", "team_add_member team_member_drop team_member_replace team_member_role"),
    # Seasons.
    "season": ("leagues", "new_season", "league_make_season"),
    "season_change": ("leagues", "season_setup", "season_change"),
    "season_gone": ("leagues", "season_setup", "season_discard"),
    "season_divisions": ("leagues", "season_places", "season_divisions"),
    "season_entries": ("leagues", "season_places", "season_places"),
    "blackout": ("leagues", "days_off", "season_add_days_off remove_days_off"),
    "draw": ("leagues", "draw_season", "season_draw season_undo_draw"),
    "fixture_list": ("leagues", "bring_in_fixtures", ""),
    "matchday": ("leagues", "season_desk", "season_move_matchday"),
    "cup": ("leagues", "cups", "season_make_cup season_make_playoff undo_cup"),
    "close": ("leagues", "close_season", "season_close season_undo_close"),
    "open": ("leagues", "close_season", "season_undo_close"),
    "next_season": ("leagues", "next_season", "season_make_next season_undo_next"),
    "rearranged": ("leagues", "fixture", "match_set proposal_accept"),
    "proposal": ("leagues", "fixture", "match_propose proposal_decline proposal_counter proposal_withdraw"),
    "fielded": ("leagues", "", "match_field"),
}
"""Every kind of action of clubs: its right, pages and API views; without a page or view if nobody needs it there."""

NO_ACTS = {
    "preview_new_season": "shows a draft",
    "preview_season": "shows a draft",
    "rules_sheet": "shows the sheet of rules as they are typed",
    "results_so_far": "does the acts of events, as tonight does",
    "tonight": "does the acts of events, in whose histories they are",
    **dict.fromkeys(
        ("club_type_results", "club_publish_tonight", "club_people_here"), "does the acts of events, as tonight does"
    ),
    "specimen": "shows a file",
    "stop_letters": "is one's own wish, which no club decides",
    "stop_questions": "is one's own wish, which no club decides",
    "come": "is a stranger's own answer, which no club decides",
    "meeting_guest": "is a stranger's own answer, which no club decides",
    "coming": "is one's own answer, which no club decides",
    "coming_group": "is one's own answer, which no club decides",
    "coming_answer": "is one's own answer, which no club decides",
    "coming_line_up": "is a captain's, by their own link: tests/clubs/test_line_ups.py",
    "link_look": "shows what a link lets one into",
    "club_look_at_people": "shows what a list would bring in",
    "club_look_at_seasons": "shows what a file would bring in",
    "news_place_test": "a test goes out, and nothing is stored",
    "club_look_at_rules": "shows rules as they are sent",
    "club_read_rules": "shows rules as they are sent",
    "season_next_outlook": "shows a draft",
    "season_cup_seeds": "shows an order",
}
"""Addresses that take something without an action of a club, with the reason."""


def club_addresses(namespace="clubs"):
    """The addresses of clubs' pages, or of their API, by name without the namespace."""
    return {address.name.rpartition(":")[2]: address for address in addresses() if f"{namespace}:" in address.name}


class MadeClub(NamedTuple):
    """A club to look at: its owner, the arguments of its addresses, and rows by what they are."""

    club: Club
    owner: User
    arguments: dict[str | tuple[str, str], object]
    rows: dict[str, object]

    def form(self, data):
        """A form of an address, with @ before names of the club’s own rows, whose ids it sends."""
        return {name: self.rows[value[1:]].pk if str(value).startswith("@") else value for name, value in data.items()}

    def filled(self, address):
        """The arguments of an address of clubs, by name."""
        view = address.name.rpartition(":")[2]
        filled = self.arguments
        return {name: filled[view, name] if (view, name) in filled else filled[name] for name in address.arguments}


def harbour():
    """A club of Olive's with one of everything."""
    return make_full_club(make_person("Olive"), make_person("Asker"))


def make_full_club(owner, asker, *, word="Harbour", text=""):
    """A club with one of everything; what addresses are filled with is in `arguments`, by name or by (view, name).

    `owner` runs it, `asker` asks to join. With a `text` everything is called so.
    """
    club = make_club(f"{word} club", owner=owner)
    now = timezone.now()
    people = _people(club, owner, asker, word, text, now)
    store(people["place"], {"url": "https://hooks.slack.com/services/T0/B0/place"})
    message = NewsDelivery.objects.create(place=people["place"], kind="evening", key="1", meeting=people["meeting"])
    house_rules.make(club.pk, owner, name=f"{word} rules", rules=Rules.preset("family"))
    rules = club.house_rules.get()
    house_rules.save(rules.pk, owner, rules=Rules.preset("standard"), note=text[:200])
    played = _season(club, owner, word, now)
    season, team, match = played["season"], played["team"], played["match"]
    people["evening"] = make_event(owner, name=f"{word} evening", circle=club.circle, status="over")
    series = Series.objects.create(
        club=club, name=f"{word} series", slug=f"{word.lower()}-series", first_day=timezone.localdate()
    )
    SeriesEvent.objects.create(series=series, event=people["evening"], is_counted=False)
    if text:
        call(club, text)
    User.objects.filter(pk=owner.pk).update(record_for=User.Readers.ANYONE)
    people["guest"] = MeetingGuest.objects.create(meeting=people["meeting"], name=f"{word} stranger")
    questions = _questions(club, people)
    captain = TeamMember.objects.filter(team=team, role=TeamMember.Role.CAPTAIN).get().membership_id
    of_match = Question.objects.create(club=club, team=team, pairing=match)
    arguments = {
        "part": "results",
        "club": club.slug,
        **questions,
        ("coming_line_up", "token"): links.own_token(of_match, captain),
        "username": owner.username,
        "rules": rules.slug,
        "version": 1,
        "series": series.slug,
        "league": played["league"].slug,
        "season": season.slug,
        "level": played["division"].level,
        "number": team.number,
        "match": match.pk,
        "membership": TeamMember.objects.filter(team=team).first().membership_id,
        "invitation": people["invitation"].pk,
        "asked": people["waiting"].pk,
        "aside": people["aside"].pk,
        "news": people["news"].pk,
        "meeting": people["meeting"].pk,
        "place": people["place"].pk,
        "delivery": message.pk,
        "newsletter": people["letter"].pk,
        ("meeting_guest", "token"): links.guest_path(people["guest"]).split("/")[-2],
        ("edit_newsletter", "newsletter"): people["draft"].pk,
        ("stop_letters", "token"): people["letters"].letters_token,
        "member": TeamMember.objects.filter(team=team).first().pk,
        "off": Blackout.objects.get(season=season).pk,
        "proposal": played["proposal"].pk,
        ("undo_cup", "number"): played["cup"].pk,
        "act": Act.objects.filter(club=club).first().pk,
        ("rank_anew", "season"): season.pk,
        ("join_by_link", "token"): club.join_token,
        ("invitation", "token"): people["invitation"].token,
        ("claim", "token"): people["letters"].claim_token,
    }
    for view in ("season_setup", "preview_season", "season_places", "draw_season", "season_draw_outlook"):
        arguments[view, "season"] = played["draft"].slug
    for view in ("shared_rules", "shared_rules_file", "copy_rules"):
        arguments[view, "token"] = rules.versions.first().token
    club.refresh_from_db()
    shown = {name: played[name] for name in ("proposal", "season", "league", "team", "division")}
    return MadeClub(club, owner, arguments, {**shown, **people})


def _people(club, owner, asker, word, text, now):
    """Who waits for the club, and what it published or keeps, one of each, by name."""
    return {
        "letters": Membership.objects.create(club=club, name=f"{word} reader", email="reader@example.org"),
        "waiting": JoinRequest.objects.create(club=club, user=asker, words=text[:300]),
        "invitation": Invitation.objects.create(club=club, email=f"{word.lower()}@example.org", by=owner),
        "aside": KeptAside.objects.create(club=club, name=f"{word}.csv", what="members", rows=[[2, [word], word]]),
        "news": News.objects.create(club=club, title=f"{word} news", body="Hello.", by=owner, published_at=now),
        "meeting": Meeting.objects.create(club=club, title=f"{word} night", starts_at=now + timedelta(days=3)),
        "repeating": RepeatingMeeting.objects.create(
            club=club, title=f"{word} evening", weekday=1, starts_at=time(19), first_day=timezone.localdate(), by=owner
        ),
        "place": NewsPlace.objects.create(
            club=club, channel="slack", name=f"{word} chat", ending="0000", language="en"
        ),
        "draft": Newsletter.objects.create(club=club, subject=f"{word} week", body="A week.", by=owner),
        "letter": Newsletter.objects.create(
            club=club, subject=f"{word} month", body="A month.", by=owner, status=Newsletter.Status.SENT, sent_at=now
        ),
    }


def _season(club, owner, word, now):
    """A league with a season under way, a cup and the draft of another season, by name."""
    league = leagues.make(club.pk, owner, name=f"{word} league")
    season = made.make_season(
        club, owner, (4,), name=f"{word} season", league=league, starts_on=timezone.localdate() + timedelta(days=7)
    )
    off = timezone.localdate() + timedelta(days=90)
    season_setup.add_blackout(season.pk, owner, first_day=off, last_day=off)
    made.draw(season, owner, now=now)
    decided = made.match(season, "Pair 1", "Pair 2")
    made.decide(decided, owner, {"Pair 1": 3000, "Pair 2": 2000})
    match = made.match(season, "Pair 3", "Pair 4")
    team = made.team(season, "Pair 3")
    day = (match.round.starts_at or now) + timedelta(days=1)
    proposal = proposals.propose(match.pk, owner, team_id=team.pk, starts_at=day)
    teams = [team.pk for team in Team.objects.filter(league=league)]
    cup = cups.make_cup(season.pk, owner, name=f"{word} cup", team_ids=teams)
    draft = season_setup.make(
        league.pk, owner, name=f"{word} draft", starts_on=timezone.localdate() + timedelta(days=99)
    )
    return {
        "league": league,
        "season": season,
        "division": season.divisions.get(),
        "team": team,
        "match": match,
        "proposal": proposal,
        "cup": cup,
        "draft": draft,
    }


def _questions(club, people):
    """Arguments of the addresses of a question, about a meeting of its own."""
    meeting = Meeting.objects.create(club=club, title=club.name, starts_at=timezone.now() + timedelta(days=5))
    question = Question.objects.create(club=club, meeting=meeting)
    Reply.objects.create(question=question, membership=people["letters"])
    Reply.objects.create(question=question, name="Stranger", answer="yes", answered_at=timezone.now())
    token = links.own_token(question, people["letters"].pk)
    return {
        "question": question.pk,
        "repeating": people["repeating"].pk,
        ("coming", "token"): token,
        ("coming_calendar", "token"): token,
        ("coming_group", "token"): question.token,
        ("coming_group_calendar", "token"): question.token,
        ("stop_questions", "token"): people["letters"].letters_token,
    }


def ask(made_club, by):
    """Create a second club of another owner, and invite each into the other’s league."""
    other = make_club("Ferry club", owner=by)
    league = leagues.make(other.pk, by, name="Ferry league")
    invited = LeagueClub.objects.create(league=league, club=made_club.club)
    guest = LeagueClub.objects.create(league=made_club.rows["league"], club=other)
    made_club.arguments["answer_league", "asked"] = invited.pk
    made_club.arguments["guest"] = guest.pk


def path_of(address, made_club, **overrides):
    """The address of a page of the club, some arguments being others."""
    return address.path({**made_club.filled(address), **overrides})


def call(club, text):
    """Call everything of a club as told."""
    of_club = {"club": club}
    JoinRequest.objects.filter(**of_club).update(words=text[:300])
    RulesVersion.objects.filter(house_rules__club=club).update(note=text[:200])
    type(club).objects.filter(pk=club.pk).update(name=text[:80], line=text[:160], about=text[:4000], venue=text[:200])
    Membership.objects.filter(**of_club).update(name=text[:60], contact=text[:120], is_listed=True)
    News.objects.filter(**of_club).update(title=text[:120], body=text, name=text[:60])
    MeetingGuest.objects.filter(meeting__club=club).update(name=text[:60], note=text[:140])
    Meeting.objects.filter(**of_club).update(title=text[:120], words=text[:300], venue=text[:200])
    Newsletter.objects.filter(**of_club).update(subject=text[:120], body=text)
    club.house_rules.update(name=text[:60], about=text[:300])
    club.series.update(name=text[:80])
    club.leagues.update(name=text[:80], about=text[:2000])
    Team.objects.filter(league__club=club).update(name=text[:80], venue=text[:200])
    for season in Season.objects.filter(league__club=club):
        Season.objects.filter(pk=season.pk).update(name=text[:60])
        season.divisions.update(name=text[:60])
    Blackout.objects.filter(season__league__club=club).update(reason=text[:100])
    SeasonEvent.objects.filter(season__league__club=club).update(name=text[:60])
    Act.objects.filter(**of_club).update(sentence=text[:300], name=text[:60], reason=text[:200])
