"""Persistence, pipelining, Expect, and the fields of one hop (RFC 9112, 9; RFC 9110, 7.6 and 10.1)."""

from .case import CHUNKED, GOOD, HELLO, MUST, SHOULD, SMUGGLED, AwaitAnswers, AwaitBody, AwaitContinue, Case
from .case import HalfClose, Pause, get, ok, post, request, response
from .check import aborted, answered, both, closed, either, forwarded, opened, passed, refused


def _persistence():
    two = [get(b"/a"), AwaitAnswers(), get(b"/b")]
    served = both(forwarded(count=2, target=b"/b", at=1), answered(at=1))
    yield Case("keep-1.1", "HTTP/1.1 keeps the connection", "9112 9.3", SHOULD, two, both(served, opened), expect=2)
    for name, field in (
        ("close", b"Connection: close"),
        ("close-case", b"Connection: CLOSE"),
        ("close-list", b"Connection: x-a, close"),
        ("close-second", b"Connection: x-a\r\nConnection: close"),
        ("close-spaces", b"Connection: ,  close ,"),
        ("close-and-keep", b"Connection: keep-alive, close"),
    ):
        yield Case(
            f"keep-{name}",
            f"{field!r} closes the connection behind the answer",
            "9112 9.6",
            MUST,
            get(b"/a", field),
            both(passed(), closed),
        )
        yield Case(
            f"keep-{name}-ignored",
            f"what follows a request with {field!r} is not served",
            "9112 9.6",
            MUST,
            get(b"/a", field) + get(b"/b"),
            both(forwarded(count=1, target=b"/a"), answered(count=1), closed),
        )
    yield Case(
        "keep-close-said",
        "the answer to Connection: close says close",
        "9112 9.6",
        SHOULD,
        get(b"/a", b"Connection: close"),
        both(answered(), lambda seen: None if b"close" in seen.finals[0].items("Connection") else "no Connection: close"),
    )
    for name, field in (("substring", b"Connection: closed"), ("quoted", b"Connection: x-close")):
        yield Case(
            f"keep-{name}",
            f"{field!r} is no close",
            "9110 7.6.1",
            GOOD,
            [get(b"/a", field), AwaitAnswers(), get(b"/b")],
            both(served, opened),
            expect=2,
        )
    old = request(b"GET /a HTTP/1.0")
    yield Case("keep-1.0", "HTTP/1.0 closes", "9112 9.3", MUST, old, both(passed(), closed))
    yield Case(
        "keep-1.0-ignored",
        "what follows a request of HTTP/1.0 is not served",
        "9112 9.3",
        MUST,
        old + get(b"/b"),
        both(forwarded(count=1, target=b"/a"), answered(count=1), closed),
    )
    yield Case(
        "keep-1.0-asked",
        "HTTP/1.0 with keep-alive: kept and said so, or closed",
        "9112 9.3",
        MUST,
        request(b"GET /a HTTP/1.0", b"Connection: Keep-Alive"),
        both(
            passed(),
            either(closed, lambda seen: None if b"keep-alive" in seen.finals[0].items("Connection") else "kept, not said"),
        ),
    )
    yield Case(
        "keep-1.0-asked-kept",
        "HTTP/1.0 with keep-alive is kept",
        "9112 9.3",
        GOOD,
        [request(b"GET /a HTTP/1.0", b"Connection: Keep-Alive"), AwaitAnswers(), get(b"/b")],
        served,
        expect=2,
    )
    yield Case(
        "keep-1.0-close",
        "HTTP/1.0 with close",
        "9112 9.6",
        MUST,
        request(b"GET /a HTTP/1.0", b"Connection: close"),
        both(passed(), closed),
    )
    yield Case(
        "keep-origin-closes",
        "Connection: close of the origin is not the client's affair",
        "9110 7.6.1",
        GOOD,
        two,
        both(served, opened),
        answers=(ok(b"Connection: close"),),
        expect=2,
    )
    yield Case(
        "keep-half-closed",
        "a client that has closed its half still gets its answer",
        "9112 9.6",
        GOOD,
        [get(b"/a"), HalfClose()],
        passed(),
    )
    yield Case(
        "keep-half-closed-slow",
        "the same, from an origin that takes half a second",
        "9112 9.6",
        GOOD,
        [get(b"/a"), Pause(0.1), HalfClose()],
        passed(),
        answers=((AwaitBody(), Pause(0.5), ok()),),
    )
    yield Case(
        "keep-half-closed-body",
        "the same with a body",
        "9112 9.6",
        GOOD,
        [post(b"Content-Length: 5", body=b"hello"), HalfClose()],
        passed(body=b"hello"),
    )
    whole = get(b"/a", b"X-A: 1")
    bytewise = [step for byte in whole for step in (bytes([byte]), Pause(0.002))]
    yield Case("keep-bytewise", "a request byte by byte", "9112 2.1", MUST, bytewise, passed(target=b"/a", has={"X-A": b"1"}))
    yield Case(
        "keep-cut-head",
        "a request that ends within its head is not served",
        "9112 8",
        MUST,
        [b"GET /a HTTP/1.1\r\nHost: example.com\r\n", HalfClose()],
        both(forwarded(count=0), either(answered(400, 408), closed)),
        patience=4,
    )
    yield Case(
        "keep-slow-head",
        "a request whose head never ends is given up",
        "9110 15.5.9",
        GOOD,
        [b"GET /a HTTP/1.1\r\nHost: exam"],
        both(forwarded(count=0), closed),
        until_end=True,
        patience=5.5,
    )
    yield Case(
        "keep-slow-head-408",
        "and the client is told 408",
        "9110 15.5.9",
        SHOULD,
        [b"GET /a HTTP/1.1\r\nHost: exam"],
        either(answered(408), both(forwarded(count=0), lambda seen: None if seen.ending == "closed" and not seen.received else "no 408")),
        until_end=True,
        patience=5.5,
    )


