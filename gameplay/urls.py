"""Addresses of tables and of what is played at them."""

from gameplay.views import history, home, live, sheets, table, tables, talk, waiting

app_name = "gameplay"
urlpatterns = [
    *home.urls,
    *tables.urls,
    *waiting.urls,
    *table.urls,
    *history.urls,
    *talk.urls,
    *live.urls,
    *sheets.urls,
]
