"""Addresses whose answers take much work: searches, exports, statistics, forecasts, and imports.

One list for pages and programs, by the names of the URLconf. Calendars and feeds are not in it: programs fetch them for
many people from a few addresses, mostly to hear that nothing has changed. Nor are pictures of links, each of which is
drawn once, and chats fetch them for many people too. Acts that are tried out for a preview are
counted where that is done (`try_out` of both histories).
"""

from django.http import HttpRequest

_EXPORTS = """
    accounts:export gameplay:record gameplay:ruleset_pdf api:record
    tournaments:event_json tournaments:entries_csv tournaments:results_csv tournaments:schedule_csv
    tournaments:schedule_pdf tournaments:standings_csv tournaments:standings_pdf tournaments:crosstable_pdf
    tournaments:bracket_pdf tournaments:preview tournaments:print_stage tournaments:print_pairings
    tournaments:print_scores tournaments:print_names tournaments:print_cards
    events_api:file_event_json events_api:file_entries_csv events_api:file_results_csv events_api:file_schedule_csv
    events_api:file_schedule_pdf events_api:file_standings_csv events_api:file_standings_pdf
    events_api:file_crosstable_pdf events_api:file_bracket_pdf events_api:file_preview
    clubs:handbook_pdf clubs:tell_slips clubs:take_away clubs:table_csv clubs:fixtures_csv clubs:table_pdf clubs:table_json
    clubs:rules_pdf
    clubs_api:club_take_away clubs_api:division_file_table_csv clubs_api:division_file_table_json
    clubs_api:division_file_table_pdf clubs_api:division_file_fixtures_csv
"""
_STATISTICS = """
    clubs:statistics clubs:statistics_csv clubs:league_statistics clubs:league_statistics_csv clubs:head_to_head
    clubs:series clubs:series_csv clubs_api:series clubs_api:series_file_standings_csv
    clubs:season_statistics clubs:season_statistics_csv clubs:player clubs_api:player
    clubs_api:club_statistics clubs_api:file_statistics_csv clubs_api:league_statistics
    clubs_api:league_file_statistics_csv clubs_api:league_head_to_head clubs_api:season_statistics
    clubs_api:season_file_statistics_csv
    tournaments:organise_fair_play events_api:fair_play clubs:fair_play clubs_api:fair_play
"""
_PREVIEWS = """
    tournaments:new_event_schedule tournaments:organise_schedule
    events_api:new_forecast events_api:event_forecast
    clubs:preview_new_season clubs:preview_season clubs:next_season clubs:close_season
    clubs_api:season_draw_outlook clubs_api:season_close_outlook clubs_api:season_next_outlook
    clubs_api:club_look_at_people
"""
ALWAYS = frozenset(f"{_EXPORTS} {_STATISTICS} {_PREVIEWS}".split())
POSTED = frozenset(
    [
        "gameplay:records",
        "tournaments:organise_boards_print",
        "events_api:boards_deal",
        "clubs:bring_club",
        "clubs:bring_in_people",
        "clubs:bring_in_results",
        "clubs:bring_in_table",
        "clubs:bring_in_fixtures",
        "clubs:bring_in_rules",
        "clubs:rank_anew",
        "clubs_api:bring_club",
        "clubs_api:club_bring_in",
        "clubs_api:season_rank_anew",
    ]
)
"""Files that are read, and then shown as a preview or imported, and dealing sheets."""
SEARCHED = frozenset(
    [
        "tournaments:events",
        "clubs:clubs",
        "clubs:members",
        "tournaments:organise_entries",
        "tournaments:organise_check_in",
    ]
)
"""Lists that search for a text `q`."""


def is_heavy(request: HttpRequest) -> bool:
    """Whether a request, whose address is resolved, asks for such an answer."""
    name = request.resolver_match.view_name if request.resolver_match else ""
    if name in SEARCHED:
        return bool(request.GET.get("q") or request.POST.get("q"))
    return name in ALWAYS or (name in POSTED and request.method == "POST")
