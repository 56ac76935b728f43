"""Workbooks to read, made without a library: cells as text, numbers, days and formulas, as spreadsheets store them."""

import io
import zipfile
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from xml.sax.saxutils import escape, quoteattr

_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>'
)


@dataclass(frozen=True)
class Formula:
    """A formula, with the value that was last computed; `None` without one."""

    text: str
    value: Any = None


@dataclass(frozen=True)
class Tab:
    """A sheet of a workbook: its rows, from the first."""

    name: str
    rows: list[list[Any]]
    hidden: bool = False
    merged: list[str] = field(default_factory=list)
    """Such as `A1:F1`."""


def xlsx(*tabs: Tab, parts: dict[str, bytes] | None = None) -> bytes:
    """A workbook as Excel saves it, with further parts."""
    sheets = "".join(
        f'<sheet name={quoteattr(tab.name)} sheetId="{at}"{" state=" + quoteattr("hidden") if tab.hidden else ""} '
        f'r:id="rId{at}"/>'
        for at, tab in enumerate(tabs, 1)
    )
    relations = "".join(
        f'<Relationship Id="rId{at}" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet{at}.xml"/>'
        for at in range(1, len(tabs) + 1)
    )
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        for at in range(1, len(tabs) + 1)
    )
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>{overrides}</Types>'
        ),
        "_rels/.rels": (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'{relations}<Relationship Id="rId9999" Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>'
        ),
        "xl/styles.xml": _STYLES,
        **{f"xl/worksheets/sheet{at}.xml": _sheet(tab) for at, tab in enumerate(tabs, 1)},
        **(parts or {}),
    }
    return zipped(files)


def zipped(files: dict[str, Any]) -> bytes:
    """An archive with these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def _sheet(tab: Tab) -> str:
    rows = "".join(
        f'<row r="{number}">{"".join(_cell(value, f"{letters(at)}{number}") for at, value in enumerate(row))}</row>'
        for number, row in enumerate(tab.rows, 1)
    )
    merged = "".join(f'<mergeCell ref="{ref}"/>' for ref in tab.merged)
    merged = f'<mergeCells count="{len(tab.merged)}">{merged}</mergeCells>' if merged else ""
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData>{merged}</worksheet>'


def letters(column: int) -> str:
    """The name of a column, by its number from 0."""
    return (letters(column // 26 - 1) if column >= 26 else "") + chr(65 + column % 26)


def _cell(value: Any, ref: str) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, Formula):
        if value.value is None:
            return f'<c r="{ref}"><f>{escape(value.text)}</f><v></v></c>'
        kind = ' t="str"' if isinstance(value.value, str) else ""
        return f'<c r="{ref}"{kind}><f>{escape(value.text)}</f><v>{escape(str(value.value))}</v></c>'
    if isinstance(value, date):
        return f'<c r="{ref}" s="1"><v>{(value - date(1899, 12, 30)).days}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{ref}"><v>{value!r}</v></c>'
    return f'<c r="{ref}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'


def ods(*tabs: Tab, parts: dict[str, bytes] | None = None) -> bytes:
    """A workbook as LibreOffice saves it."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    tables = "".join(
        f"<table:table table:name={quoteattr(tab.name)}>"
        + "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in tab.rows)
        + "</table:table>"
        for tab in tabs
    )
    body = f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    content = f'<?xml version="1.0"?><office:document-content {spaces}>{body}</office:document-content>'
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>'
    )
    files = {"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": manifest, **(parts or {})}
    return zipped(files)


def _ods_cell(value: Any) -> str:
    if value is None or value == "":
        return "<table:table-cell/>"
    if isinstance(value, date):
        return (
            f'<table:table-cell office:value-type="date" office:date-value="{value}"><text:p>{value}</text:p>'
            "</table:table-cell>"
        )
    if isinstance(value, int | float):
        return (
            f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value}</text:p>'
            "</table:table-cell>"
        )
    lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in str(value).split("\n"))
    return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
