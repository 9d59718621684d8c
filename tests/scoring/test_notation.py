from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.reading.latex_symbols import ACCENTS, ARGUMENTS, SYMBOLS
from scoring.reading.notation import is_blank, math, unicode
from scoring.text import PROFILES

# What a model writes for one printed text, first the plain form.
SAME = [
    ("γ", [r"$$\gamma$$", r"$\gamma$", r"\(\gamma\)", r"\[ \gamma \]", "&gamma;", "&amp;gamma;", "&#947;", "&#x3b3;"]),
    ("(0,3)", ["(0, 3)", r"\left( 0,\, 3 \right)", "$(0,3)$", "( 0 , 3 )", "（0，3）"]),
    ("x²", ["x<sup>2</sup>", "x^2", "x^{2}", "$x^{2}$", "x^ 2", r"x\textsuperscript{2}", "x<SUP >2</SUP>", "𝑥²"]),
    ("10⁻¹²", ["10<sup>-12</sup>", "$10^{-12}$", "10<sup>−12</sup>", "10^{–12}"]),
    ("H₂O", ["H<sub>2</sub>O", "H_2O", r"$\mathrm{H_2O}$", r"H$_{2}$O", r"H\textsubscript{2}O"]),
    ("x_i^2", ["$x_{i}^{2}$", "x<sub>i</sub><sup>2</sup>"]),
    ("Total", [r"\textbf{Total}", "**Total**", "<b>Total</b>", "__Total__", "*Total*", r"{\bf Total}"]),
    ("Sum", ["<strong>Sum</strong>", "<B>Sum</B>", "<span class='x'>Sum</span>", "_Sum_", "~~Sum~~"]),
    ("5 × 10³", [r"5 \times 10^{3}", r"$5 \times 10^3$", "5&times;10<sup>3</sup>"]),
    ("0.5 ± 0.1", [r"0.5 \pm 0.1", r"$0.5\pm0.1$", "0.5 +/- 0.1", "0.5&plusmn;0.1", r"0.5$\pm$0.1"]),
    ("a·b", [r"a \cdot b", "a&middot;b", "a⋅b", "a • b".replace("•", "∙")]),
    ("p ≤ 0.05", [r"p \le 0.05", r"$p \leq 0.05$", "p &le; 0.05", "p<=0.05", r"p\leqslant0.05"]),
    ("p < 0.05", ["p &lt; 0.05", "p &amp;lt; 0.05", r"$p<0.05$", r"p \textless 0.05"]),
    ("95%", [r"95\%", "95 %", r"$95\%$", "95 ％"]),
    ("R&D", [r"R\&D", "R &amp; D", "R & D"]),
    ("$5", [r"\$5", "$ 5", r"\$ 5", "＄5"]),
    ("Fig. 3", ["Fig.~3", r"Fig.\ 3", "Fig.&nbsp;3", "Fig.\u00a03"]),
    ("5 mm", [r"5\,mm", r"5~mm", r"5\;\mathrm{mm}", "5\u2009mm", "5<br>mm", "5<br/>mm", "5\nmm"]),
    ("a/b", [r"\frac{a}{b}", r"$\dfrac{a}{b}$", r"\frac {a} {b}", "a ∕ b", r"a\slash b"]),
    ("(a+b)/c", [r"\frac{a + b}{c}"]),
    ("1/2", ["½", r"\frac12", r"$\frac{1}{2}$", "&frac12;"]),
    ("1 1/2", ["1½"]),
    ("√x", [r"\sqrt{x}", r"$\sqrt x$"]),
    ("Café", [r"Caf\'e", r"Caf\'{e}", "Cafe\u0301", "Caf&eacute;"]),
    ("Gödel", [r"G\"odel", r"G{\"o}del"]),
    ("Łódź naïve", [r"\L\'od\'z na\"{\i}ve", r"{\L}\'od\'z na\"\i ve"]),
    ("β̂", [r"\hat{\beta}", r"$\hat\beta$"]),
    ("≠", [r"\neq", r"\not=", "&ne;", "!="][:3]),
    ("A", [r"\multicolumn{2}{>{\bfseries}c|}{A}", r"\multirow[t]{2}{*}{A}", r"\multirow{2}*{A}"]),
    ("B", [r"\textcolor{red}{B}", r"\cellcolor[gray]{0.9}B", r"\rotatebox{90}{B}", r"\fontsize{8}{9}B"]),
    ("−5", ["-5", "–5", "$-5$", "—5", "- 5", "--5"]),
    ("A → B", [r"A $\rightarrow$ B", r"A \to B", "A -> B", "A&rarr;B"]),
    ("45°C", [r"45$^\circ$C", r"45 \,^{\circ}\mathrm{C}", "45 ºC", "45<sup>o</sup>C", "45&deg;C", "45 ℃"]),
    ("0.12***", ["0.12<sup>***</sup>", "$0.12^{***}$", r"0.12\*\*\*", "0.12 ***", r"0.12$^{\ast\ast\ast}$"]),
    ("*p < 0.05", [r"\*p < 0.05", r"$^{*}p<0.05$"]),
    ("\"x\"", ["“x”", "``x''", "„x”"]),
    ("it's", ["it’s", "it`s"]),
    ("fine", ["ﬁne", "fi\u00adne", "ﬁ\u200bne"]),
    ("34 56", ["٣٤ ५६", "\u200f٣٤\u200e ５６"]),
    ("Total 5", ["Total ........ 5", "Total . . . . . . 5", "Total………5", "Total____5", r"Total \dotfill 5"]),
    ("23.5", ["$2 3 . 5$"]),
    ("1,000", ["1{,}000", "1, 000"]),
    ("ΔT", [r"$\Delta T$", r"\Delta{}T", "∆T"]),
    ("a b", [r"\begin{array}{l} a \\ b \end{array}", r"\makecell{a\\b}", r"\shortstack{a \\[2pt] b}"]),
    ("Na^+", ["Na⁺", r"$\mathrm{Na}^{+}$", "Na<sup>+</sup>"]),
    ("Brand^TM", ["Brand™", "Brand<sup>TM</sup>"]),
    ("∼5", ["~5", r"$\sim$5", r"$\sim 5$", "∼ 5"]),
    ("$5 to $10", [r"\$5 to \$10"]),
]  # fmt: skip


