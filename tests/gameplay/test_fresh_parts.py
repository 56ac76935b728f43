"""What a browser shows already is not sent again."""

from django.urls import reverse

from tests.gameplay.test_table_page import sign_in


def parts_of(client, table, shown=""):
    answer = client.get(reverse("gameplay:parts", args=[table.slug]), headers={"X-Shown": shown})
    return answer["X-Parts"], answer.content.decode()


def test_heavy_parts_that_the_page_shows_are_left_out(seated, client, driver):
    table = driver.until(seated(), lambda table: table.move_count >= 40)
    sign_in(client, table.seats.exclude(number=table.seat_to_act).first().user)
    prints, everything = parts_of(client, table)
    assert [name.split("=")[0] for name in prints.split()] == ["board", "needs"]
    again, rest = parts_of(client, table, prints)
    assert again == prints
    assert len(rest) < len(everything)
    assert [f'id="{name}"' in rest for name in ("bar", "seats", "board", "needs", "hand")] == [
        True,
        True,
        False,
        False,
        True,
    ]


def test_a_part_that_changed_is_sent_whatever_else_is_shown(seated, client, driver):
    table = driver.until(seated(), lambda table: table.move_count >= 40)
    sign_in(client, table.seats.exclude(number=table.seat_to_act).first().user)
    prints, _ = parts_of(client, table)
    _, rest = parts_of(client, table, prints.replace("board=", "board=f"))
    assert 'id="board"' in rest
    assert 'id="needs"' not in rest
