"""Status lines and fields of the origin's responses (RFC 9112, 4 and 5; RFC 9110, 15)."""

from .case import Case, Close, GOOD, MUST, Pause, SHOULD, get, response
from .check import answered, both, cut, either

_BAD = answered(502)
_OK = b"HTTP/1.1 200 OK"


def _case(name, title, section, level, answer, check, send=None, **more):
    answers = more.pop("answers", (answer,))
    return Case(f"answer-{name}", title, section, level, send or get(b"/a"), check, answers=answers, **more)


def _status_lines():
    five = b"Content-Length: 5"
    for name, line in (
        ("no-version", b"200 OK"),
        ("lower", b"http/1.1 200 OK"),
        ("other", b"ICY 200 OK"),
        ("no-status", b"HTTP/1.1"),
        ("letters", b"HTTP/1.1 abc OK"),
        ("two-digits", b"HTTP/1.1 20 OK"),
        ("four-digits", b"HTTP/1.1 2000 OK"),
        ("minus", b"HTTP/1.1 -200 OK"),
        ("plus", b"HTTP/1.1 +200 OK"),
        ("joined", b"HTTP/1.1200 OK"),
        ("letter-behind", b"HTTP/1.1 200x OK"),
        ("space-first", b" HTTP/1.1 200 OK"),
        ("2.0", b"HTTP/2.0 200 OK"),
        ("nul", b"HTTP/1.1 200\x00OK"),
        ("garbage", b"\x15\x03\x01\x00\x02"),
        ("version", b"HTTP/1.1.1 200 OK"),
    ):
        sent_on = lambda seen, line=line: "it was sent on" if seen.received.startswith(line + b"\r\n") else None
        answer = (response(line, five, body=b"hello"), Pause(0.1), Close())
        yield _case(f"status-{name}", f"the status line {line!r}", "9110 15.6.3", GOOD, answer, _BAD, patience=4)
        yield _case(
            f"status-{name}-kept",
            f"the status line {line!r} is never sent on",
            "9110 2.2",
            MUST,
            answer,
            sent_on,
            patience=4,
        )
    for status in (0, 42, 99):
        yield _case(
            f"status-{status:03}",
            f"the status {status:03}",
            "9110 15",
            SHOULD,
            response(b"HTTP/1.1 %03d X" % status, five, body=b"hello"),
            answered(*range(500, 600)),
            patience=4,
        )
    for status in (600, 999):
        yield _case(
            f"status-{status}",
            f"the status {status} is processed as 5xx",
            "9110 15",
            SHOULD,
            response(b"HTTP/1.1 %d X" % status, five, body=b"hello"),
            answered(*range(500, 600)),
        )
    for status in (299, 399, 418, 451, 499, 599):
        yield _case(
            f"status-{status}",
            f"the status {status} passes",
            "9110 15",
            MUST,
            response(b"HTTP/1.1 %d X" % status, five, body=b"hello"),
            answered(status, body=b"hello"),
        )
    for name, line in (("no-reason", b"HTTP/1.1 200 "), ("no-reason-no-space", b"HTTP/1.1 200")):
        level = MUST if name == "no-reason" else GOOD
        title = "no reason phrase" + ("" if level == MUST else ", and no space before it")
        answer = response(line, five, body=b"hello")
        check = answered(body=b"hello") if level == MUST else either(_BAD, answered(body=b"hello"))
        yield _case(f"status-{name}", title, "9112 4", level, answer, check)
    yield _case(
        "status-reason-obs-text",
        "a reason phrase with obs-text and tabs",
        "9112 4",
        MUST,
        response(b"HTTP/1.1 200 \xe4\tb", five, body=b"hello"),
        answered(body=b"hello"),
    )
    yield _case(
        "status-reason-long",
        "a reason phrase of 100 KB",
        "9112 4",
        GOOD,
        response(b"HTTP/1.1 200 " + b"x" * 100_000, five, body=b"hello"),
        either(_BAD, answered(body=b"hello")),
    )
    yield _case(
        "status-reason-nul",
        "a reason phrase with NUL",
        "9112 4",
        GOOD,
        response(b"HTTP/1.1 200 a\x00b", five, body=b"hello"),
        either(_BAD, answered(body=b"hello")),
    )
    yield _case(
        "status-reason-cr",
        "a reason phrase with a bare CR",
        "9112 2.2",
        MUST,
        response(b"HTTP/1.1 200 a\rX-Evil: 1", five, body=b"hello"),
        either(_BAD, answered(body=b"hello", lacks=("X-Evil",)), cut()),
    )


