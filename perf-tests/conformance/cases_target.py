"""Request targets in their four forms (RFC 9112, 3.2; RFC 3986)."""

from .case import Case, GOOD, MUST, SHOULD, get, request
from .check import answered, both, closed, either, forwarded, never_whole, passed, refused


def _targets():
    for name, target in (
        ("query", b"/a?b=c&d=%20e"),
        ("query-only", b"/?"),
        ("encoded", b"/%41%c3%a4"),
        ("lower-hex", b"/a%7eb"),
        ("reserved", b"/a;b=c,d@e:f!$&'()*+"),
        ("question", b"/a?b?c/d"),
        ("tilde", b"/~a/-._"),
        ("colon", b"/a:b"),
    ):
        # Unreserved characters may be percent-encoded or not (RFC 3986, 6.2.2.2); all others must not change.
        same = {target, target.replace(b"%41", b"A").replace(b"%7e", b"~")}
        same |= {target.replace(b"%c3%a4", b"%C3%A4").replace(b"%41", b"A"), target.replace(b"%7e", b"%7E")}
        same.add(target.replace(b"%c3%a4", b"%C3%A4"))
        check = passed(target=tuple(same))
        yield Case(f"line-target-{name}", f"the target {target.decode()} passes", "3986 3.3", MUST, get(target), check)
    yield Case(
        "line-target-encoded-slash",
        "an encoded slash is never decoded",
        "3986 2.2",
        MUST,
        get(b"/a%2fb"),
        either(refused(400, 403, 404), passed(target=(b"/a%2fb", b"/a%2Fb"))),
    )
    yield Case(
        "line-target-encoded-percent",
        "an encoded percent sign is never decoded",
        "3986 2.4",
        MUST,
        get(b"/a%252fb"),
        either(refused(400, 403, 404), passed(target=b"/a%252fb")),
    )
    yield Case(
        "line-target-encoded-question",
        "an encoded question mark is never decoded",
        "3986 2.2",
        MUST,
        get(b"/a%3fb"),
        either(refused(400, 403, 404), passed(target=(b"/a%3fb", b"/a%3Fb"))),
    )
    yield Case(
        "line-target-encoded-crlf",
        "encoded line ends stay encoded",
        "9112 11.1",
        MUST,
        get(b"/a%0d%0aX-Evil:%201"),
        either(refused(400, 403, 404), forwarded(lacks=("X-Evil",))),
    )
    yield Case(
        "line-target-dots",
        "dot segments never climb above the root",
        "3986 5.2.4",
        GOOD,
        get(b"/a/../../b"),
        either(refused(400, 403, 404), forwarded(target=(b"/b", b"/a/../../b"))),
    )
    for name, title, target in (
        ("fragment", "a fragment", b"/a#b"),
        ("fragment-only", "a fragment after the query", b"/a?b#c"),
        ("no-slash", "a path without a slash", b"a"),
        ("query-first", "a query without a path", b"?a"),
        ("star", "an asterisk with GET", b"*"),
        ("authority", "an authority with GET", b"example.com:80"),
        ("quote", "a double quote", b'/a"b'),
        ("angle", "angle brackets", b"/<a>"),
        ("backslash", "a backslash", b"/a\\b"),
        ("brace", "braces", b"/{a}"),
        ("pipe", "a vertical bar", b"/a|b"),
        ("caret", "a caret", b"/a^b"),
        ("backtick", "a grave accent", b"/a`b"),
        ("percent", "a percent sign without digits", b"/a%"),
        ("percent-bad", "a percent sign with other letters", b"/a%zz"),
        ("non-ascii", "bytes outside ASCII", b"/\xc3\xa4"),
        ("iso", "a byte that is not UTF-8", b"/\xe4"),
        ("control", "a control byte", b"/a\x01b"),
        ("del", "DEL", b"/a\x7fb"),
        ("nul", "NUL", b"/a\x00b"),
        ("esc", "an escape", b"/a\x1bb"),
    ):
        # Characters that many clients send although a target must not contain them; RFC 9112, 3.2: 400 or a redirect.
        send = get(target)
        yield Case(
            f"line-target-{name}",
            f"{title} in the target",
            "9112 3.2",
            SHOULD,
            send,
            refused(400, 301, 308, 404, 403, 405),
        )


