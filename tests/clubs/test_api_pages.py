"""A program can see and do the same as every page of clubs; what has no API view is listed with its reason."""

from pathlib import Path

from tests.security.clubs import club_addresses

DOORS = {
    "clubs": "clubs",
    "new_club": "clubs",
    "bring_club": "bring_club",
    "join_by_link": "link_look link_join",
    "invitation": "link_look link_letter link_decline_letter",
    "claim": "link_look link_claim",
    "shared_rules": "shared_rules",
    "shared_rules_file": "shared_rules_file",
    "copy_rules": "club_copy_rules",
    "club": "club club_news club_dates club_events club_results club_leagues",
    "events": "club_events",
    "roles": "club_roles",
    "player": "player",
    "calendar": "file_calendar_ics",
    "dates": "club_dates club_add_date",
    "date": "date_edit date_call_off date_delete date_ask",
    "repeating": "club_repeating club_add_repeating",
    "repeating_one": "repeating_edit repeating_skip repeating_end repeating_reserves",
    "coming": "club_coming coming_answer",
    "who_comes": "coming_answers coming_answer_for coming_pair coming_change_partner coming_confirm coming_remind coming_renew_links",
    "meeting_guests": "date_guests date_remove_guest",
    "team_coming": "team_ask",
    "league_coming": "league_ask",
    "coming_line_up": "match_field",
    "all_news": "club_news",
    "write_news": "club_write_news",
    "news": "news news_pin news_delete",
    "edit_news": "news_edit",
    "news_feed": "file_news_atom",
    "news_places": "club_news_places club_news_deliveries club_news_text club_add_news_place news_place_change "
    "news_place_address news_place_secret news_place_test news_place_pause news_place_remove news_delivery_again",
    "desk": "club_waiting club_history club_join_link",
    "tell_club": "club_news club_newsletters",
    "settings": "club club_settings club_join_link",
    "join_link": "club_renew_link",
    "archive": "club_archive club_bring_back",
    "fair_play": "fair_play fair_play_remark",
    "history": "club_history",
    "undo": "undo",
    "data": "club_data",
    "take_away": "club_take_away",
    "bring_seasons": "club_look_at_seasons club_bring_seasons",
    "specimen": "file_specimen",
    "rank_anew": "season_rank_anew",
    "join": "club club_join club_ask club_withdraw",
    "own": "club_own club_change_own",
    "leave": "club_leave",
    "members": "club_directory",
    "handbook": "club_directory",
    "people": "club_people club_waiting",
    "add_people": "club_add_people",
    "invite": "club_invite",
    "bring_in_people": "club_look_at_people club_bring_in",
    "person": "person_edit person_role person_remove person_bring_back person_claim_link person_renew_claim_link "
    "person_letter",
    "forget_person": "person_forget",
    "letter": "letter_revoke",
    "answer": "request_accept request_decline",
    "answer_league": "answer_league",
    "rules": "club_rules",
    "new_house_rules": "club_make_rules",
    "rules_sheet": "club_look_at_rules",
    "bring_in_rules": "club_read_rules club_make_rules",
    "house_rules": "rules rules_version",
    "change_house_rules": "rules_save",
    "name_house_rules": "rules_rename",
    "archive_house_rules": "rules_archive rules_bring_back",
    "rules_version": "rules_version",
    "tonight": "club_tonight club_type_results club_publish_tonight club_people_here",
    "all_series": "club_series club_make_series",
    "series": "series",
    "series_csv": "series_file_standings_csv",
    "edit_series": "series_could_count series_choose series_change series_delete",
    "leagues": "club_leagues club_own_matches",
    "new_league": "club_make_league",
    "league": "league league_teams",
    "league_calendar": "league_file_calendar_ics",
    "league_feed": "league_file_feed_atom",
    "player_calendar": "player_calendar",
    "fixture": "match line_ups match_set match_propose match_field proposals proposal_accept proposal_decline "
    "proposal_counter proposal_withdraw",
    "teams": "league_teams",
    "team": "team team_fixtures",
    "team_calendar": "team_calendar",
    "edit_league": "league_change league_archive league_bring_back league_ask_club part_with_club",
    "add_teams": "club_add_people league_add_team",
    "roster": "team_change team_leave team_come_back team_add_member team_could_join team_member_drop "
    "team_member_replace team_member_role season_add_days_off remove_days_off",
    "new_season": "league_make_season season_places",
    "season": "season season_tables season_fixtures",
    "division": "season_tables season_fixtures",
    "fixtures": "season_fixtures",
    "results": "season_fixtures",
    "table_csv": "division_file_table_csv",
    "fixtures_csv": "division_file_fixtures_csv",
    "table_pdf": "division_file_table_pdf",
    "table_json": "division_file_table_json",
    "season_desk": "season_desk season_move_matchday",
    "season_setup": "season_change season_divisions season_discard",
    "season_places": "season_places",
    "draw_season": "season_draw_outlook season_draw season_undo_draw",
    "days_off": "season season_add_days_off remove_days_off",
    "cups": "season_make_cup season_make_playoff season_playoff_borders season_cup_seeds undo_cup",
    "close_season": "season_close_outlook season_close season_undo_close",
    "next_season": "season_next_outlook season_make_next season_undo_next",
    "newsletters": "club_newsletters",
    "write_newsletter": "club_newsletter_topics club_write_newsletter",
    "newsletter_readers": "club_newsletter_readers club_set_newsletter_readers",
    "newsletter": "newsletter newsletter_send newsletter_delete",
    "edit_newsletter": "newsletter_edit",
    "statistics": "club_statistics",
    "statistics_csv": "file_statistics_csv",
    "league_statistics": "league_statistics",
    "league_statistics_csv": "league_file_statistics_csv",
    "head_to_head": "league_head_to_head",
    "season_statistics": "season_statistics",
    "season_statistics_csv": "season_file_statistics_csv",
}
"""The API views that together do the same as a page, by its name."""

