"""How often the witness names an injected slip, and its milliseconds for 200 addends: python -m benchmarks.witness"""

from __future__ import annotations

import random
from functools import partial

from benchmarks.scoring import milliseconds
from scoring.arithmetic.witness import witness
from tests.scoring.bills import KINDS, bill, injected, ranks, table

# The weights of the slips were set while looking at the bills 0 to 199.
UNSEEN = range(1000, 1200)


def main() -> None:
    cases = ((12, True, "12 rows with products"), (6, False, "6 rows, sum alone"), (20, False, "20 rows, sum alone"))
    print(f"{'share with the truth first / among three':42} " + " ".join(f"{name:>22}" for _, _, name in cases))
    for kind in KINDS:
        shares = []
        for rows, products, _ in cases:
            counted = ranks(kind, rows=rows, products=products, seeds=UNSEEN)
            three = sum(counted[at] for at in (1, 2, 3))
            shares.append(f"{counted[1] / counted.total():>15.3f} {three / counted.total():>6.3f}")
        print(f"{kind:42} " + " ".join(shares))
    for products in (True, False):
        _, wrong, _ = injected(random.Random(4), KINDS[1], 200)
        work = partial(witness, table(wrong), bill(products=products))
        how = "with products" if products else "sum alone"
        print(f"200 addends, one slip, {how}: {milliseconds(work):.0f} ms")
    _, wrong, _ = injected(random.Random(4), KINDS[1], 200)
    wrong[0][3] = "-" + wrong[0][3]
    work = partial(witness, table(wrong), bill(products=False))
    print(f"200 addends, two slips, sum alone: {milliseconds(work):.0f} ms")


if __name__ == "__main__":
    main()
