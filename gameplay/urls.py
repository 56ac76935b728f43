"""Addresses of tables and their matches."""

from gameplay.conversation import views as conversation
from gameplay.reviews import views as reviews
from gameplay.score_sheets import views as score_sheets
from gameplay.views import history, home, live, quick_matches, replay, table, tables, waiting

app_name = "gameplay"
urlpatterns = [
    *tables.urls,  # before the table: "new" is no table
    *table.urls,
    *home.urls,
    *quick_matches.urls,
    *waiting.urls,
    *history.urls,
    *replay.urls,
    *reviews.urls,
    *conversation.urls,
    *live.urls,
    *score_sheets.urls,
]