def _parameters():
    """Every proxy responds with 403 to /guarded/; many origins remove parameters before they match a path."""
    for name, target in (
        ("plain", b"/guarded/x"),
        ("behind", b"/guarded/x;a=b"),
        ("within", b"/guarded;a=b/x"),
        ("empty", b"/guarded;/x"),
        ("encoded", b"/guarded%3ba/x"),
        ("before", b"/;x/guarded/x"),
        ("dots", b"/a/..;/guarded/x"),
        ("dots-removed", b"/a;b/../guarded;c/x"),
    ):
        yield Case(
            f"line-target-guarded-{name}",
            f"{target.decode()} does not pass a location that is forbidden",
            "3986 3.3",
            GOOD,
            get(target),
            refused(400, 403, 404),
        )
    for name, target in (("elsewhere", b"/a;b=c/x"), ("similar", b"/guarded-not;a/x")):
        yield Case(
            f"line-target-parameters-{name}",
            f"the parameters in {target.decode()} pass",
            "3986 3.3",
            MUST,
            get(target),
            passed(target=target),
        )


def _absolute():
    own = get(b"http://example.com/a?b", host=b"example.com")
    host = {"Host": b"example.com"}
    targets = (b"/a?b", b"http://example.com/a?b")
    yield Case("line-absolute", "the absolute form is taken", "9112 3.2.2", MUST, own, passed(target=targets, has=host))
    yield Case(
        "line-absolute-case",
        "scheme and host are read without regard to case",
        "9110 4.2.3",
        MUST,
        get(b"HTTP://EXAMPLE.com/a?b"),
        passed(has={"Host": lambda value: value.lower() == b"example.com"}),
    )
    yield Case(
        "line-absolute-contradicts",
        "the host of the target wins over the Host field",
        "9112 3.2.2",
        MUST,
        get(b"http://example.com/a?b", host=b"evil.test"),
        either(refused(400, 421), passed(target=targets, has=host)),
    )
    yield Case(
        "line-absolute-forwarded-host",
        "X-Forwarded-Host does not speak of the Host field that lost",
        "9112 3.2.2",
        GOOD,
        get(b"http://example.com/a", host=b"evil.test"),
        either(refused(400, 421), passed(has={"X-Forwarded-Host": b"example.com"})),
    )
    yield Case(
        "line-absolute-port",
        "the port of the target is forwarded with it",
        "9112 3.2.2",
        MUST,
        get(b"http://example.com:8080/a", host=b"evil.test:1"),
        either(refused(400, 421), passed(has={"Host": b"example.com:8080"})),
    )
    yield Case(
        "line-absolute-without-host-field",
        "the absolute form does not replace the Host field",
        "9112 3.2",
        MUST,
        get(b"http://example.com/a", host=None),
        refused(400),
    )
    yield Case(
        "line-absolute-no-path",
        "an absolute target without a path is asked for as /",
        "9112 3.2.1",
        MUST,
        get(b"http://example.com"),
        passed(target=(b"/", b"http://example.com/", b"http://example.com")),
    )
    yield Case(
        "line-absolute-query-only",
        "an absolute target with a query only",
        "9112 3.2.1",
        MUST,
        get(b"http://example.com?a"),
        passed(target=(b"/?a", b"http://example.com/?a", b"http://example.com?a")),
    )
    yield Case(
        "line-absolute-1.0",
        "the absolute form in HTTP/1.0 without Host",
        "9112 3.2.2",
        MUST,
        request(b"GET http://example.com/a HTTP/1.0", host=None),
        either(passed(target=b"/a", has=host), passed(target=b"http://example.com/a")),
    )
    without_user = both(
        forwarded(has={"Host": lambda value: b"@" not in value}),
        lambda seen: "userinfo was sent on" if b"user:secret@" in seen.origin_bytes else None,
    )
    send = get(b"http://user:secret@example.com/a")
    yield Case("line-absolute-userinfo", "userinfo is an error", "9110 4.2.4", SHOULD, send, refused(400, 403, 404))
    yield Case(
        "line-absolute-userinfo-kept",
        "userinfo is never sent on",
        "9110 4.2.4",
        MUST,
        send,
        either(refused(400, 403, 404), without_user),
    )
    for name, target in (
        ("no-host", b"http:///a"),
        ("port-only", b"http://:80/a"),
        ("bad-port", b"http://example.com:80x/a"),
        ("port-range", b"http://example.com:65536/a"),
        ("one-slash", b"http:/example.com/a"),
        ("no-slash", b"http:example.com/a"),
        ("space", b"http://exa mple.com/a"),
        ("bad-ipv6", b"http://[::1/a"),
        ("backslash", b"http://example.com\\@evil.test/a"),
        ("fragment", b"http://example.com/a#b"),
    ):
        level = MUST if name in ("no-host", "port-only") else SHOULD
        section = "9110 4.2.1" if level == MUST else "9112 3.2"
        send = get(target)
        yield Case(
            f"line-absolute-{name}", f"the target {target!r}", section, level, send, refused(400, 301, 403, 404, 421)
        )
    for scheme in (b"ftp", b"file", b"gopher"):
        yield Case(
            f"line-absolute-{scheme.decode()}",
            "a scheme that is not served here",
            "9110 7.4",
            GOOD,
            get(scheme + b"://example.com/a"),
            refused(400, 403, 404, 421, 501),
        )


