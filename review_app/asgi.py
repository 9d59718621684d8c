"""The server: Streamlit's app with the routes of the review component beside it."""

import gc
import os
import signal
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from review_app.api import ROUTES
from review_app.long_lived import LaidAside
from review_app.settings import database, settings
from review_app.sign_in import leave_out_warning_of_authlib
from store import webhook_sending


def end_with(parent: int) -> None:
    """End this server when the process that started it is gone, however that ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)


def public_hosts() -> list[str]:
    """The name of the host under which people sign in, if they do."""
    public = settings().public_address
    return [urlsplit(public).hostname or ""] if public else []


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """Open the database and load what every page needs before the first person comes."""
    import pandas  # noqa: F401  # heavy, and wanted at once by the first page
    import pypdfium2  # noqa: F401
    import scipy.optimize  # noqa: F401

    database()
    if settings().signs_in:
        leave_out_warning_of_authlib()
    if parent := os.environ.get("PROOFGRID_SERVED_BY"):
        threading.Thread(target=end_with, args=(int(parent),), daemon=True).start()
    gc.callbacks.append(LaidAside())
    gc.collect()
    # What follows from a large table is many small objects and no garbage: to look at each 700th took half the time.
    gc.set_threshold(50_000, 20, 20)
    over = threading.Event()
    threading.Thread(target=webhook_sending.keep_delivering, args=(database(), over.wait), daemon=True).start()
    yield
    over.set()


# Streamlit looks for this very line in the file that is run: it must stand here, literally.
app = st.App(
    "main.py",
    lifespan=lifespan,
    routes=ROUTES,
    # A page of another site that had its own name point here could otherwise read what this server shows.
    middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost", *public_hosts()])],
)
