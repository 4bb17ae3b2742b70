"""Expect: 100-continue (RFC 9110, 10.1.1)."""

from .case import (
    AwaitAnswers,
    AwaitBody,
    AwaitContinue,
    CHUNKED,
    Case,
    ContinueIfExpected,
    GOOD,
    HELLO,
    MUST,
    Pause,
    SMUGGLED,
    get,
    ok,
    post,
    request,
    response,
)
from .check import answered, both, either, forwarded, passed, refused


def _expect():
    head = post(b"Content-Length: 5", b"Expect: 100-continue")
    asked = (ContinueIfExpected(), AwaitBody(), ok())
    got_100 = lambda seen: None if 100 in [one.status for one in seen.interim] else "no 100"
    yield Case(
        "expect-waits",
        "a client that waits for 100 gets it, or a final response, within two seconds",
        "9110 10.1.1",
        MUST,
        [head, AwaitContinue(2), b"hello"],
        both(got_100, passed(body=b"hello")),
        answers=(asked,),
    )
    yield Case(
        "expect-waits-origin-silent",
        "the same if the origin sends no 100 before it has the body",
        "9110 10.1.1",
        GOOD,
        [head, AwaitContinue(1), b"hello"],
        passed(body=b"hello"),
        patience=4,
    )
    yield Case(
        "expect-case",
        "100-Continue in other cases",
        "9110 10.1.1",
        MUST,
        [post(b"Content-Length: 5", b"Expect: 100-CONTINUE"), AwaitContinue(2), b"hello"],
        both(got_100, passed(body=b"hello")),
        answers=(asked,),
    )
    yield Case(
        "expect-chunked",
        "100-continue with a chunked body",
        "9110 10.1.1",
        MUST,
        [post(CHUNKED, b"Expect: 100-continue"), AwaitContinue(2), HELLO],
        both(got_100, passed(body=b"hello")),
        answers=(asked,),
    )
    yield Case(
        "expect-body-at-once",
        "100-continue, and the body comes at once",
        "9110 10.1.1",
        MUST,
        head + b"hello",
        passed(body=b"hello"),
        answers=(asked,),
    )
    yield Case(
        "expect-no-body",
        "100-continue on a request without a body",
        "9110 10.1.1",
        MUST,
        get(b"/a", b"Expect: 100-continue"),
        either(refused(400, 417), passed(target=b"/a")),
    )
    yield Case(
        "expect-1.0",
        "100-continue in HTTP/1.0 is ignored",
        "9110 10.1.1",
        MUST,
        request(b"POST / HTTP/1.0", b"Content-Length: 5", b"Expect: 100-continue", body=b"hello"),
        both(passed(body=b"hello"), lambda seen: "an interim response was sent" if seen.interim else None),
    )
    yield Case(
        "expect-refused-by-origin",
        "a final response instead of 100 reaches the waiting client",
        "9110 10.1.1",
        GOOD,
        [head, AwaitAnswers()],
        answered(403),
        answers=((response(b"HTTP/1.1 403 Forbidden", b"Content-Length: 0", b"Connection: close"), AwaitBody()),),
        patience=3,
    )
    yield Case(
        "expect-refused-then-body",
        "a final response instead of 100: a body follows or the connection ends, never a request in the body",
        "9110 10.1.1",
        MUST,
        [
            post(b"Content-Length: %d" % len(SMUGGLED), b"Expect: 100-continue"),
            AwaitAnswers(),
            SMUGGLED,
            Pause(0.1),
            get(b"/b"),
        ],
        lambda seen: "it was served" if any(one.target == b"/smuggled" for one in seen.requests) else None,
        answers=((response(b"HTTP/1.1 403 Forbidden", b"Content-Length: 0"), AwaitBody()),),
        expect=2,
        patience=3,
    )
    for name, value in (
        ("unknown", b"x-unheard-of"),
        ("list", b"100-continue, x-a"),
        ("parameter", b"100-continue;a=b"),
        ("200", b"200-ok"),
    ):
        yield Case(
            f"expect-{name}",
            f"Expect: {value.decode()} is answered 417, or ignored",
            "9110 10.1.1",
            MUST,
            post(b"Content-Length: 5", b"Expect: " + value, body=b"hello"),
            either(refused(417, 400), passed(body=b"hello")),
        )
    yield Case(
        "expect-empty",
        "an empty Expect",
        "9110 10.1.1",
        MUST,
        post(b"Content-Length: 5", b"Expect:", body=b"hello"),
        either(refused(417, 400), passed(body=b"hello")),
    )
    yield Case(
        "expect-second",
        "the request after one with 100-continue",
        "9110 10.1.1",
        MUST,
        [head, AwaitContinue(2), b"hello", AwaitAnswers(), get(b"/b")],
        both(forwarded(count=2, target=b"/b", at=1), answered(at=1, has={"X-Target": b"/b"})),
        answers=(asked,),
        expect=2,
    )


def cases():
    yield from _expect()
