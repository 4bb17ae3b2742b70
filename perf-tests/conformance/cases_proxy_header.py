"""PROXY protocol headers, version 1, before a request (haproxy.org, proxy-protocol.txt, 2.1)."""

from .case import MUST, Case, get
from .check import passed

_SETUP = {"listener": "proxied", "proxies": ("lychgate",)}
_SECTION = "PROXY 2.1"


def _closed_unread(seen):
    if seen.origin_bytes:
        return f"it was forwarded: {seen.origin_bytes[:90]!r}"
    if seen.finals:
        return f"answered {seen.finals[0].status}"
    return "the connection was left open" if seen.ending == "open" else None


def cases():
    yield Case(
        "proxy-header",
        "the address of the header is the client's",
        _SECTION,
        MUST,
        b"PROXY TCP4 {address} 203.0.113.1 50000 443\r\n" + get(b"/a"),
        passed(target=b"/a"),
        **_SETUP,
    )
    for name, line in (
        ("padded", b"PROXY TCP4 {padded} 203.0.113.1 50000 443"),
        ("padded-destination", b"PROXY TCP4 {address} 203.0.113.001 50000 443"),
        ("zeros", b"PROXY TCP4 {address} 00.0.0.0 50000 443"),
        ("mapped-padded", b"PROXY TCP6 ::ffff:{padded} 2001:db8::1 50000 443"),
        ("port-padded", b"PROXY TCP4 {address} 203.0.113.1 050000 443"),
        ("destination-port-padded", b"PROXY TCP4 {address} 203.0.113.1 50000 0443"),
        ("port-signed", b"PROXY TCP4 {address} 203.0.113.1 +50000 443"),
        ("port-large", b"PROXY TCP4 {address} 203.0.113.1 65536 443"),
        ("hexadecimal", b"PROXY TCP4 0x7f.9.0.1 203.0.113.1 50000 443"),
        ("octet-large", b"PROXY TCP4 127.9.0.256 203.0.113.1 50000 443"),
        ("octets-missing", b"PROXY TCP4 127.9.1 203.0.113.1 50000 443"),
        ("bracketed", b"PROXY TCP6 [::1] [::1] 50000 443"),
        ("zone", b"PROXY TCP6 fe80::1%lo ::1 50000 443"),
        ("two-spaces", b"PROXY TCP4  {address} 203.0.113.1 50000 443"),
        ("tab", b"PROXY TCP4\t{address} 203.0.113.1 50000 443"),
        ("more", b"PROXY TCP4 {address} 203.0.113.1 50000 443 1"),
        ("family", b"PROXY TCP6 {address} 203.0.113.1 50000 443"),
    ):
        yield Case(
            f"proxy-header-{name}",
            f"the header {line.decode()!r} is malformed: the connection is closed, and nothing forwarded",
            _SECTION,
            MUST,
            line + b"\r\n" + get(b"/a"),
            _closed_unread,
            until_end=True,
            **_SETUP,
        )
