import io
import json
import re
import zlib
from decimal import Decimal
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image

from sample_docs import generate
from sample_docs.generator.reading import Sample, TrueTable
from scoring.table import Box, Table

FOLDER = Path(generate.__file__).parent
SLUGS = (
    "invoice-laboratory",
    "invoice-printer",
    "certificate-steel",
    "bank-statement",
    "segment-report",
    "price-list-arabic",
    "quotation-japanese",
    "water-analysis-scan",
)
SCAN = "water-analysis-scan"
DIGITAL = [slug for slug in SLUGS if slug != SCAN]
JSON_RECORDS = ("invoice-laboratory", "invoice-printer", "bank-statement", "quotation-japanese")


@cache
def made() -> dict[str, Sample]:
    return {sample.slug: sample for sample in generate.samples()}


@cache
def document(slug: str) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(FOLDER / slug / made()[slug].document)


def text_in(slug: str, box: Box) -> str:
    page = document(slug)[box.page - 1]
    width, height = page.get_size()
    read = page.get_textpage().get_text_bounded(
        left=box.x0 * width, right=box.x1 * width, top=(1 - box.y0) * height, bottom=(1 - box.y1) * height
    )
    return squeezed(read)


def squeezed(text: str) -> str:
    return "".join(text.split())


def unpacked(pdf: bytes) -> bytes:
    """The file with its streams unpacked and without their lengths: what does not depend on the version of zlib."""

    def plain(stream: re.Match[bytes]) -> bytes:
        try:
            return zlib.decompress(stream[1])
        except zlib.error:
            return stream[1]

    body = pdf[: pdf.rindex(b"xref", 0, pdf.rindex(b"startxref"))]
    body = re.sub(rb"stream\r?\n(.*?)\r?\nendstream", plain, body, flags=re.DOTALL)
    return re.sub(rb"/Length \d+", b"", body)


def first_json(slug: str) -> dict:
    return json.loads((FOLDER / slug / "first_extraction.json").read_text(encoding="utf-8"))


def leaves(value: object) -> list[dict]:
    if isinstance(value, dict):
        if "value" in value:
            return [value]
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list) else []


def test_every_folder_is_a_sample_and_every_sample_has_a_folder() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()} - {"fonts", "generator", "__pycache__"}
    assert folders == set(SLUGS) == set(made())


@pytest.mark.parametrize("slug", SLUGS)
def test_the_generator_writes_what_is_committed(slug: str) -> None:
    files = dict(generate.files(made()[slug]))
    assert {path.name for path in (FOLDER / slug).iterdir()} == set(files)
    pdf = files.pop(made()[slug].document)
    committed = (FOLDER / slug / made()[slug].document).read_bytes()
    if slug == SCAN:  # the bytes of a JPEG depend on the library that wrote it
        assert len(pdf) == pytest.approx(len(committed), rel=0.2)
    else:
        assert unpacked(pdf) == unpacked(committed)
    for name, content in files.items():
        assert content == (FOLDER / slug / name).read_bytes(), name


def test_the_generator_writes_the_same_bytes_each_time() -> None:
    again = {sample.slug: generate.files(sample) for sample in generate.samples()}
    assert again == {slug: generate.files(sample) for slug, sample in made().items()}


def test_the_overview_is_what_is_committed() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == generate.readme.overview(list(made().values()))


def test_half_of_the_samples_are_finished_and_half_wait_for_a_reviewer() -> None:
    with_gold = {path.parent.name for path in FOLDER.glob("*/gold.json")}
    assert with_gold == {slug for slug, sample in made().items() if sample.finished}
    assert len(with_gold) == len(SLUGS) // 2


def test_all_samples_together_stay_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 3_000_000


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if (FOLDER / slug / "gold.json").exists()])
def test_gold_holds_valid_tables_that_name_a_table_type(slug: str) -> None:
    gold = json.loads((FOLDER / slug / "gold.json").read_text(encoding="utf-8"))
    types = json.loads((FOLDER / slug / "table_types.json").read_text(encoding="utf-8"))["table_types"]
    assert gold["proofgrid"] == "gold/1"
    for entry in gold["tables"]:
        table = Table.from_json(entry["table"])
        assert table.header_rows >= 1
        assert all(cell.box is not None for cell in table.cells if cell.text and not cell.header)
        assert entry["table_type"] in [None, *(one["name"] for one in types)]