@pytest.mark.parametrize(("plain", "written"), [(plain, each) for plain, ways in SAME for each in ways])
def test_one_printed_text_is_the_same_whatever_notation_it_was_written_in(plain: str, written: str) -> None:
    assert math(written) == math(plain)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x²", "x^2"),
        ("H₂O", "H_2O"),
        ("$x_{i}^{2}$", "x_i^2"),
        ("(0, 3)", "(0,3)"),
        (r"5 \times 10^{-3}", "5×10^-3"),
        ("p &lt; 0.05", "p<0.05"),
        ("New  York", "New York"),
        ("12 345", "12 345"),
        ("5①", "5①"),
        ("C:\\Users", "C:Users"),
        ("<LOD", "<LOD"),
        ("US$ (millions)", "US$(millions)"),
        ("x_1", "x_1"),
        ("O(log n)", "O(log n)"),
        (r"$\log x$", "log x"),
        (r"\unheard{of}", "unheardof"),
        ("**0.12***", "0.12*"),
        ("* p<0.05, ** p<0.01", "*p<0.05,**p<0.01"),
        ("हिन्दी में", "हिन्दी में"),
        ("a_b and c_d", "a_b and c_d"),
    ],
)
def test_the_canonical_form_is_plain_text(text: str, expected: str) -> None:
    assert math(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10^2", "102"),
        ("1½", "11/2"),
        ("US", "us"),
        ("New York", "NewYork"),
        ("1 000", "1000"),
        ("-5", "5"),
        ("1.5", "1,5"),
        ("$5", "5"),
        ("0.1*", "0.1**"),
        ("x_2", "x^2"),
        ("<5", ">5"),
        ("≤5", "<5"),
        ("β", "B"),
        ("5%", "5"),
        ("—", ""),
        ("n/a", "-"),
        ("a/b", "ab"),
        ("α", "a"),
        ("Café", "Cafe"),
    ],
)
def test_texts_that_differ_in_print_stay_different(one: str, other: str) -> None:
    assert math(one) != math(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x²", "x²"),
        ("ﬁve – “６”", 'five - "6"'),
        ("1½", "1 1/2"),
        ("٣٤", "34"),
        ("a\u00a0\u2003b\u202f c\u200b", "a b c"),
        ("$x^{2}$", "$x^{2}$"),
        ("Ⅳ ①", "IV ①"),
        ("µ Ω Å", "μ Ω Å"),
        ("\u200fשלום\u200e", "שלום"),
        ("´", "´"),
        ("a\x00b\x7f", "ab"),
        ("US", "US"),
    ],
)
def test_unicode_is_about_characters_only(text: str, expected: str) -> None:
    assert unicode(text) == expected


MARKS = [
    *"\\${}<>&*^_~`'\"-.ab15 ()[],;:|/+=%#\n²₂½é\u0301α…−°∘oº",
    "&lt;",
    "&amp;",
    "<sup>",
    "</sup>",
    "<br>",
    "amp;",
    "lt;",
]
MARKS += ["\\frac", "\\alpha", "\\'", "\\left", "\\multicolumn", "sup>", "**", "__", "$$", "\\circ", "\\begin{array}"]
NOTATION = st.lists(st.sampled_from(MARKS), max_size=14).map("".join)


