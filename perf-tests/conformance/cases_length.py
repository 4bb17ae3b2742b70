"""Content-Length of requests (RFC 9112, 6.3; RFC 9110, 8.6)."""

from .case import Case, MUST, SMUGGLED, get, post
from .check import answered, both, either, forwarded, never_whole, passed, refused

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
    for name, value in (
        ("equal", b"5, 5"),
        ("equal-tight", b"5,5"),
        ("equal-three", b"5, 5 ,5"),
        ("list-end", b"5,"),
        ("list-begin", b",5"),
    ):
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
            f"the Content-Length {value[:40].decode()} is not read as {length}",
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
    yield Case(
        "length-plain", "a body with its length", "9112 6.3", MUST, post(b"Content-Length: 5", body=b"hello"), _FIVE
    )
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
        yield Case(
            f"length-two-{name}",
            "two Content-Length fields that differ",
            "9112 6.3",
            MUST,
            send,
            refused(400, close=True),
        )
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
        "a Content-Length after a bare LF",
        "9112 2.2",
        MUST,
        post(b"X-A: 1\nContent-Length: 5", body=b"hello"),
        either(refused(400), _FIVE),
    )
    yield Case(
        "length-cr",
        "a Content-Length after a bare CR",
        "9112 2.2",
        MUST,
        get(b"/a", b"X-A: 1\rContent-Length: 5"),
        either(refused(400), passed(target=b"/a", body=b"")),
    )
    for name, line in (
        ("underscore", b"Content_Length: %d"),
        ("dash", b"Content--Length: %d"),
        ("prefix", b"X-Content-Length: %d"),
    ):
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


def cases():
    yield from _length_values()
    yield from _length_lines()
