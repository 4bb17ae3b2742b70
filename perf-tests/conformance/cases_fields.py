"""Field lines of requests: names, values, folds and control bytes (RFC 9110, 5; RFC 9112, 5)."""

from .case import GOOD, MUST, SHOULD, Case, get, request
from .check import both, either, forwarded, passed, refused


def _names():
    for name, line in (
        ("space", b"X-A : 1"),
        ("tab", b"X-A\t: 1"),
        ("spaces", b"X-A   : 1"),
        ("content-length", b"Content-Length : 5"),
        ("transfer-encoding", b"Transfer-Encoding : chunked"),
        ("host", b"Host : example.com"),
    ):
        send = get(b"/", line, host=None if name == "host" else b"example.com")
        title = f"white space before the colon: {line!r}"
        yield Case(f"field-colon-{name}", title, "9112 5.1", MUST, send, refused(400))
    for name, line in (
        ("none", b"X-A"),
        ("empty", b": 1"),
        ("inner-space", b"X A: 1"),
        ("at", b"X@A: 1"),
        ("slash", b"X/A: 1"),
        ("brackets", b"X(A): 1"),
        ("angle", b"<X>: 1"),
        ("quotes", b'"X": 1'),
        ("comma", b"X,A: 1"),
        ("semicolon", b"X;A: 1"),
        ("equals", b"X=A: 1"),
        ("question", b"X?: 1"),
        ("square", b"X[A]: 1"),
        ("brace", b"X{A}: 1"),
        ("backslash", b"X\\A: 1"),
        ("control", b"X\x01A: 1"),
        ("del", b"X\x7fA: 1"),
        ("vt", b"X-A\x0b: 1"),
        ("nul", b"X\x00A: 1"),
        ("non-ascii", b"X\xc3\xa4: 1"),
        ("iso", b"X\xe4: 1"),
        ("nbsp", b"Content-Length\xa0: 5"),
    ):
        yield Case(f"field-name-{name}", f"the field line {line!r}", "9112 2.2", SHOULD, get(b"/", line), refused(400))
    odd = b"!#$%&'*+-.^_`|~0aZ"
    yield Case(
        "field-name-token",
        "every byte that a name may have",
        "9110 5.1",
        MUST,
        get(b"/", odd + b": 1"),
        passed(has={odd.decode(): b"1"}),
    )
    for name, line in (("underscore", b"X_A: 1"), ("digit", b"1X: 1"), ("dot", b"X.A: 1")):
        # A valid name that gateway interfaces confuse with another one may be rejected.
        key = line.partition(b":")[0].decode()
        yield Case(
            f"field-name-{name}",
            f"the field line {line!r} passes",
            "9110 5.1",
            GOOD,
            get(b"/", line),
            passed(has={key: b"1"}),
        )


