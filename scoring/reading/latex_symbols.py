"""What LaTeX commands stand for: symbols, names of functions, accents, and commands that print nothing."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

_GREEK = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon
phi chi psi omega
"""
_VARIANTS = {"epsilon": "ε", "theta": "θ", "phi": "φ", "rho": "ρ", "pi": "π", "kappa": "κ", "sigma": "ς"}
# Unicode spells the letter "lamda".
_SMALL = {
    name: unicodedata.lookup(f"GREEK SMALL LETTER {name.upper().replace('LAMBDA', 'LAMDA')}") for name in _GREEK.split()
}
_CAPITAL = {name.capitalize(): letter.upper() for name, letter in _SMALL.items()}

_SIGNS = """
times × div ÷ pm ± mp ∓ cdot · ast * star ⋆ circ ∘ bullet • oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ setminus ∖ backslash ∖
cap ∩ cup ∪ vee ∨ wedge ∧ lor ∨ land ∧ dagger † ddagger ‡ dag † ddag ‡ textdagger † textdaggerdbl ‡ amalg ⨿ wr ≀
le ≤ leq ≤ leqslant ≤ leqq ≤ ge ≥ geq ≥ geqslant ≥ geqq ≥ ll ≪ gg ≫ ne ≠ neq ≠ lt < gt > textless < textgreater >
lesssim ≲ gtrsim ≳ prec ≺ succ ≻ preceq ⪯ succeq ⪰ sim ∼ simeq ≃ approx ≈ cong ≅ equiv ≡ propto ∝ doteq ≐ asymp ≍
thicksim ∼ textasciitilde ∼ thickapprox ≈ triangleq ≜
subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ in ∈ ni ∋ notin ∉ perp ⊥ parallel ∥ mid | vdash ⊢ dashv ⊣ models ⊨
forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ emptyset ∅ varnothing ∅ infty ∞ partial ∂ nabla ∇ angle ∠ triangle △
sum Σ prod Π int ∫ iint ∬ oint ∮ sqrt √ surd √ therefore ∴ because ∵ top ⊤ bot ⊥ hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ wp ℘
imath ı jmath ȷ i ı j ȷ degree ° textdegree ° prime ' celsius °C ohm Ω micro μ textmu μ textohm Ω
to → rightarrow → longrightarrow → leftarrow ← gets ← longleftarrow ← leftrightarrow ↔ longleftrightarrow ↔ uparrow ↑
downarrow ↓ updownarrow ↕ Rightarrow ⇒ Longrightarrow ⇒ implies ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ Uparrow ⇑
Downarrow ⇓ mapsto ↦ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ rightleftharpoons ⇌ hookrightarrow ↪ textrightarrow →
textleftarrow ← textuparrow ↑ textdownarrow ↓ xrightarrow →
ldots ... dots ... cdots ... dotsc ... dotsb ... textellipsis ... vdots ⋮ ddots ⋱ dotfill .... colon : cdotp · ldotp .
langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lvert | rvert | vert | lVert ‖ rVert ‖ Vert ‖ lbrack [ rbrack ]
textbar | textbackslash ∖ textquotesingle ' textquoteright ' textquoteleft ' textquotedblleft " textquotedblright "
textendash - textemdash - textminus - textunderscore _ textasciicircum ^ textasteriskcentered * textbullet •
textperiodcentered · textpm ± texttimes × textdiv ÷ textonehalf 1/2 textonequarter 1/4 textthreequarters 3/4
checkmark ✓ cmark ✓ ding ✓ xmark ✗ square □ Box □ blacksquare ■ Diamond ◇ diamond ⋄ bigstar ★ bigcirc ◯ CheckedBox ☑
triangledown ▽ bigtriangleup △ bigtriangledown ▽ blacktriangle ▲ blacktriangledown ▼ lozenge ◊ clubsuit ♣ heartsuit ♥
spadesuit ♠ diamondsuit ♦ flat ♭ sharp ♯ natural ♮ male ♂ female ♀ mars ♂ venus ♀
S § P ¶ copyright © textcopyright © textregistered ® texttrademark ™ pounds £ textsterling £ euro € EUR € texteuro €
textyen ¥ yen ¥ textcent ¢ textdollar $ percent % textpercent % textnumero №
ss ß ae æ AE Æ oe œ OE Œ o ø O Ø l ł L Ł aa å AA Å dh ð DH Ð th þ TH Þ dj đ DJ Đ ng ŋ NG Ŋ
over / slash / textsuperscript ^ textsubscript _ sp ^ sb _ tsup ^ tsub _
"""
_NAMES = """
sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp max min sup inf lim limsup liminf
arg argmax argmin det dim gcd deg ker hom mod bmod Pr
"""
_SPACES = "quad qquad space enspace enskip thinspace medspace thickspace newline linebreak par hfill hskip"
# They change how the text looks; their argument, where they have one, is the text.
_SILENT = """
textbf textit textrm textsf texttt textsc textsl textup textmd textnormal text emph underline uline underbar
textlf mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr mathnormal boldsymbol bm pmb operatorname mbox
hbox fbox framebox makebox overline overbrace underbrace ensuremath centering raggedright raggedleft bfseries itshape
rmfamily sffamily ttfamily mdseries upshape slshape scshape normalfont bf it rm sf tt sc sl em boldmath unboldmath
displaystyle textstyle scriptstyle scriptscriptstyle tiny scriptsize footnotesize small normalsize large Large LARGE
huge Huge left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr limits nolimits
makecell thead shortstack num ce unit si mathop mathrel mathbin mathord mathopen mathclose mathpunct noindent protect
relax hline toprule midrule bottomrule allowbreak nobreak negthinspace strut arraybackslash tnote st hl
frac dfrac tfrac cfrac nicefrac sfrac xspace leavevmode null today
"""