def _pipelining():
    names = [b"/%d" % i for i in range(10)]

    def in_order(wanted):
        def look(seen):
            found = [one.value("X-Target") for one in seen.finals]
            return None if found == wanted else f"answers in the order {found}"

        return look

    yield Case(
        "pipeline-ten",
        "ten requests at once are answered in order",
        "9112 9.3.2",
        MUST,
        b"".join(get(name) for name in names),
        in_order(names),
        expect=10,
    )
    slow = (AwaitBody(), Pause(0.4), response(b"HTTP/1.1 200 OK", b"Content-Length: 2", b"X-Target: /0", body=b"ok"))
    yield Case(
        "pipeline-slow-first",
        "a slow answer is not overtaken",
        "9112 9.3.2",
        MUST,
        b"".join(get(name) for name in names[:4]),
        in_order(names[:4]),
        answers=(slow,),
        expect=4,
    )
    yield Case(
        "pipeline-bodies",
        "requests with bodies, length and chunked in turn",
        "9112 9.3.2",
        MUST,
        post(b"Content-Length: 5", body=b"hello", target=b"/0")
        + post(CHUNKED, body=HELLO, target=b"/1")
        + get(b"/2")
        + post(CHUNKED, body=HELLO, target=b"/3")
        + post(b"Content-Length: 5", body=b"hello", target=b"/4"),
        both(in_order(names[:5]), *[forwarded(count=5, body=b"" if i == 2 else b"hello", target=names[i], at=i) for i in range(5)]),
        expect=5,
    )
    yield Case(
        "pipeline-head",
        "HEAD among others",
        "9112 9.3.2",
        MUST,
        get(b"/0") + request(b"HEAD /1 HTTP/1.1") + get(b"/2"),
        in_order(names[:3]),
        methods=(b"GET", b"HEAD", b"GET"),
        expect=3,
    )
    yield Case(
        "pipeline-bad-second",
        "a bad request behind a good one",
        "9112 9.3.2",
        MUST,
        get(b"/0") + request(b"GET /1 HTTP/1.1", b"Content-Length: x") + get(b"/2"),
        both(forwarded(count=1, target=b"/0"), answered(200), answered(400, at=1, count=2), closed),
        expect=2,
    )
    yield Case(
        "pipeline-cut",
        "a request that is split between two packets of a pipeline",
        "9112 9.3.2",
        MUST,
        [get(b"/0") + get(b"/1")[:20], Pause(0.2), get(b"/1")[20:] + get(b"/2")],
        in_order(names[:3]),
        expect=3,
    )


