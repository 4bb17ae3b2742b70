"""The Host field (RFC 9110, 7.2; RFC 9112, 3.2)."""

from .case import GOOD, MUST, Case, get, request
from .check import either, passed, refused


def _valid():
    for name, host in (
        ("name", b"example.com"),
        ("port", b"example.com:8080"),
        ("empty-port", b"example.com:"),
        ("ipv4", b"192.0.2.1:81"),
        ("ipv6", b"[2001:db8::1]"),
        ("ipv6-port", b"[2001:db8::1]:8080"),
        ("underscore", b"my_host.test"),
        ("dot", b"example.com."),
        ("case", b"EXAMPLE.com"),
        ("encoded", b"ex%41mple.com"),
        ("sub-delims", b"a!$&'()*+;=b.test"),
    ):
        same = lambda value, host=host: value.lower().rstrip(b":.") in (
            host.lower().rstrip(b":."),
            host.lower().replace(b"%41", b"a"),
        )
        level = MUST if name not in ("encoded", "sub-delims", "dot", "underscore") else GOOD
        check = passed(has={"Host": same})
        if level == GOOD:
            check = either(check, refused(400))
        yield Case(f"host-{name}", f"the Host {host.decode()}", "9110 7.2", level, get(host=host), check)
    yield Case(
        "host-spaces-around",
        "white space around the value is no part of it",
        "9112 5.1",
        MUST,
        request(b"GET / HTTP/1.1", b"Host:  \t example.com \t", host=None),
        passed(has={"Host": b"example.com"}),
    )
    yield Case(
        "host-no-space",
        "no space after the colon",
        "9112 5.1",
        MUST,
        request(b"GET / HTTP/1.1", b"Host:example.com", host=None),
        passed(has={"Host": b"example.com"}),
    )
    yield Case(
        "host-name-case",
        "the field's name in other cases",
        "9110 5.1",
        MUST,
        request(b"GET / HTTP/1.1", b"hOST: example.com", host=None),
        passed(has={"Host": b"example.com"}),
    )
    yield Case(
        "host-last",
        "Host after the other fields",
        "9110 5.3",
        MUST,
        request(b"GET / HTTP/1.1", b"X-A: 1", b"X-B: 2", b"Host: example.com", host=None),
        passed(has={"Host": b"example.com", "X-A": b"1"}),
    )
    yield Case(
        "host-empty",
        "an empty Host has the grammar on its side, but names no host",
        "9110 4.2.1",
        MUST,
        get(host=b""),
        either(refused(400), passed()),
    )


def _missing():
    yield Case("host-none", "no Host in HTTP/1.1", "9112 3.2", MUST, get(host=None), refused(400))
    yield Case(
        "host-none-1.2",
        "no Host in HTTP/1.2",
        "9112 3.2",
        GOOD,
        request(b"GET / HTTP/1.2", host=None),
        refused(400, 505),
    )
    yield Case(
        "host-none-1.0",
        "no Host in HTTP/1.0",
        "9112 3.2",
        GOOD,
        request(b"GET /a HTTP/1.0", host=None),
        passed(target=b"/a"),
    )
    yield Case(
        "host-given-1.0",
        "Host in HTTP/1.0",
        "9112 3.2",
        MUST,
        request(b"GET /a HTTP/1.0"),
        passed(target=b"/a", has={"Host": b"example.com"}),
    )


def _several():
    for name, first, second in (
        ("equal", b"Host: example.com", b"Host: example.com"),
        ("different", b"Host: example.com", b"Host: evil.test"),
        ("case", b"Host: example.com", b"HOST: evil.test"),
        ("empty-first", b"Host:", b"Host: example.com"),
        ("empty-second", b"Host: example.com", b"Host:"),
    ):
        send = request(b"GET / HTTP/1.1", first, second, host=None)
        yield Case(f"host-two-{name}", f"two Host fields, {name}", "9112 3.2", MUST, send, refused(400))
    yield Case(
        "host-two-apart",
        "two Host fields, others between them",
        "9112 3.2",
        MUST,
        request(b"GET / HTTP/1.1", b"X-A: 1", b"Host: evil.test"),
        refused(400),
    )
    yield Case(
        "host-two-1.0",
        "two Host fields in HTTP/1.0",
        "9112 3.2",
        MUST,
        request(b"GET / HTTP/1.0", b"Host: evil.test"),
        refused(400),
    )
    yield Case(
        "host-two-absolute",
        "two Host fields with an absolute target",
        "9112 3.2",
        MUST,
        get(b"http://example.com/", b"Host: evil.test"),
        refused(400),
    )


def _invalid():
    for name, host in (
        ("list", b"example.com, evil.test"),
        ("space", b"example.com evil.test"),
        ("tab", b"example.com\tevil.test"),
        ("userinfo", b"user@example.com"),
        ("userinfo-port", b"example.com:80@evil.test"),
        ("slash", b"example.com/path"),
        ("scheme", b"http://example.com"),
        ("question", b"example.com?a"),
        ("fragment", b"example.com#a"),
        ("backslash", b"example.com\\evil"),
        ("port-letters", b"example.com:80x"),
        ("port-sign", b"example.com:-80"),
        ("port-space", b"example.com: 80"),
        ("two-ports", b"example.com:80:80"),
        ("ipv6-open", b"[::1"),
        ("ipv6-close", b"::1]"),
        ("ipv6-bare", b"2001:db8::1"),
        ("ipv6-bad", b"[::g]"),
        ("ipv6-behind", b"[::1]x"),
        ("brackets-name", b"[example.com]"),
        ("brackets-empty", b"[]"),
        ("quotes", b'"example.com"'),
        ("angle", b"<example.com>"),
        ("brace", b"{example.com}"),
        ("pipe", b"a|b.test"),
        ("caret", b"a^b.test"),
        ("percent", b"exam%ple.com"),
        ("percent-end", b"example.com%"),
        ("control", b"exam\x01ple.com"),
        ("del", b"exam\x7fple.com"),
        ("vt", b"example.com\x0b"),
        ("nul", b"exam\x00ple.com"),
        ("non-ascii", b"ex\xc3\xa4mple.com"),
        ("iso", b"ex\xe4mple.com"),
    ):
        yield Case(f"host-bad-{name}", f"the Host {host!r}", "9112 3.2", MUST, get(host=host), refused(400))
    for name, host in (("port-range", b"example.com:65536"), ("port-zero-long", b"example.com:" + b"9" * 20)):
        # The grammar of a port is *DIGIT; an out-of-range port is not a syntax error.
        send = get(host=host)
        yield Case(f"host-{name}", f"the Host {host!r}", "9110 7.2", GOOD, send, refused(400))


def cases():
    yield from _valid()
    yield from _missing()
    yield from _several()
    yield from _invalid()