def _special_forms():
    yield Case(
        "line-options-star",
        "OPTIONS * is forwarded as such, or answered",
        "9112 3.2.4",
        MUST,
        request(b"OPTIONS * HTTP/1.1"),
        either(both(forwarded(count=0), answered(*range(200, 600))), passed(target=b"*")),
    )
    yield Case(
        "line-options-absolute",
        "OPTIONS for a whole host in absolute form is forwarded as *",
        "9112 3.2.4",
        GOOD,
        request(b"OPTIONS http://example.com HTTP/1.1"),
        either(both(forwarded(count=0), answered(*range(200, 600))), passed(target=b"*")),
    )
    yield Case(
        "line-options-path",
        "OPTIONS for a path",
        "9110 9.3.7",
        MUST,
        request(b"OPTIONS /a HTTP/1.1"),
        passed(method=b"OPTIONS", target=b"/a"),
    )
    no_tunnel = both(never_whole, answered(*range(400, 600)))
    yield Case(
        "line-connect",
        "CONNECT opens no tunnel",
        "9110 9.3.6",
        GOOD,
        request(b"CONNECT example.com:443 HTTP/1.1", host=b"example.com:443"),
        no_tunnel,
    )
    for name, target in (("no-port", b"example.com"), ("empty-port", b"example.com:"), ("bad-port", b"example.com:x")):
        yield Case(
            f"line-connect-{name}",
            "CONNECT with an empty or invalid port",
            "9110 9.3.6",
            MUST,
            request(b"CONNECT " + target + b" HTTP/1.1"),
            refused(),
        )
    yield Case(
        "line-connect-path",
        "CONNECT with a path",
        "9112 3.2.3",
        SHOULD,
        request(b"CONNECT /a HTTP/1.1"),
        refused(400, 404, 405, 501),
    )
    yield Case(
        "line-garbage",
        "bytes that are no HTTP",
        "9112 2.2",
        SHOULD,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        both(forwarded(count=0), closed, either(answered(400), answered(505), answered(501))),
    )
    yield Case(
        "line-colon-first",
        "a field where the request line should be",
        "9112 2.2",
        SHOULD,
        b"Host: example.com\r\n\r\n",
        refused(400, close=True),
    )


def cases():
    yield from _targets()
    yield from _parameters()
    yield from _absolute()
    yield from _special_forms()
