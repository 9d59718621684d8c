from __future__ import annotations

from store.documents import LONGEST_FILE_NAME, file_name


def test_two_long_names_that_begin_alike_stay_apart_and_fit_a_file_system() -> None:
    one, other = file_name("x" * 5000 + "a"), file_name("x" * 5000 + "b")
    assert one != other
    assert len(one.encode()) < LONGEST_FILE_NAME + 12


def test_a_cut_never_goes_through_a_character() -> None:
    assert file_name("\u8868" * 100).startswith("\u8868" * 26)


def test_what_could_leave_the_folder_is_replaced() -> None:
    assert file_name("../a b") == "___a_b"
    assert file_name("") == "table"