def _fields():
    five = b"Content-Length: 5"
    for name, line, value in (
        ("space-colon", b"X-A : 1", b"1"),
        ("tab-colon", b"X-A\t: 1", b"1"),
    ):
        yield _case(
            f"field-{name}",
            "white space before the colon is removed, or the response rejected",
            "9112 5.1",
            MUST,
            response(_OK, five, line, body=b"hello"),
            either(_BAD, answered(body=b"hello", has={"X-A": value})),
        )
    for name, line in (("fold", b"X-A: 1\r\n 2"), ("fold-tab", b"X-A: 1\r\n\t2"), ("fold-twice", b"X-A: 1\r\n 2\r\n")):
        squeezed = lambda value: b" ".join(value.split()) == b"1 2"
        yield _case(
            f"field-{name}",
            "a folded line becomes one line, or the response is rejected",
            "9112 5.2",
            MUST,
            response(_OK, five, line.rstrip(), body=b"hello"),
            either(_BAD, answered(body=b"hello", has={"X-A": squeezed})),
        )
    for name, line, values in (
        ("nul", b"X-A: a\x00b", (b"a b",)),
        ("bare-cr", b"X-A: a\rb", (b"a b",)),
        ("bare-cr-field", b"X-A: a\rX-Evil: 1", (b"a X-Evil: 1",)),
    ):
        yield _case(
            f"field-{name}",
            f"the field line {line!r} is refused, or the byte becomes a space",
            "9110 5.5",
            MUST,
            response(_OK, five, line, body=b"hello"),
            either(
                _BAD,
                answered(body=b"hello", has={"X-A": lambda value, values=values: value in values}, lacks=("X-Evil",)),
            ),
        )
    for name, line in (
        ("no-colon", b"X-A"),
        ("empty-name", b": 1"),
        ("bad-name", b"X@A: 1"),
        ("name-space", b"X A: 1"),
        ("name-control", b"X\x01A: 1"),
        ("name-non-ascii", b"X\xe4: 1"),
    ):
        yield _case(
            f"field-{name}",
            f"the field line {line!r} is dropped, or the response rejected",
            "9110 2.2",
            MUST,
            response(_OK, five, line, body=b"hello"),
            either(_BAD, answered(body=b"hello")),
        )
    yield _case(
        "field-obs-text",
        "obs-text in a value passes",
        "9110 5.5",
        MUST,
        response(_OK, five, b"X-A: \xe4\xff", body=b"hello"),
        answered(body=b"hello", has={"X-A": b"\xe4\xff"}),
    )
    yield _case(
        "field-lf",
        "LF alone as the end of every line",
        "9112 2.2",
        MUST,
        response(_OK, five, b"X-A: 1", body=b"hello").replace(b"\r\n", b"\n"),
        either(_BAD, answered(body=b"hello", has={"X-A": b"1"})),
    )
    yield _case(
        "field-set-cookie",
        "lines of Set-Cookie are not joined",
        "9110 5.3",
        MUST,
        response(_OK, five, b"Set-Cookie: a=1, b", b"Set-Cookie: c=2", body=b"hello"),
        both(
            answered(body=b"hello"),
            lambda seen: (
                None
                if seen.finals[0].values("Set-Cookie") == [b"a=1, b", b"c=2"]
                else f"Set-Cookie {seen.finals[0].values('Set-Cookie')}"
            ),
        ),
    )
    yield _case(
        "field-order",
        "lines of one name keep their order",
        "9110 5.3",
        MUST,
        response(_OK, five, b"X-A: 1", b"X-B: 9", b"x-a: 2", body=b"hello"),
        answered(has={"X-A": b"1, 2"}),
    )
    yield _case(
        "head-3k",
        "a head of 3 KB passes",
        "9110 5.4",
        GOOD,
        response(_OK, five, b"X-A: " + b"a" * 3000, body=b"hello"),
        answered(body=b"hello", has={"X-A": b"a" * 3000}),
    )
    yield _case(
        "head-oversized",
        "a head of 2 MB is refused, or passes whole",
        "9110 5.4",
        GOOD,
        response(_OK, five, *[b"X-%d: " % i + b"a" * 1000 for i in range(2000)], body=b"hello"),
        either(_BAD, answered(body=b"hello", has={"X-1999": b"a" * 1000})),
    )


def cases():
    yield from _status_lines()
    yield from _fields()
