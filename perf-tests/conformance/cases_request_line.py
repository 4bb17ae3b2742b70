"""Request lines: method, target, version, and the white space between them (RFC 9112, 2 and 3)."""

from .case import GOOD, MUST, SHOULD, Case, HalfClose, get, request
from .check import answered, both, closed, either, forwarded, never_whole, passed, refused

_BAD_LINE = refused(400, 301, 404, 405, 414, 501, 505)


def _spaces():
    """Parsing on white space is allowed (RFC 9112, 3), rewriting a target without telling the client is not."""
    target = passed(method=b"GET", target=b"/a")
    for name, title, line in (
        ("two-spaces-1", "two spaces behind the method", b"GET  /a HTTP/1.1"),
        ("two-spaces-2", "two spaces behind the target", b"GET /a  HTTP/1.1"),
        ("tab-1", "a tab behind the method", b"GET\t/a HTTP/1.1"),
        ("tab-2", "a tab behind the target", b"GET /a\tHTTP/1.1"),
        ("vt", "a vertical tab behind the method", b"GET\x0b/a HTTP/1.1"),
        ("ff", "a form feed behind the target", b"GET /a\x0cHTTP/1.1"),
        ("leading", "a space before the method", b" GET /a HTTP/1.1"),
        ("trailing", "a space behind the version", b"GET /a HTTP/1.1 "),
        ("trailing-tab", "a tab behind the version", b"GET /a HTTP/1.1\t"),
        ("bare-cr", "a bare CR behind the method", b"GET\r/a HTTP/1.1"),
        ("bare-cr-end", "a bare CR behind the version", b"GET /a HTTP/1.1\r"),
    ):
        yield Case(f"line-space-{name}", title, "9112 3", MUST, request(line), either(_BAD_LINE, target))
    for name, title, line in (
        ("in-target", "a space within the target", b"GET /a b HTTP/1.1"),
        ("tab-in-target", "a tab within the target", b"GET /a\tb HTTP/1.1"),
        ("cr-in-target", "a bare CR within the target", b"GET /a\rb HTTP/1.1"),
        ("version-hidden", "a version within the target", b"GET /a HTTP/1.1 HTTP/1.1"),
        ("extra", "a fourth word", b"GET /a HTTP/1.1 x"),
    ):
        yield Case(f"line-space-{name}", title, "9112 3.2", SHOULD, request(line), _BAD_LINE)


def _leading_lines():
    whole = get(b"/a")
    yield Case("line-empty-1", "one empty line before the request", "9112 2.2", SHOULD, b"\r\n" + whole, passed(target=b"/a"))
    yield Case(
        "line-empty-2",
        "two empty lines before the request",
        "9112 2.2",
        GOOD,
        b"\r\n\r\n" + whole,
        either(refused(400), passed(target=b"/a")),
    )
    yield Case(
        "line-empty-between",
        "an empty line between two requests",
        "9112 2.2",
        SHOULD,
        get(b"/a") + b"\r\n" + get(b"/b"),
        both(forwarded(count=2, target=b"/b", at=1), answered(count=2, at=1)),
        expect=2,
    )
    yield Case(
        "line-empty-lf",
        "a bare LF before the request",
        "9112 2.2",
        GOOD,
        b"\n" + whole,
        either(refused(400), passed(target=b"/a")),
    )
    yield Case(
        "line-ends-lf",
        "LF alone as the end of every line",
        "9112 2.2",
        MUST,
        whole.replace(b"\r\n", b"\n"),
        either(refused(400), passed(target=b"/a")),
    )
    yield Case(
        "line-ends-crcrlf",
        "CR CR LF as the end of the request line",
        "9112 2.2",
        MUST,
        b"GET /a HTTP/1.1\r\r\nHost: example.com\r\n\r\n",
        either(refused(400), passed(target=b"/a")),
    )
    for name, first in (("space", b" X-First: 1"), ("tab", b"\tX-First: 1"), ("blank", b" "), ("host", b" Host: evil.test")):
        yield Case(
            f"line-then-{name}",
            "white space between request line and first field",
            "9112 2.2",
            MUST,
            b"GET /a HTTP/1.1\r\n" + first + b"\r\nHost: example.com\r\n\r\n",
            either(refused(400), passed(target=b"/a", has={"Host": b"example.com"}, lacks=("X-First",))),
        )


