"""Where a request ends: Content-Length and Transfer-Encoding (RFC 9112, 6; RFC 9110, 8.6)."""

from .case import CHUNKED, GOOD, HELLO, MUST, SHOULD, SMUGGLED, Case, get, post, request
from .check import answered, both, closed, either, forwarded, never_whole, passed, refused

_NO_CODING = refused(400, 501, close=True)
_FIVE = passed(body=b"hello", has={"Content-Length": b"5"}, lacks=("Transfer-Encoding",))
_ANY_FIVE = passed(body=b"hello")


def _length_values():
    for name, value in (
        ("plus", b"+5"),
        ("minus", b"-5"),
        ("minus-zero", b"-0"),
        ("hex", b"0x5"),
        ("hex-digit", b"a"),
        ("octal", b"0o5"),
        ("fraction", b"5.0"),
        ("exponent", b"5e0"),
        ("word", b"five"),
        ("letters-behind", b"5x"),
        ("letters-before", b"x5"),
        ("space", b"5 0"),
        ("tab", b"5\t5"),
        ("semicolon", b"5;a=b"),
        ("quotes", b'"5"'),
        ("apostrophes", b"'5'"),
        ("underscore", b"0_5"),
        ("vt", b"\x0b5"),
        ("ff", b"5\x0c"),
        ("nbsp", b"\xa05"),
        ("full-width", "\uff15".encode()),
        ("arabic", "\u0665".encode()),
        ("empty", b""),
        ("blank", b"  \t"),
        ("unequal", b"5, 6"),
        ("unequal-tight", b"6,5"),
        ("unequal-zero", b"0, 5"),
        ("list-bad", b"5, x"),
        ("list-plus", b"5, +5"),
        ("comma-only", b","),
    ):
        send = post(b"Content-Length: " + value, body=b"hello")
        title = f"the Content-Length {value!r}"
        yield Case(f"length-bad-{name}", title, "9112 6.3", MUST, send, refused(400, close=True))
    for name, value in (("equal", b"5, 5"), ("equal-tight", b"5,5"), ("equal-three", b"5, 5 ,5"), ("list-end", b"5,"), ("list-begin", b",5")):
        send = post(b"Content-Length: " + value, body=b"hello")
        title = f"the Content-Length {value!r} is refused, or becomes one 5"
        yield Case(f"length-list-{name}", title, "9110 8.6", MUST, send, either(refused(400), _FIVE))
    for name, value, length in (
        ("2-64", b"18446744073709551621", 5),
        ("2-63", b"9223372036854775813", 5),
        ("2-128", b"340282366920938463463374607431768211461", 5),
        ("long", b"9" * 400, 5),
        ("2-32", b"4294967301", 5),
        ("2-31", b"2147483653", 5),
    ):
        yield Case(
            f"length-overflow-{name}",
            f"the Content-Length {value[:40].decode()} is not taken for {length}",
            "9110 8.6",
            MUST,
            post(b"Content-Length: " + value, body=b"hello" + SMUGGLED),
            either(refused(400, 413), never_whole),
            patience=1.5,
        )
    for name, value in (("zeros", b"0005"), ("many-zeros", b"0" * 30 + b"5")):
        yield Case(
            f"length-{name}",
            "leading zeros are valid and mean nothing",
            "9110 8.6",
            MUST,
            post(b"Content-Length: " + value, body=b"hello"),
            either(refused(400), _ANY_FIVE),
        )
    yield Case(
        "length-not-octal",
        "010 means ten",
        "9110 8.6",
        MUST,
        post(b"Content-Length: 010", body=b"helloworld"),
        either(refused(400), passed(body=b"helloworld")),
    )
    yield Case("length-plain", "a body with its length", "9112 6.3", MUST, post(b"Content-Length: 5", body=b"hello"), _FIVE)
    yield Case(
        "length-around",
        "white space around the length",
        "9112 5.1",
        MUST,
        post(b"Content-Length: \t 5 \t", body=b"hello"),
        _FIVE,
    )


