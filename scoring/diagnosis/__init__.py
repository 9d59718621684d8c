"""Why a prediction differs from gold: one deterministic cause for each difference."""