WITHOUT = {
    "stop_letters": "newsletter/<token>/stop/",
    "coming_group": "coming/group/<token>/",
    "come": "dates/<number>/come/",
    "meeting_guest": "coming/guest/<token>/",
    "coming_calendar": "coming/<token>/meeting.ics",
    "coming_group_calendar": "coming/group/<token>/meeting.ics",
    "stop_questions": "coming/stop/<token>/",
    "season_crosstable": "crosstable/",
    "league_embed": "embed/",
    "embed": "embed/<part>/",
    "embeds": "website/",
    "preview_new_season": "new/preview/",
    "preview_season": "setup/preview/",
    "people_import": "people/import/",
    "kept_aside": "kept-aside/<number>/",
    "bring_in_results": "import/results/",
    "bring_in_table": "import/table/",
    "bring_in_fixtures": "import/fixtures/",
    "results_so_far": "so-far/",
    "rules_pdf": "sheet.pdf",
    "tell": "tell/",
    "tell_slips": "tell/slips/",
    "handbook_pdf": "members/handbook.pdf",
}
"""Pages without a door of their own, and how docs/api.md names them."""


def test_every_page_has_its_doors_or_a_reason():
    pages = set(club_addresses())
    keys = {*DOORS, *WITHOUT}
    assert not pages - keys, f"Give these a door, or say in docs/api.md why they have none: {sorted(pages - keys)}"
    assert not keys - pages, f"These are no pages any more: {sorted(keys - pages)}"
    assert not set(DOORS) & set(WITHOUT)


def test_the_doors_are_there_and_each_is_of_some_page():
    doors = set(club_addresses("clubs_api"))
    covered = {door for names in DOORS.values() for door in names.split()}
    assert covered == doors


def test_the_documentation_says_why_a_page_has_none():
    text = Path("docs/api.md").read_text()
    section = text[text.index("Pages without a door") :].split("\n## ")[0]
    for view, words in WITHOUT.items():
        assert f"`…/{words}`" in section, view
    assert section.count("`…/") == len(WITHOUT)


def test_the_documentation_names_every_door():
    text = Path("docs/api.md").read_text()
    text = text[text.index("\n## Clubs") :].split("\n## A bot")[0]
    for view, address in club_addresses("clubs_api").items():
        path = address.path(dict.fromkeys(address.arguments, 1))
        last = path.rstrip("/").rsplit("/", 1)[1]
        word = f"{last}/" if path.endswith("/") else last
        assert last == "1" or word in text, (view, word)
