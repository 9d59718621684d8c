from __future__ import annotations

import pytest

from store.addresses import AddressError, web_address

GOOD = [
    "https://example.org",
    "http://127.0.0.1:8501/x?y=1",
    "http://[::1]:5000/",
    "https://müller.example/ä",
    "http://docling_serve:5001/v1",
    "https://example.org:65535/",
]
BAD = {
    "https://[::1": "its host cannot be read",
    "https://exa mple.org": "it holds a blank",
    "https://example.org/a b": "it holds a blank",
    " https://example.org": "it holds a blank",
    "https://example.org\n": "it holds a blank",
    "https://example.org:99999/": "a port is a number from 1 to 65535",
    "https://example.org:0/": "a port is a number from 1 to 65535",
    "https://example.org:http/": "a port is a number from 1 to 65535",
    "https://999.1.1.1/": "'999.1.1.1' cannot be a host",
    "https://[127.0.0.1]/": "it",
    "https://a..b/": "'a..b' cannot be a host",
    "https://-a.org/": "'-a.org' cannot be a host",
    "https://exa\\mple.org/": "cannot be a host",
    f"https://{'a' * 64}.org/": "cannot be a host",
    "https://": "it names no host",
    "https:///path": "it names no host",
    "https://:8501": "it names no host",
    "ftp://example.org": "it does not begin with http:// or https://",
    "javascript:alert(1)": "it does not begin with http:// or https://",
    "": "it does not begin with http:// or https://",
}


@pytest.mark.parametrize("text", GOOD)
def test_an_address_that_can_be_called_is_taken(text: str) -> None:
    assert web_address(text).hostname


@pytest.mark.parametrize("text", BAD)
def test_an_address_that_leads_nowhere_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(AddressError) as refused:
        web_address(text)
    assert BAD[text] in str(refused.value)
    assert "expected http(s)://host/..." in str(refused.value)


@pytest.mark.parametrize("text", ["https://me:pass@host/", "https://me:pass/word@host/", "https://host/?key=pass\n"])
def test_a_password_in_an_address_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(AddressError) as refused:
        web_address(text)
    assert "pass" not in str(refused.value).replace("password", "")


def test_a_tracking_server_may_be_named_with_a_password() -> None:
    assert web_address("https://me:pass@host/", credentials=True).password == "pass"
