"""Transfer-Encoding of requests (RFC 9112, 6.1, 6.3 and 7)."""

from .case import Case, HELLO, MUST, SHOULD, SMUGGLED, post
from .check import either, passed, refused

_NO_CODING = refused(400, 501, close=True)
_ANY_FIVE = passed(body=b"hello")


def _codings():
    for name, value in (
        ("plain", b" chunked"),
        ("case", b" Chunked"),
        ("upper", b" CHUNKED"),
        ("tight", b"chunked"),
        ("around", b" \t chunked \t"),
    ):
        send = post(b"Transfer-Encoding:" + value, body=HELLO)
        yield Case(f"coding-{name}", f"the Transfer-Encoding {value!r}", "9112 7.1", MUST, send, _ANY_FIVE)
    bad = (
        ("unknown", b"foo"),
        ("gzip", b"gzip"),
        ("identity", b"identity"),
        ("not-final", b"chunked, gzip"),
        ("not-final-identity", b"chunked, identity"),
        ("twice", b"chunked, chunked"),
        ("gzip-chunked", b"gzip, chunked"),
        ("identity-chunked", b"identity, chunked"),
        ("unknown-chunked", b"foo, chunked"),
        ("quotes", b'"chunked"'),
        ("apostrophes", b"'chunked'"),
        ("word-before", b"x chunked"),
        ("word-behind", b"chunked x"),
        ("letter-before", b"xchunked"),
        ("letter-behind", b"chunkedx"),
        ("short", b"chunk"),
        ("vt-before", b"\x0bchunked"),
        ("vt-behind", b"chunked\x0b"),
        ("ff-before", b"\x0cchunked"),
        ("control", b"\x01chunked"),
        ("del", b"chunked\x7f"),
        ("nbsp", b"\xa0chunked"),
        ("tab-inner", b"chun\tked"),
        ("semicolon", b"chunked;"),
        ("colon", b": chunked"),
        ("slash", b"chunked/1.1"),
        ("brackets", b"(chunked)"),
        ("equals", b"chunked=1"),
        ("long-s", "chun\u212aed".encode()),
        ("dot", b"chunked."),
    )
    for name, value in bad:
        line = b"Transfer-Encoding: " + value
        title = f"the Transfer-Encoding {value!r}"
        # With chunked as the last coding, no RFC defines the status for unsupported codings.
        ends_chunked = value.endswith(b", chunked")
        check = refused() if ends_chunked else _NO_CODING
        yield Case(f"coding-bad-{name}", title, "9112 6.3", MUST, post(line, body=HELLO), check)
        # A parser that uses the length sees one request here, a parser that uses the coding sees two.
        body = b"0\r\n\r\n" + SMUGGLED
        yield Case(
            f"coding-hidden-{name}",
            f"{title}, and a Content-Length",
            "9112 6.3",
            MUST,
            post(line, b"Content-Length: %d" % len(body), body=body),
            refused(close=True) if ends_chunked else _NO_CODING,
        )
    yield Case(
        "coding-parameter",
        "chunked has no parameters",
        "9112 7.1",
        SHOULD,
        post(b"Transfer-Encoding: chunked;q=1", body=HELLO),
        refused(400, 501),
    )
    yield Case(
        "coding-unknown-501",
        "an unknown coding before chunked is answered 501",
        "9112 6.1",
        SHOULD,
        post(b"Transfer-Encoding: foo, chunked", body=HELLO),
        refused(501),
    )
    for name, value in (("comma-before", b", chunked"), ("comma-behind", b"chunked,"), ("commas", b" ,, chunked, ,")):
        yield Case(
            f"coding-{name}",
            f"empty list elements in {value!r} mean nothing",
            "9110 5.6.1",
            MUST,
            post(b"Transfer-Encoding: " + value, body=HELLO),
            either(refused(), _ANY_FIVE),
        )
    for name, value in (("empty", b""), ("comma", b",")):
        yield Case(
            f"coding-none-{name}",
            f"a Transfer-Encoding that names no coding: {value!r}",
            "9112 6.3",
            MUST,
            post(b"Transfer-Encoding: " + value, body=HELLO),
            _NO_CODING,
        )
    for name, value, extra in (
        ("bare-cr", b"\rchunked", b""),
        ("fold", b"\r\n chunked", b""),
        ("fold-tab", b"\r\n\tchunked", b""),
        ("nul", b" \x00chunked", b""),
        ("lf", b" chunked\nX-A: 1", b""),
    ):
        yield Case(
            f"coding-{name}",
            f"Transfer-Encoding hidden as {value!r} is refused, or seen",
            "9112 5.2" if "fold" in name else "9112 2.2",
            MUST,
            post(b"Transfer-Encoding:" + value, body=HELLO),
            either(refused(), _ANY_FIVE),
        )


def _coding_lines():
    for name, first, second in (
        ("twice", b"chunked", b"chunked"),
        ("identity-behind", b"chunked", b"identity"),
        ("identity-before", b"identity", b"chunked"),
        ("unknown-behind", b"chunked", b"foo"),
        ("unknown-before", b"foo", b"chunked"),
    ):
        send = post(b"Transfer-Encoding: " + first, b"Transfer-Encoding: " + second, body=HELLO)
        title = f"Transfer-Encoding {first!r}, and again {second!r}"
        check = refused() if second == b"chunked" else _NO_CODING
        yield Case(f"coding-two-{name}", title, "9112 6.3", MUST, send, check)
    for name, first, second in (("empty-before", b"", b"chunked"), ("empty-behind", b"chunked", b"")):
        yield Case(
            f"coding-two-{name}",
            "an empty Transfer-Encoding line beside chunked",
            "9110 5.6.1",
            MUST,
            post(b"Transfer-Encoding: " + first, b"Transfer-Encoding: " + second, body=HELLO),
            either(refused(), _ANY_FIVE),
        )
    for name, line in (("underscore", b"Transfer_Encoding: chunked"), ("prefix", b"X-Transfer-Encoding: chunked")):
        yield Case(
            f"coding-not-{name}",
            f"{line.partition(b':')[0].decode()} is another field",
            "9110 5.1",
            MUST,
            post(line, b"Content-Length: 5", body=b"hello"),
            either(refused(400), _ANY_FIVE),
        )


def cases():
    yield from _codings()
    yield from _coding_lines()