@pytest.mark.parametrize("slug", SLUGS)
def test_table_types_use_only_the_parts_that_the_project_knows(slug: str) -> None:
    content = json.loads((FOLDER / slug / "table_types.json").read_text(encoding="utf-8"))
    assert content["proofgrid"] == "table-types/1"
    for one in content["table_types"]:
        assert set(one) == {"name", "label", "form", "rtl", "columns", "checks", "acceptance"}
        names = {column["name"] for column in one["columns"]}
        for column in one["columns"]:
            assert column["type"] in {"text", "integer", "number", "currency", "percent", "date", "id"}
            assert set(column) <= {
                "name", "label", "type", "required", "key", "weight", "aliases", "normalise",
                "tolerance", "locale", "date_patterns", "null_words", "keep_leading_zeros",
            }  # fmt: skip
        for check in one["checks"]:
            if check["kind"] == "product":
                assert {*check["factors"], check["product"]} <= names
            elif check["kind"] == "sum":
                assert check["column"] in names
            else:
                assert {*(term for term, _ in check["terms"]), check["equals"]} <= names


@pytest.mark.parametrize("slug", SLUGS)
def test_every_table_has_the_columns_of_its_table_type(slug: str) -> None:
    types = {one["name"]: one for one in made()[slug].table_types}
    for true in made()[slug].truth:
        if true.table_type is None:
            continue
        known = [
            {squeezed(word).casefold() for word in (column["name"], column["label"], *column.get("aliases", ()))}
            for column in types[true.table_type]["columns"]
        ]
        header = [squeezed(true.to_table().text_at(0, col)).casefold() for col in range(true.n_cols)]
        assert len(header) == len(known)
        assert all(text in names for text, names in zip(header, known, strict=True))


@pytest.mark.parametrize("slug", DIGITAL)
def test_every_true_box_contains_its_text_and_no_other(slug: str) -> None:
    for true in made()[slug].truth:
        for cell in true.to_table().cells:
            if cell.box is not None:
                assert text_in(slug, cell.box) == squeezed(cell.text), cell


@pytest.mark.parametrize("slug", DIGITAL)
def test_every_page_has_a_text_layer_in_reading_order(slug: str) -> None:
    pages = [document(slug)[number].get_textpage().get_text_range() for number in range(len(document(slug)))]
    for true in made()[slug].truth:
        for cell in true.to_table().cells:
            if cell.box is not None and " " not in cell.text:
                assert cell.text in pages[cell.box.page - 1]


@pytest.mark.parametrize("slug", JSON_RECORDS)
def test_every_box_of_a_record_contains_its_value_as_printed(slug: str) -> None:
    misread = {(squeezed(slip.printed), squeezed(slip.read)) for slips in made()[slug].slips.values() for slip in slips}
    for leaf in leaves(first_json(slug)):
        if "box" in leaf:
            printed, value = text_in(slug, Box.from_json(leaf["box"])), squeezed(leaf["value"])
            assert printed == value or (printed, value) in misread


def azure(slug: str) -> dict:
    return first_json(slug)["analyzeResult"]


@pytest.mark.parametrize("slug", ["segment-report", SCAN])
def test_the_spans_of_azure_words_and_cells_point_at_their_text(slug: str) -> None:
    result = azure(slug)
    for word in result["pages"][0]["words"]:
        start, length = word["span"]["offset"], word["span"]["length"]
        assert result["content"][start : start + length] == word["content"]
    for cell in result["tables"][0]["cells"]:
        parts = [result["content"][span["offset"] : span["offset"] + span["length"]] for span in cell["spans"]]
        assert " ".join(parts) == cell["content"]


@pytest.mark.parametrize("slug", ["segment-report", SCAN])
def test_azure_cells_fill_their_grid_without_overlap(slug: str) -> None:
    for table in azure(slug)["tables"]:
        covered = [
            (cell["rowIndex"] + down, cell["columnIndex"] + across)
            for cell in table["cells"]
            for down in range(cell.get("rowSpan", 1))
            for across in range(cell.get("columnSpan", 1))
        ]
        assert len(covered) == len(set(covered)) == table["rowCount"] * table["columnCount"]


def test_azure_words_of_the_report_lie_on_the_printed_words() -> None:
    slug = "segment-report"
    misread = {(squeezed(slip.printed), squeezed(slip.read)) for slip in made()[slug].slips["segments"]}
    page = azure(slug)["pages"][0]
    for word in page["words"]:
        xs, ys = word["polygon"][0::2], word["polygon"][1::2]
        box = Box(
            1, min(xs) / page["width"], min(ys) / page["height"], max(xs) / page["width"], max(ys) / page["height"]
        )
        printed = text_in(slug, box)
        assert printed == squeezed(word["content"]) or (printed, squeezed(word["content"])) in misread


