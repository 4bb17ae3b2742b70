"""Messages above and below the size limits (RFC 9110, 5.4; RFC 9112, 3; RFC 6585, 5)."""

from .case import GOOD, MUST, SHOULD, Case, get
from .check import passed, refused

_TOO_LARGE = refused(*range(400, 500))


def cases():
    target = b"/" + b"a" * 7984
    yield Case(
        "limit-line-8000", "a request line of 8,000 bytes passes", "9112 3", SHOULD, get(target), passed(target=target)
    )
    for size in (70_000, 300_000):
        yield Case(
            f"limit-target-{size}",
            f"a target of {size} bytes is answered 414",
            "9112 3",
            MUST,
            get(b"/" + b"a" * size),
            refused(414),
        )
    yield Case(
        "limit-query-70000",
        "a query of 70,000 bytes is answered 414",
        "9112 3",
        MUST,
        get(b"/?" + b"a" * 70_000),
        refused(414),
    )
    value = b"v" * 7900
    yield Case(
        "limit-field-8k",
        "a field of 8 KB passes",
        "9110 5.4",
        GOOD,
        get(b"/", b"X-A: " + value),
        passed(has={"X-A": value}),
    )
    many = [b"X-%d: 1" % i for i in range(80)]
    yield Case("limit-fields-80", "80 fields pass", "9110 5.4", GOOD, get(b"/", *many), passed(has={"X-79": b"1"}))
    for name, fields in (
        ("one-300k", [b"X-A: " + b"v" * 300_000]),
        ("name-100k", [b"X" * 100_000 + b": 1"]),
        ("total-500k", [b"X-%d: " % i + b"v" * 5000 for i in range(100)]),
        ("many-5000", [b"X-%d: 1" % i for i in range(5000)]),
        ("many-same", [b"X-A: 1"] * 5000),
        ("many-empty", [b"X:"] * 20_000),
        ("fold-200k", [b"X-A: 1\r\n " + b"v" * 200_000]),
    ):
        send = get(b"/", *fields)
        title = f"a header section that is far too large: {name}"
        yield Case(f"limit-{name}", title, "9110 5.4", MUST, send, _TOO_LARGE)
        if name != "fold-200k":
            yield Case(f"limit-{name}-431", f"{title}, answered 431", "6585 5", GOOD, send, refused(431))
    yield Case(
        "limit-no-end",
        "a field line that never ends",
        "9110 5.4",
        MUST,
        get(b"/", b"X-A: " + b"v" * 400_000)[:-4],
        _TOO_LARGE,
    )