def _values():
    for name, line, value in (
        ("plain", b"X-A: 1", b"1"),
        ("no-space", b"X-A:1", b"1"),
        ("around", b"X-A: \t 1 \t ", b"1"),
        ("inner", b"X-A: a  b\tc", b"a  b\tc"),
        ("colon", b"X-A: b:c", b"b:c"),
        ("colon-first", b"X-A:: b", b": b"),
        ("obs-text", b"X-A: \xe4\xff\x80", b"\xe4\xff\x80"),
        ("utf-8", "X-A: \u00fc\u4e16".encode(), "\u00fc\u4e16".encode()),
        ("quoted", b'X-A: "a, \\"b\\""', b'"a, \\"b\\""'),
        ("comment", b"X-A: (a (b))", b"(a (b))"),
        ("all", b"X-A: " + bytes(range(0x21, 0x7F)), bytes(range(0x21, 0x7F))),
    ):
        yield Case(
            f"field-value-{name}",
            f"the field line {line!r} passes",
            "9110 5.5",
            MUST,
            get(b"/", line),
            passed(has={"X-A": value}),
        )
    yield Case(
        "field-value-empty",
        "an empty value passes",
        "9110 5.5",
        GOOD,
        get(b"/", b"X-A:"),
        passed(has={"X-A": b""}),
    )
    yield Case(
        "field-order",
        "lines of one name keep their order",
        "9110 5.3",
        MUST,
        get(b"/", b"X-A: 1", b"X-B: 9", b"x-a: 2", b"X-A: 3, 4"),
        passed(has={"X-A": b"1, 2, 3, 4"}),
    )
    yield Case(
        "field-repeated-kept",
        "unknown fields are forwarded",
        "9110 5.1",
        MUST,
        get(b"/", b"X-Unheard-Of: yes", b"Cookie: a=b; c=d", b"Authorization: Basic eA=="),
        passed(has={"X-Unheard-Of": b"yes", "Cookie": b"a=b; c=d", "Authorization": b"Basic eA=="}),
    )
    for byte in (0x00, 0x0D):
        name = {0: "nul", 13: "bare-cr"}[byte]
        one = bytes([byte])
        for place, line, replaced in (
            ("inner", b"X-A: a" + one + b"b", b"a b"),
            ("first", b"X-A:" + one + b"b", b"b"),
            ("last", b"X-A: a" + one, b"a"),
        ):
            section = "9110 5.5" if byte == 0 else "9112 2.2"
            yield Case(
                f"field-{name}-{place}",
                f"the field line {line!r} is refused, or the byte becomes a space",
                section,
                MUST,
                get(b"/", line),
                either(refused(400), passed(has={"X-A": replaced})),
            )
    for byte in (0x01, 0x08, 0x0B, 0x0C, 0x1B, 0x7F):
        yield Case(
            f"field-control-{byte:02x}",
            f"a value with the control byte {byte:02X}",
            "9110 5.5",
            GOOD,
            get(b"/", b"X-A: a" + bytes([byte]) + b"b"),
            refused(400),
        )


def _lines():
    for name, fold, values in (
        ("space", b"X-A: 1\r\n 2", (b"1 2",)),
        ("tab", b"X-A: 1\r\n\t2", (b"1 2",)),
        ("many", b"X-A: 1\r\n   \t 2\r\n  3", (b"1 2 3",)),
        ("empty", b"X-A: 1\r\n \r\n 2", (b"1 2",)),
        ("field", b"X-A: 1\r\n Host: evil.test", (b"1 Host: evil.test",)),
        ("length", b"X-A: 1\r\n Content-Length: 5", (b"1 Content-Length: 5",)),
        ("empty-value", b"X-A:\r\n 1", (b"1",)),
    ):
        squeezed = lambda value, values=values: b" ".join(value.split()) in values
        yield Case(
            f"field-fold-{name}",
            "a folded line is refused, or made one line",
            "9112 5.2",
            MUST,
            get(b"/", fold),
            either(refused(400), passed(has={"X-A": squeezed})),
        )
    yield Case(
        "field-fold-host",
        "a folded Host",
        "9112 5.2",
        MUST,
        request(b"GET / HTTP/1.1", b"Host: example.com\r\n .evil.test", host=None),
        refused(400),
    )
    yield Case(
        "field-bare-lf",
        "a bare LF ends a line, or the request is refused",
        "9112 2.2",
        MUST,
        get(b"/", b"X-A: 1\nX-B: 2"),
        either(refused(400), passed(has={"X-A": b"1", "X-B": b"2"})),
    )
    yield Case(
        "field-bare-lf-end",
        "a bare LF as the empty line",
        "9112 2.2",
        MUST,
        b"GET /a HTTP/1.1\r\nHost: example.com\r\n\nGET /b HTTP/1.1\r\nHost: example.com\r\n\r\n",
        either(refused(400), both(forwarded(count=2, target=b"/a"), forwarded(count=2, target=b"/b", at=1))),
        expect=2,
        patience=2,
    )
    yield Case(
        "field-cr-cr-lf",
        "CR CR LF as the end of a field line",
        "9112 2.2",
        MUST,
        get(b"/", b"X-A: 1\r", b"X-B: 2"),
        either(refused(400), passed(has={"X-A": b"1", "X-B": b"2"})),
    )
    yield Case(
        "field-cr-hides",
        "a bare CR starts no field line",
        "9112 2.2",
        MUST,
        get(b"/", b"X-A: 1\rX-B: 2"),
        either(refused(400), passed(has={"X-A": b"1 X-B: 2"}, lacks=("X-B",))),
    )


def cases():
    yield from _names()
    yield from _values()
    yield from _lines()
