"""Cells of CSV files: text that a spreadsheet would calculate is guarded on the way out, and plain again on the way in."""

FORMULA = "=+-@\t\r\n＝＋－＠"
"""A cell that starts with one of these is calculated by a spreadsheet; OWASP, “CSV Injection”."""


def guard(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(tuple(FORMULA)) else text


def unguard(cell: str) -> str:
    """The text that `guard` was given."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(tuple(FORMULA)) else cell
