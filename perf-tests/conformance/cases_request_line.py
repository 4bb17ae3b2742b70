"""Request lines: method, version, and the surrounding white space (RFC 9112, 2 and 3)."""

from .case import Case, GOOD, MUST, SHOULD, get, request
from .check import answered, both, either, forwarded, passed, refused

_BAD_LINE = refused(400, 301, 404, 405, 414, 501, 505)


def _spaces():
    """Parsing on white space is allowed (RFC 9112, 3), but not rewriting a target without a redirect."""
    target = passed(method=b"GET", target=b"/a")
    for name, title, line in (
        ("two-spaces-1", "two spaces after the method", b"GET  /a HTTP/1.1"),
        ("two-spaces-2", "two spaces after the target", b"GET /a  HTTP/1.1"),
        ("tab-1", "a tab after the method", b"GET\t/a HTTP/1.1"),
        ("tab-2", "a tab after the target", b"GET /a\tHTTP/1.1"),
        ("vt", "a vertical tab after the method", b"GET\x0b/a HTTP/1.1"),
        ("ff", "a form feed after the target", b"GET /a\x0cHTTP/1.1"),
        ("leading", "a space before the method", b" GET /a HTTP/1.1"),
        ("trailing", "a space after the version", b"GET /a HTTP/1.1 "),
        ("trailing-tab", "a tab after the version", b"GET /a HTTP/1.1\t"),
        ("bare-cr", "a bare CR after the method", b"GET\r/a HTTP/1.1"),
        ("bare-cr-end", "a bare CR after the version", b"GET /a HTTP/1.1\r"),
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
    yield Case(
        "line-empty-1", "one empty line before the request", "9112 2.2", SHOULD, b"\r\n" + whole, passed(target=b"/a")
    )
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
    for name, first in (
        ("space", b" X-First: 1"),
        ("tab", b"\tX-First: 1"),
        ("blank", b" "),
        ("host", b" Host: evil.test"),
    ):
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
            f"the method {method.decode()} is not read as another one",
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
        yield Case(
            f"line-method-bad-{name}", f"the method {method!r}", "9112 2.2", SHOULD, send, refused(400, 405, 501)
        )
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
        b"GET /a\r\n\r\n",
        refused(400, 404, 426, 505),
        patience=5,
    )
    yield Case(
        "line-version-none-fields", "no version, but fields", "9112 3", SHOULD, request(b"GET /a"), refused(400, 505)
    )
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
            f"HTTP/{version.decode()} is handled as HTTP/1.1",
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
        "a request in HTTP/1.0 is forwarded in the proxy's own version",
        "9112 2.3",
        MUST,
        request(b"GET /a HTTP/1.0"),
        passed(target=b"/a", version=b"1.1"),
    )


def cases():
    yield from _spaces()
    yield from _leading_lines()
    yield from _methods()
    yield from _versions()
