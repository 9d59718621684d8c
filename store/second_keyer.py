"""Who keys a table a second time, as SQL: the person for whom it was drawn, or to whom it was handed over last."""

from __future__ import annotations

# An expression over a row ``p`` of second_pass.
KEYER = "coalesce((select h.person from assignment h where h.gold = p.keyed order by h.id desc limit 1), p.person)"