def _methods():
    for method in (b"PUT", b"DELETE", b"PATCH", b"PROPFIND", b"REPORT", b"MKCOL", b"M-SEARCH"):
        line = method + b" /a HTTP/1.1"
        yield Case(
            f"line-method-{method.decode().lower()}",
            f"{method.decode()} passes",
            "9110 9.1",
            GOOD,
            request(line, b"Content-Length: 0"),
            passed(method=method, target=b"/a"),
        )
    for name, method in (("lower", b"get"), ("mixed", b"Get"), ("unknown", b"FOO"), ("token", b"!#$%&'*+-.^_`|~0Az")):
        yield Case(
            f"line-method-{name}",
            f"the method {method.decode()} is not taken for another one",
            "9110 9.1",
            MUST,
            request(method + b" /a HTTP/1.1"),
            either(refused(400, 405, 501), forwarded(method=method)),
        )
    for name, method in (
        ("at", b"G@T"),
        ("colon", b"GET:"),
        ("slash", b"GET/"),
        ("brackets", b"(GET)"),
        ("quotes", b'"GET"'),
        ("brace", b"{GET}"),
        ("nul", b"GE\x00T"),
        ("control", b"GE\x01T"),
        ("del", b"GE\x7fT"),
        ("non-ascii", b"G\xc3\x89T"),
        ("comma", b"GET,POST"),
        ("equals", b"GET=1"),
    ):
        send = request(method + b" /a HTTP/1.1")
        yield Case(f"line-method-bad-{name}", f"the method {method!r}", "9112 2.2", SHOULD, send, refused(400, 405, 501))
    send = request(b"A" * 5000 + b" /a HTTP/1.1")
    yield Case(
        "line-method-long",
        "a method of 5,000 letters",
        "9112 3",
        GOOD,
        send,
        either(refused(400, 405, 414, 431, 501), forwarded(method=b"A" * 5000)),
    )


def _versions():
    yield Case(
        "line-version-none",
        "no version, as in HTTP/0.9",
        "9112 3",
        SHOULD,
        [b"GET /a\r\n", HalfClose()],
        refused(400, 404, 426, 505),
        patience=5,
    )
    yield Case("line-version-none-fields", "no version, but fields", "9112 3", SHOULD, request(b"GET /a"), refused(400, 505))
    for name, version in (
        ("lower", b"http/1.1"),
        ("mixed", b"Http/1.1"),
        ("no-minor", b"HTTP/1"),
        ("no-digit", b"HTTP/1."),
        ("no-major", b"HTTP/.1"),
        ("letters", b"HTTP/x.y"),
        ("zero-before", b"HTTP/01.1"),
        ("zero-behind", b"HTTP/1.01"),
        ("two-digits", b"HTTP/1.10"),
        ("huge", b"HTTP/4294967297.1"),
        ("comma", b"HTTP/1,1"),
        ("space", b"HTTP/ 1.1"),
        ("space-2", b"HTTP /1.1"),
        ("sign", b"HTTP/+1.1"),
        ("minus", b"HTTP/-1.1"),
        ("other", b"ICY/1.1"),
        ("xhttp", b"XHTTP/1.1"),
        ("behind", b"HTTP/1.1x"),
        ("hex", b"HTTP/1.0x1"),
        ("slashes", b"HTTP//1.1"),
        ("nul", b"HTTP/1.1\x00"),
    ):
        send = request(b"GET /a " + version)
        yield Case(f"line-version-{name}", f"the version {version!r}", "9112 2.3", SHOULD, send, refused(400, 505))
    for version in (b"0.9", b"2.0", b"3.0", b"9.9"):
        yield Case(
            f"line-version-{version.decode()}",
            f"HTTP/{version.decode()} over a connection that speaks HTTP/1.1",
            "9110 15.6.6",
            GOOD,
            request(b"GET /a HTTP/" + version),
            refused(400, 426, 505),
        )
    for version in (b"1.2", b"1.9"):
        yield Case(
            f"line-version-{version.decode()}",
            f"HTTP/{version.decode()} is taken as HTTP/1.1",
            "9110 6.2",
            SHOULD,
            request(b"GET /a HTTP/" + version),
            passed(target=b"/a", version=b"1.1"),
        )
        yield Case(
            f"line-version-{version.decode()}-not-sent-on",
            f"HTTP/{version.decode()} is not the version sent on",
            "9112 2.3",
            MUST,
            request(b"GET /a HTTP/" + version),
            either(refused(400, 505), forwarded(target=b"/a", version=(b"1.1", b"1.0"))),
        )
    yield Case(
        "line-version-1.0",
        "a request in HTTP/1.0 is sent on in the proxy's own version",
        "9112 2.3",
        GOOD,
        request(b"GET /a HTTP/1.0"),
        passed(target=b"/a", version=b"1.1"),
    )


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
        # An unreserved byte may be written either way (RFC 3986, 6.2.2.2); nothing else may change.
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
        ("fragment-only", "a fragment behind the query", b"/a?b#c"),
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
        # What many clients send and a target can't hold; RFC 9112, 3.2 asks for 400 or a redirect.
        send = get(target)
        yield Case(f"line-target-{name}", f"{title} in the target", "9112 3.2", SHOULD, send, refused(400, 301, 308, 404, 403, 405))


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
        "the port of the target is sent on with it",
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
        passed(target=(b"/a", b"http://example.com/a"), has=host),
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
        yield Case(f"line-absolute-{name}", f"the target {target!r}", section, level, send, refused(400, 301, 403, 404, 421))
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
        "OPTIONS * is sent on as such, or answered",
        "9112 3.2.4",
        MUST,
        request(b"OPTIONS * HTTP/1.1"),
        either(both(forwarded(count=0), answered(*range(200, 600))), passed(target=b"*")),
    )
    yield Case(
        "line-options-absolute",
        "OPTIONS for a whole host in absolute form is sent on as *",
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
    yield from _spaces()
    yield from _leading_lines()
    yield from _methods()
    yield from _versions()
    yield from _targets()
    yield from _absolute()
    yield from _special_forms()