def test_the_scan_is_an_image_that_is_stored_sideways_and_shown_upright() -> None:
    page = document(SCAN)[0]
    assert page.get_rotation() == 90
    width, height = page.get_size()
    assert (round(width), round(height)) == (595, 842)
    assert page.get_textpage().get_text_range() == ""
    (image,) = [one for one in page.get_objects() if one.type == 3]
    out = io.BytesIO()
    image.extract(out)
    stored = Image.open(out)
    assert stored.width > stored.height


def test_the_boxes_of_the_scan_lie_on_ink() -> None:
    shown = document(SCAN)[0].render(scale=150 / 72).to_pil().convert("L")
    for cell in made()[SCAN].truth[0].to_table().cells:
        assert cell.box is not None
        box = cell.box
        part = shown.crop(
            (
                int(box.x0 * shown.width),
                int(box.y0 * shown.height),
                int(box.x1 * shown.width),
                int(box.y1 * shown.height),
            )
        )
        assert part.getextrema()[0] < 150, cell.text  # paper and its noise stay above 190


@pytest.mark.parametrize("slug", SLUGS)
def test_the_first_extraction_differs_from_the_truth_where_the_readme_says(slug: str) -> None:
    sample = made()[slug]
    assert any(slip.kind in ("misread", "missed", "merged") for slips in sample.slips.values() for slip in slips)
    readme = (FOLDER / slug / "README.md").read_text(encoding="utf-8")
    first = (
        (FOLDER / slug / sample.first_name).read_bytes().decode("cp1252" if slug == "certificate-steel" else "utf-8")
    )
    for slips in sample.slips.values():
        for slip in slips:
            assert slip.why in readme
            assert slip.read in first


def test_the_open_invoice_needs_three_corrections_one_missed_row_and_one_duplicate() -> None:
    slips = [slip.kind for slip in made()["invoice-laboratory"].slips["line_items"]]
    assert [slips.count(kind) for kind in ("misread", "missed", "doubled")] == [3, 1, 1]
    assert not any(slip.kind != "unsure" for slip in made()["invoice-laboratory"].slips["invoice"])
    first = first_json("invoice-laboratory")
    assert len(first["line_items"]) == 12
    assert any(leaf.get("confidence", 1) < 0.5 and "box" in leaf for leaf in leaves(first["line_items"]))


@pytest.mark.parametrize("slug", JSON_RECORDS)
def test_confidences_mislead_in_both_directions(slug: str) -> None:
    slips = [slip for table in made()[slug].slips.values() for slip in table]
    assert any(slip.kind == "misread" and slip.read and (slip.confidence or 0) > 0.9 for slip in slips)
    assert any(slip.kind == "unsure" for slip in slips)


def number(text: str) -> Decimal:
    return Decimal(re.sub(r"[£¥,]", "", text).replace("▲", "-") or 0)


def column(true: TrueTable, name: str) -> list[Decimal]:
    table = true.to_table()
    col = next(col for col in range(table.n_cols) if table.text_at(0, col) == name)
    return [number(table.text_at(row, col)) for row in range(1, table.n_rows)]


@pytest.mark.parametrize("slug", JSON_RECORDS)
def test_the_printed_amounts_satisfy_the_checks(slug: str) -> None:
    tables = {true.table_type: true for true in made()[slug].truth}
    done = 0
    for one in made()[slug].table_types:
        true = tables[one["name"]]
        for check in one["checks"]:
            done += 1
            tolerance = Decimal(check["tolerance"])
            if check["kind"] == "product":
                first, second = (column(true, name) for name in check["factors"])
                for left, right, product in zip(first, second, column(true, check["product"]), strict=True):
                    assert abs(left * right - product) <= tolerance
            elif check["kind"] == "sum":
                (total,) = column(tables[check["equals"]["table"]], check["equals"]["column"])
                assert abs(sum(column(true, check["column"])) - total) <= tolerance
            else:
                terms = sum(sign * column(true, name)[0] for name, sign in check["terms"])
                assert abs(terms - column(true, check["equals"])[0]) <= tolerance
    assert done


def test_the_html_table_names_its_direction_and_spans() -> None:
    page = (FOLDER / "price-list-arabic" / "first_extraction.html").read_text(encoding="utf-8")
    assert 'dir="rtl"' in page
    assert 'rowspan="3"' in page
    assert 'colspan="2"' in page


def test_the_csv_is_windows_1252_with_semicolons() -> None:
    content = (FOLDER / "certificate-steel" / "first_extraction.csv").read_bytes()
    with pytest.raises(UnicodeDecodeError):
        content.decode("utf-8")
    lines = content.decode("cp1252").split("\r\n")
    assert {line.count(";") for line in lines if line} == {8}