def _length_lines():
    for name, first, second in (
        ("5-6", b"Content-Length: 5", b"Content-Length: 6"),
        ("6-5", b"Content-Length: 6", b"Content-Length: 5"),
        ("0-5", b"Content-Length: 0", b"Content-Length: 5"),
        ("5-0", b"Content-Length: 5", b"content-length: 0"),
        ("5-empty", b"Content-Length: 5", b"Content-Length:"),
        ("5-bad", b"Content-Length: 5", b"Content-Length: x"),
        ("bad-5", b"Content-Length: +5", b"Content-Length: 5"),
    ):
        send = post(first, second, body=b"hello")
        yield Case(f"length-two-{name}", "two Content-Length fields that differ", "9112 6.3", MUST, send, refused(400, close=True))
    for name, second in (("equal", b"Content-Length: 5"), ("equal-case", b"CONTENT-LENGTH: 5")):
        yield Case(
            f"length-two-{name}",
            "two equal Content-Length fields are refused, or become one",
            "9110 8.6",
            MUST,
            post(b"Content-Length: 5", second, body=b"hello"),
            either(refused(400), _FIVE),
        )
    yield Case(
        "length-two-apart",
        "two Content-Length fields that differ, others between them",
        "9112 6.3",
        MUST,
        post(b"Content-Length: 5", b"X-A: 1", b"X-B: 2", b"Content-Length: 50", body=b"hello"),
        refused(400, close=True),
    )
    yield Case(
        "length-fold",
        "a folded Content-Length",
        "9112 5.2",
        MUST,
        post(b"Content-Length:\r\n 5", body=b"hello"),
        either(refused(400), _FIVE),
    )
    yield Case(
        "length-fold-digits",
        "a fold between two digits",
        "9112 5.2",
        MUST,
        post(b"Content-Length: 1\r\n 0", body=b"helloworld"),
        refused(400, close=True),
    )
    yield Case(
        "length-lf",
        "a Content-Length behind a bare LF",
        "9112 2.2",
        MUST,
        post(b"X-A: 1\nContent-Length: 5", body=b"hello"),
        either(refused(400), _FIVE),
    )
    yield Case(
        "length-cr",
        "a Content-Length behind a bare CR",
        "9112 2.2",
        MUST,
        get(b"/a", b"X-A: 1\rContent-Length: 5"),
        either(refused(400), passed(target=b"/a", body=b"")),
    )
    for name, line in (("underscore", b"Content_Length: %d"), ("dash", b"Content--Length: %d"), ("prefix", b"X-Content-Length: %d")):
        yield Case(
            f"length-not-{name}",
            f"{line.partition(b':')[0].decode()} is another field",
            "9110 5.1",
            MUST,
            get(b"/a", line % len(SMUGGLED)) + get(b"/b"),
            either(refused(400), both(forwarded(count=2, target=b"/b", at=1), answered(at=1))),
            expect=2,
            patience=3,
        )


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
        yield Case(f"coding-bad-{name}", title, "9112 6.3", MUST, post(line, body=HELLO), _NO_CODING)
        # Whoever goes by the length sees one request here, whoever goes by the coding sees two.
        body = b"0\r\n\r\n" + SMUGGLED
        yield Case(
            f"coding-hidden-{name}",
            f"{title}, and a Content-Length",
            "9112 6.3",
            MUST,
            post(line, b"Content-Length: %d" % len(body), body=body),
            _NO_CODING,
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
            either(refused(400, 501), _ANY_FIVE),
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
            either(refused(400, 501), _ANY_FIVE),
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
        yield Case(f"coding-two-{name}", f"Transfer-Encoding {first!r}, and again {second!r}", "9112 6.3", MUST, send, _NO_CODING)
    for name, first, second in (("empty-before", b"", b"chunked"), ("empty-behind", b"chunked", b"")):
        yield Case(
            f"coding-two-{name}",
            "an empty Transfer-Encoding line beside chunked",
            "9110 5.6.1",
            MUST,
            post(b"Transfer-Encoding: " + first, b"Transfer-Encoding: " + second, body=HELLO),
            either(refused(400, 501), _ANY_FIVE),
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


def _both():
    rejected = refused(400, close=True)
    by_coding = both(forwarded(body=b"hello", lacks=("Content-Length",)), answered(200), closed)
    hello_by_length = b"Content-Length: %d" % len(HELLO)
    for name, fields in (
        ("length-first", (hello_by_length, CHUNKED)),
        ("coding-first", (CHUNKED, hello_by_length)),
        ("length-short", (b"Content-Length: 3", CHUNKED)),
        ("length-zero", (b"Content-Length: 0", CHUNKED)),
        ("length-bad", (b"Content-Length: x", CHUNKED)),
        ("length-long", (b"Content-Length: 500", CHUNKED)),
        ("coding-case", (hello_by_length, b"TRANSFER-ENCODING: Chunked")),
    ):
        yield Case(
            f"both-{name}",
            "Transfer-Encoding and Content-Length: refused, or without the length; closed behind it",
            "9112 6.3",
            MUST,
            post(*fields, body=HELLO),
            either(rejected, by_coding),
        )
    body = b"0\r\n\r\n" + SMUGGLED
    yield Case(
        "both-hides-request",
        "what follows the chunks of a request that has a length too is not served",
        "9112 6.1",
        MUST,
        post(b"Content-Length: %d" % len(body), CHUNKED, body=body),
        either(rejected, both(forwarded(body=b"", lacks=("Content-Length",)), closed)),
    )
    inner = b"%x\r\n" % len(SMUGGLED) + SMUGGLED + b"\r\n0\r\n\r\n"
    yield Case(
        "both-hides-in-chunk",
        "a request within a chunk is not served",
        "9112 6.3",
        MUST,
        post(b"Content-Length: 4", CHUNKED, body=inner),
        either(rejected, both(forwarded(body=SMUGGLED, lacks=("Content-Length",)), closed)),
    )
    for name, fields, body, whole in (
        ("plain", (CHUNKED,), HELLO, b"hello"),
        ("length", (CHUNKED, hello_by_length), HELLO, b"hello"),
        ("keep-alive", (CHUNKED, b"Connection: keep-alive"), HELLO, b"hello"),
    ):
        yield Case(
            f"both-1.0-{name}",
            "Transfer-Encoding in HTTP/1.0 is faulty framing: the connection ends behind it",
            "9112 6.1",
            MUST,
            request(b"POST / HTTP/1.0", *fields, body=body),
            both(closed, either(refused(400, 411, 501, 505), passed(body=whole, lacks=("Content-Length",)))),
        )


def _bodies():
    for method in (b"GET", b"DELETE", b"OPTIONS", b"HEAD"):
        name = method.decode().lower()
        line = method + b" /a HTTP/1.1"
        methods = (method, b"GET")
        for kind, fields, body in (("length", (b"Content-Length: 5",), b"hello"), ("chunked", (CHUNKED,), HELLO)):
            passes = both(
                forwarded(count=2, method=method, body=b"hello"),
                forwarded(count=2, target=b"/b", at=1),
                answered(at=1),
            )
            yield Case(
                f"body-{name}-{kind}",
                f"{method.decode()} with a body is refused, or passes with it, and so does what follows",
                "9112 6.3",
                MUST,
                request(line, *fields, body=body) + get(b"/b"),
                either(refused(400, 405, 411, 413, 501), passes),
                methods=methods,
                expect=2,
                patience=3,
            )
    yield Case(
        "body-get-zero",
        "GET with a length of zero",
        "9112 6.3",
        MUST,
        get(b"/a", b"Content-Length: 0"),
        passed(method=b"GET", body=b""),
    )
    yield Case(
        "body-post-none",
        "POST without length and coding has no body",
        "9112 6.3",
        MUST,
        post(target=b"/a") + get(b"/b"),
        either(refused(411), both(forwarded(count=2, target=b"/b", at=1), answered(at=1))),
        expect=2,
    )
    yield Case(
        "body-post-zero",
        "POST with a length of zero, and a request behind it",
        "9112 6.3",
        MUST,
        post(b"Content-Length: 0", target=b"/a") + get(b"/b"),
        both(forwarded(count=2, target=b"/b", at=1), answered(at=1)),
        expect=2,
    )
    big = bytes(range(256)) * 4096
    yield Case(
        "body-megabyte",
        "a megabyte of all bytes arrives as it was sent",
        "9110 6.4",
        MUST,
        post(b"Content-Length: %d" % len(big), body=big),
        passed(body=big),
    )
    yield Case(
        "body-spill",
        "bytes behind the body are no part of it",
        "9112 6.3",
        MUST,
        post(b"Content-Length: 5", body=b"hello" + get(b"/b")),
        both(forwarded(count=2, body=b"hello"), forwarded(count=2, target=b"/b", at=1), answered(at=1)),
        expect=2,
    )
    yield Case(
        "body-junk-behind",
        "junk behind the body is an invalid request of its own",
        "9112 2.2",
        SHOULD,
        post(b"Content-Length: 5", body=b"hello\x00\x01junk junk\r\n\r\n"),
        both(forwarded(body=b"hello"), answered(200), answered(400, 501, 505, at=1), closed),
        expect=2,
        patience=5,
    )


def cases():
    yield from _length_values()
    yield from _length_lines()
    yield from _codings()
    yield from _coding_lines()
    yield from _both()
    yield from _bodies()
