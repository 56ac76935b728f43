"""Members, results, tables and fixtures from any spreadsheet or text. Nothing here knows a request, a page or a club’s
rows.

`reading.read` goes from the bytes of a file to a workbook (`workbook.py`, `files.py`, `texts.py`), to its table
(`layout.py`), to people or matches with the questions about them (`members.py`, `matches.py`, `places.py`).
"""