SYMBOLS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(_SILENT.split(), "")
    | dict.fromkeys([*_SPACES.split(), "tabularnewline"], " ")
    | {name: name for name in _NAMES.split()}
    | _SMALL
    | _CAPITAL
    | {f"var{name}": letter for name, letter in _VARIANTS.items()}
    | dict(zip(_SIGNS.split()[::2], _SIGNS.split()[1::2], strict=True))
)

# The combining mark that a command puts on the letter after it.
ACCENTS: Mapping[str, str] = MappingProxyType(
    {
        "`": "\u0300",
        "'": "\u0301",
        "^": "\u0302",
        "~": "\u0303",
        "=": "\u0304",
        "u": "\u0306",
        ".": "\u0307",
        '"': "\u0308",
        "r": "\u030a",
        "H": "\u030b",
        "v": "\u030c",
        "d": "\u0323",
        "c": "\u0327",
        "k": "\u0328",
        "b": "\u0331",
        "grave": "\u0300",
        "acute": "\u0301",
        "hat": "\u0302",
        "widehat": "\u0302",
        "tilde": "\u0303",
        "widetilde": "\u0303",
        "bar": "\u0304",
        "breve": "\u0306",
        "dot": "\u0307",
        "ddot": "\u0308",
        "mathring": "\u030a",
        "check": "\u030c",
        "vec": "\u20d7",
        "not": "\u0338",
    }
)

# How many arguments come before the text of a command, or are all it has: they say how, not what.
ARGUMENTS: Mapping[str, int] = MappingProxyType(
    {
        "multicolumn": 2,
        "multirow": 2,
        "textcolor": 1,
        "colorbox": 1,
        "color": 1,
        "cellcolor": 1,
        "rowcolor": 1,
        "columncolor": 1,
        "rotatebox": 1,
        "scalebox": 1,
        "raisebox": 1,
        "resizebox": 2,
        "parbox": 1,
        "href": 1,
        "fontsize": 2,
        "vspace": 1,
        "hspace": 1,
        "phantom": 1,
        "hphantom": 1,
        "vphantom": 1,
        "rule": 2,
        "label": 1,
        "begin": 1,
        "end": 1,
        "cline": 1,
        "cmidrule": 1,
        "setlength": 2,
        "renewcommand": 2,
        "specialrule": 3,
    }
)
