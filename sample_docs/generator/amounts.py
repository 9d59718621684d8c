"""Amounts of money as documents print them."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def cents(amount: Decimal) -> Decimal:
    """The amount to two decimals, halves away from zero."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def money(amount: Decimal) -> str:
    """Two decimals, a point, and a comma for thousands: ``1,284.50``."""
    return f"{cents(amount):,}"
