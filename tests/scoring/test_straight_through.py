from __future__ import annotations

from scoring.confidence.scored_cells import Omissions, ScoredCell
from scoring.confidence.straight_through import straight_through


def document(name: str, *cells: tuple[float | None, bool]) -> list[ScoredCell]:
    return [ScoredCell(value, right, name, "price") for value, right in cells]


CELLS = [
    *document("right", (0.95, True), (0.9, True)),
    *document("escaped", (0.99, False), (0.9, True)),
    *document("held", (0.99, True), (0.8, True)),
    *document("without a score", (0.99, True), (None, True)),
]


def test_a_document_passes_when_all_its_cells_do() -> None:
    found = straight_through(CELLS, tau=0.9)
    assert (found.documents, found.documents_accepted, found.documents_accepted_right) == (4, 2, 1)
    assert (found.stp, found.stp_correct, found.escape_rate) == (0.5, 0.25, 0.5)


def test_the_share_of_cells_counts_those_without_a_score() -> None:
    found = straight_through(CELLS, tau=0.9)
    assert (found.cells, found.cells_accepted, found.cells_accepted_wrong) == (8, 6, 1)
    assert (found.cell_share, found.cell_error) == (0.75, 1 / 6)


def test_a_document_with_an_omitted_cell_passes_and_is_not_right() -> None:
    found = straight_through(
        CELLS, tau=0.9, omitted=[Omissions("right", "price", 1, 3), Omissions("held", "price", 0, 2)]
    )
    assert (found.stp, found.stp_correct, found.escape_rate) == (0.5, 0.0, 1.0)


def test_a_document_of_which_nothing_was_predicted_never_passes() -> None:
    found = straight_through(CELLS[:2], tau=0.9, omitted=[Omissions("nothing", "price", 4, 4)])
    assert (found.documents, found.documents_accepted, found.stp) == (2, 1, 0.5)


def test_what_is_undefined_says_why() -> None:
    none_accepted = straight_through(CELLS, tau=1.0)
    assert none_accepted.cell_error is none_accepted.escape_rate is None
    assert none_accepted.undefined == {"cell_error": "no cell is accepted", "escape_rate": "no document is accepted"}
    nothing = straight_through([], tau=0.9)
    assert nothing.stp is nothing.cell_share is None
    assert nothing.undefined["stp"] == "there is no document"
    assert nothing.undefined["cell_share"] == "no cell was predicted"
