def statuses = { String client, int times -> (1..times).collect { get('/').client(client).through(filter).status } }

test('a client beyond its limit gets a Retry-After') {
    def first = statuses('192.0.2.1', 20)
    assert first.every { it == 200 }
    assert statuses('192.0.2.1', 30).contains(429)
    def refused = (1..30).collect { get('/').client('192.0.2.1').through(filter) }.find { it.status == 429 }
    assert refused.header('retry-after') == '1'
    assert refused.sent == null
}

test('each client has a separate limit') {
    assert statuses('192.0.2.2', 1) == [200]
}

test('the settings of a route decide how many requests pass at once') {
    def strict = filter(size: 2, per: '1h')
    def responses = (1..3).collect { get('/').client('192.0.2.3').through(strict) }
    assert responses.collect { it.status } == [200, 200, 429]
    assert responses[2].header('retry-after').toInteger() in 1790..1800
    assert get('/').client('192.0.2.3').through(filter).status == 200
}

test('all spellings of an IPv6 address are one client') {
    def strict = filter(size: 1, per: '1h')
    assert get('/').client('2001:db8::1').through(strict).status == 200
    assert get('/').client('2001:db8:0:0:0:0:0:1').through(strict).status == 429
}
