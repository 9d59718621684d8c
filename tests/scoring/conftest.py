from __future__ import annotations

from hypothesis import settings

# A machine under load is slow now and then, which says nothing about the code.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
