"""Fidelity: could a reader recover every value with its row and column headers?"""

from scoring.fidelity.losses import Fidelity, Loss, fidelity, fidelity_of_tables

__all__ = ["Fidelity", "Loss", "fidelity", "fidelity_of_tables"]