@given(st.one_of(NOTATION, st.text(max_size=20)))
@example("- -")
@example("-\n >5")
@example("&amp;amp;amp;lt;sup&gt;2")
@example("\\$5 (US\\$)")
@example("\ud800")
def test_a_second_time_changes_nothing_more(text: str) -> None:
    for normal in (unicode, math):
        assert normal(normal(text)) == normal(text)


def test_each_character_alone_has_one_form() -> None:
    changed = [
        (normal.__name__, hex(code))
        for code in range(0x3400)
        for normal in (unicode, math)
        if normal(normal(chr(code))) != normal(chr(code))
    ]
    assert changed == []


@given(NOTATION)
def test_math_sees_no_difference_that_unicode_removes(text: str) -> None:
    assert math(unicode(text)) == math(unicode(unicode(text)))


@pytest.mark.parametrize(
    "text", ["", "-", "--", "–", "—", "n/a", "N/A", "NA", "na", "none", "None", "nil", "..", "...", "…", " ", "null"]
)
def test_the_usual_marks_for_no_value_are_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", [r"$-$", "&mdash;", "**-**", "<br>", "{}", "&nbsp;", r"\textemdash", "− −"])
def test_a_blank_in_any_notation_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["0", "Na", "no", "-5", "x", "0.0", "nilotinib", "*", "†", "✓"])
def test_a_value_is_not_blank(text: str) -> None:
    assert not is_blank(text)


def test_a_dash_is_not_removed_for_being_blank() -> None:
    assert math("–") == "-"
    assert math("n/a") == "n/a"


HOSTILE = [
    "{",
    "}",
    "\\frac{",
    "$a",
    "**a ",
    "_a ",
    "&amp;",
    "&amp;amp;lt;",
    "<a ",
    "<sup>",
    "\\'",
    "\\multicolumn{",
    "é²",
]
HOSTILE += [
    "\\[",
    ". ",
    "[ ",
    "^",
    "**a* ",
    "\\alpha ",
    "\\textcolor[[[",
    "~",
    "\\frac{a}{b}",
    "\\frac{a+",
    "\\\\[",
    " .",
    "- ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_long_nonsense_is_read_in_the_end(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    assert math(math(text)) == math(text)


def test_the_symbols_are_what_unicode_calls_them() -> None:
    names = {"gamma": "GREEK SMALL LETTER GAMMA", "Lambda": "GREEK CAPITAL LETTER LAMDA"}
    names |= {"times": "MULTIPLICATION SIGN", "rightarrow": "RIGHTWARDS ARROW"}
    names |= {"leq": "LESS-THAN OR EQUAL TO", "infty": "INFINITY", "pm": "PLUS-MINUS SIGN", "in": "ELEMENT OF"}
    names |= {"approx": "ALMOST EQUAL TO", "subseteq": "SUBSET OF OR EQUAL TO", "partial": "PARTIAL DIFFERENTIAL"}
    assert {name: unicodedata.name(SYMBOLS[name]) for name in names} == names


ARROWS = [name for name in SYMBOLS if name.endswith("arrow") and not name.startswith(("x", "long"))]


@pytest.mark.parametrize("name", ARROWS)
def test_the_arrows_point_where_their_names_say(name: str) -> None:
    called = unicodedata.name(SYMBOLS[name])
    for word, direction in (("up", "UP"), ("down", "DOWN"), ("ne", "NORTH EAST"), ("sw", "SOUTH WEST")):
        if name.lower().startswith(word):
            assert called.startswith(direction)
    assert ("DOUBLE" in called) == name[0].isupper()


def test_the_greek_letters_of_both_cases_are_there() -> None:
    greek = {letter for letter in SYMBOLS.values() if len(letter) == 1 and unicodedata.name(letter).startswith("GREEK")}
    assert set("αβγδεζηθικλμνξπρστυφχψω") | set("ΓΔΘΛΞΠΣΥΦΨΩ") <= greek


def test_an_accent_is_a_combining_mark() -> None:
    assert {mark for mark in ACCENTS.values() if unicodedata.category(mark) != "Mn"} == set()
    assert not set(ARGUMENTS) & set(SYMBOLS)


@pytest.mark.parametrize("name", SYMBOLS)
def test_each_command_is_its_sign(name: str) -> None:
    sign = SYMBOLS[name]
    assert math(f"\\{name}{{}}1") == math(f"{sign}1")


def test_each_profile_has_a_version_for_signatures() -> None:
    assert [profile.label for profile in PROFILES.values()] == ["exact/1", "whitespace/1", "unicode/1", "math/1"]
    assert all(PROFILES[name].name == name for name in PROFILES)
    assert PROFILES["math"]("$\\gamma$") == "γ"
