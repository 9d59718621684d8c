"""The documents of the self-test: eleven one-page orders drawn here, with the four fields that each of them prints."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.schema import TableType

# Raised with every change of a document or a field.
CORPUS_VERSION = "1"

ORDER = TableType.from_json(
    {
        "name": "order",
        "label": "Order",
        "form": True,
        "columns": [
            {"name": "number", "label": "Order number", "type": "id", "required": True, "key": True},
            {"name": "date", "label": "Date", "type": "date", "required": True},
            {"name": "customer", "label": "Customer", "required": True},
            {"name": "total", "label": "Total", "type": "currency", "currency": "EUR", "required": True},
        ],
    }
)
_PRINTED = (
    ("PO-24017", "2024-01-09", "Harbour Tools Ltd", "1,204.50 EUR"),
    ("PO-24018", "2024-01-09", "M\u00fcller & S\u00f6hne", "88.00 EUR"),
    ("PO-24019", "2024-01-11", "Atelier Fran\u00e7ois", "19,870.25 EUR"),
    ("PO-24020", "2024-02-29", "North (Holding) Inc.", "0.99 EUR"),
    ("0000417", "2024-03-01", "Jos\u00e9 Peres", "310.00 EUR"),
    ("0000418", "2024-03-04", "Bolt", "-45.10 EUR"),
    ("24/1077-B", "2024-03-15", "Ironworks of the Lower Valley", "1,000,000.00 EUR"),
    ("24/1078-B", "2024-04-02", "K\u00f8benhavn Str\u00f8m A/S", "7.35 EUR"),
    ("A 1", "2024-05-30", "O'Neill", "640.00 EUR"),
    ("A 2", "2024-06-17", "3 Brothers", "2,499.99 EUR"),
    ("Z-9", "2024-12-31", "Last of the Year", "12.00 EUR"),
)


@dataclass(frozen=True)
class Fixture:
    """One document of the self-test: its name, its bytes, and the four values that it prints in order."""

    name: str
    raw: bytes
    fields: tuple[str, ...]


def fixtures() -> tuple[Fixture, ...]:
    """All eleven, always with the same bytes."""
    labels = [column.label for column in ORDER.columns]
    return tuple(
        Fixture(
            f"order-{number:02}.pdf",
            pdf(["PURCHASE ORDER", *(f"{label}: {value}" for label, value in zip(labels, fields, strict=True))]),
            fields,
        )
        for number, fields in enumerate(_PRINTED, start=1)
    )


def pdf(lines: list[str], *, size: tuple[int, int] = (595, 842)) -> bytes:
    """A page of lines of text in Helvetica, as small as a PDF can be (ISO 32000-1, 7.5); its size in points."""
    shown = [line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") for line in lines]
    text = (
        b"BT /F1 12 Tf 24 TL 60 %d Td " % (size[1] - 72)
        + b" ".join(f"({line}) Tj T*".encode("cp1252") for line in shown)
        + b" ET"
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>" % size,
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return body + (
        b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (count, table, count, len(body))
    )