def _expect():
    head = post(b"Content-Length: 5", b"Expect: 100-continue")
    asked = (b"HTTP/1.1 100 Continue\r\n\r\n", AwaitBody(), ok())
    got_100 = lambda seen: None if 100 in [one.status for one in seen.interim] else "no 100"
    yield Case(
        "expect-waits",
        "a client that waits for 100 gets it, or a final answer, within two seconds",
        "9110 10.1.1",
        MUST,
        [head, AwaitContinue(2), b"hello"],
        both(got_100, passed(body=b"hello")),
        answers=(asked,),
    )
    yield Case(
        "expect-waits-origin-silent",
        "the same when the origin sends no 100 of its own until it has the body",
        "9110 10.1.1",
        GOOD,
        [head, AwaitContinue(2), b"hello"],
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
        both(passed(body=b"hello"), lambda seen: "an interim answer was sent" if seen.interim else None),
    )
    yield Case(
        "expect-refused-by-origin",
        "a final answer instead of 100 reaches the client that waits",
        "9110 10.1.1",
        GOOD,
        [head, AwaitAnswers()],
        answered(403),
        answers=((response(b"HTTP/1.1 403 Forbidden", b"Content-Length: 0", b"Connection: close"), AwaitBody()),),
        patience=3,
    )
    yield Case(
        "expect-refused-then-body",
        "a final answer instead of 100: what comes next is a body or the connection ends, never a request in the body",
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
    for name, value in (("unknown", b"x-unheard-of"), ("list", b"100-continue, x-a"), ("parameter", b"100-continue;a=b"), ("200", b"200-ok")):
        yield Case(
            f"expect-{name}",
            f"Expect: {value.decode()} is answered 417, or ignored",
            "9110 10.1.1",
            MUST,
            post(b"Content-Length: 5", b"Expect: " + value, body=b"hello"),
            either(refused(417, 400), passed(body=b"hello")),
        )
    yield Case(
        "expect-417",
        "an unknown expectation is answered 417",
        "9110 10.1.1",
        GOOD,
        get(b"/a", b"Expect: x-unheard-of"),
        refused(417),
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
        "the request behind one with 100-continue",
        "9110 10.1.1",
        MUST,
        [head, AwaitContinue(2), b"hello", AwaitAnswers(), get(b"/b")],
        both(forwarded(count=2, target=b"/b", at=1), answered(at=1, has={"X-Target": b"/b"})),
        answers=(asked,),
        expect=2,
    )


def _nominated():
    for name, nominating, field in (
        ("plain", b"Connection: X-A", b"X-A: 1"),
        ("case", b"Connection: x-a", b"X-A: 1"),
        ("list", b"Connection: x-b, X-A , x-c", b"X-A: 1"),
        ("two-lines", b"Connection: x-b\r\nConnection: X-A", b"X-A: 1"),
        ("empty-items", b"Connection: ,, X-A,,", b"X-A: 1"),
        ("with-close", b"Connection: close, X-A", b"X-A: 1"),
        ("with-keep-alive", b"Connection: keep-alive,X-A", b"X-A: 1"),
        ("behind", b"Connection: X-A", b"X-A: 1\r\nX-A: 2"),
    ):
        before = get(b"/a", field, nominating)
        yield Case(
            f"nominate-{name}",
            f"a field that {nominating!r} nominates is removed",
            "9110 7.6.1",
            MUST,
            before,
            passed(lacks=("X-A",)),
        )
    yield Case(
        "nominate-connection",
        "Connection itself is removed or replaced",
        "9110 7.6.1",
        MUST,
        get(b"/a", b"Connection: X-A, X-B"),
        both(
            passed(),
            lambda seen: "its options were sent on" if {b"x-a", b"x-b"} & set(seen.requests[0].items("Connection")) else None,
        ),
    )
    yield Case(
        "nominate-host",
        "Host can't be nominated away",
        "9112 3.2",
        MUST,
        get(b"/a", b"Connection: Host"),
        either(refused(400), passed(has={"Host": lambda value: bool(value)})),
    )
    yield Case(
        "nominate-content-length",
        "Content-Length can't be nominated away",
        "9112 6.3",
        MUST,
        post(b"Connection: Content-Length", b"Content-Length: %d" % len(SMUGGLED), body=SMUGGLED),
        either(refused(400), passed(body=SMUGGLED)),
    )
    yield Case(
        "nominate-transfer-encoding",
        "Transfer-Encoding can't be nominated away",
        "9112 6.3",
        MUST,
        post(b"Connection: Transfer-Encoding", CHUNKED, body=b"%x\r\n" % len(SMUGGLED) + SMUGGLED + b"\r\n0\r\n\r\n"),
        either(refused(400), passed(body=SMUGGLED)),
    )
    for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via"):
        yield Case(
            f"nominate-{name.lower()}",
            f"the proxy's own {name} can't be nominated away",
            "9110 7.6.1",
            MUST if name == "Via" else GOOD,
            get(b"/a", b"Connection: " + name.encode(), name.encode() + b": evil"),
            either(
                refused(400),
                passed(has={name: lambda value, name=name: bool(value) and (name == "Via" or b"evil" not in value)}),
            ),
        )
    for name in ("Authorization", "Cookie", "X-Api-Key"):
        yield Case(
            f"nominate-{name.lower()}",
            f"{name} that is nominated is removed, or the request refused",
            "9110 7.6.1",
            MUST,
            get(b"/a", b"Connection: " + name.encode(), name.encode() + b": secret"),
            either(refused(400), passed(lacks=(name,))),
        )
    yield Case(
        "nominate-answer",
        "a field that the origin's Connection nominates is removed",
        "9110 7.6.1",
        MUST,
        get(b"/a"),
        answered(lacks=("X-A",)),
        answers=(ok(b"Connection: X-A", b"X-A: 1"),),
    )
    yield Case(
        "nominate-answer-case",
        "the same in other cases, and several",
        "9110 7.6.1",
        MUST,
        get(b"/a"),
        answered(lacks=("X-A", "X-B")),
        answers=(ok(b"Connection: x-a, close", b"Connection: X-b", b"X-A: 1", b"X-B: 1"),),
    )
    yield Case(
        "nominate-answer-length",
        "the origin can't nominate Content-Length away",
        "9112 6.3",
        MUST,
        get(b"/a"),
        either(answered(502), answered(200, body=b"ok")),
        answers=(ok(b"Connection: Content-Length"),),
        until_end=True,
        patience=1,
    )


def _one_hop():
    for name, line in (
        ("Keep-Alive", b"Keep-Alive: timeout=5"),
        ("Proxy-Connection", b"Proxy-Connection: keep-alive"),
        ("TE", b"TE: trailers, deflate"),
        ("Upgrade", b"Upgrade: h2c"),
    ):
        yield Case(
            f"hop-{name.lower()}",
            f"{name} is not sent on, also if nobody nominates it",
            "9110 7.6.1",
            SHOULD,
            get(b"/a", line),
            passed(lacks=(name,)),
        )
        yield Case(
            f"hop-{name.lower()}-nominated",
            f"{name} is not sent on when nominated, unless as the proxy's own",
            "9110 7.6.1",
            MUST,
            get(b"/a", line, b"Connection: " + name.encode()),
            both(
                passed(),
                lambda seen, name=name: f"{name} was sent on without Connection"
                if seen.requests[0].value(name) and name.lower().encode() not in seen.requests[0].items("Connection")
                else None,
            ),
        )
        if name == "TE":
            continue
        yield Case(
            f"hop-answer-{name.lower()}",
            f"{name} of an answer is not sent on",
            "9110 7.6.1",
            SHOULD,
            get(b"/a"),
            answered(lacks=(name,)),
            answers=(ok(line),),
        )
    yield Case(
        "hop-te-chunked",
        "TE: trailers is either sent on with Connection: TE, or not at all",
        "9110 10.1.4",
        MUST,
        get(b"/a", b"TE: trailers", b"Connection: TE"),
        both(
            passed(),
            lambda seen: "TE without Connection: TE"
            if seen.requests[0].value("TE") and b"te" not in seen.requests[0].items("Connection")
            else None,
        ),
    )
    yield Case(
        "hop-upgrade-ignored",
        "Upgrade may be ignored; the request is served",
        "9110 7.8",
        MUST,
        get(b"/a", b"Upgrade: websocket", b"Connection: Upgrade"),
        passed(target=b"/a"),
    )
    yield Case(
        "hop-upgrade-1.0",
        "Upgrade in HTTP/1.0 is ignored",
        "9110 7.8",
        MUST,
        request(b"GET /a HTTP/1.0", b"Upgrade: websocket", b"Connection: Upgrade"),
        passed(target=b"/a", lacks=("Upgrade",)),
    )
    yield Case(
        "hop-upgrade-body",
        "an h2c upgrade is not handed to the origin",
        "9110 7.6.1",
        SHOULD,
        get(b"/a", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABk", b"Connection: Upgrade, HTTP2-Settings"),
        passed(lacks=("HTTP2-Settings", "Upgrade")),
    )
    yield Case(
        "hop-http2-preface",
        "the HTTP/2 preface is no HTTP/1.1 request",
        "9110 15.6.6",
        GOOD,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        both(forwarded(count=0), closed),
        patience=4,
    )
    yield Case(
        "hop-proxy",
        "a field named Proxy is not sent on",
        "9110 17",
        GOOD,
        get(b"/a", b"Proxy: http://evil.test"),
        either(refused(400), passed(lacks=("Proxy",))),
    )
    yield Case(
        "hop-answer-connection",
        "Connection of an answer is removed or replaced",
        "9110 7.6.1",
        MUST,
        get(b"/a"),
        both(
            answered(),
            lambda seen: "its options were sent on" if b"x-a" in seen.finals[0].items("Connection") else None,
        ),
        answers=(ok(b"Connection: X-A"),),
    )
    yield Case(
        "hop-answer-chunked-kept",
        "Transfer-Encoding to the client is the proxy's own",
        "9112 6.1",
        MUST,
        get(b"/a"),
        answered(body=b"hello"),
        answers=(response(b"HTTP/1.1 200 OK", CHUNKED, b"Connection: Transfer-Encoding", body=HELLO),),
        until_end=True,
        patience=1,
    )


def cases():
    yield from _persistence()
    yield from _pipelining()
    yield from _expect()
    yield from _nominated()
    yield from _one_hop()
