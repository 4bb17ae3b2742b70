def from = { address, country ->
    get('/').client(address).header('cf-ipcountry', country).through(filter).sent.header('x-country')
}

test('the header of the CDN is accepted') {
    assert from('198.51.100.20', 'DE') == 'DE'
    assert from('2001:db8::1', 'FR') == 'FR'
}

test('the header of other clients is not accepted') {
    assert from('203.0.113.1', 'DE') == null
}

test('a client cannot send the header to the origin') {
    assert get('/').client('198.51.100.20').header('x-country', 'DE').through(filter).sent.header('x-country') == null
}

test('invalid countries are not forwarded') {
    assert from('198.51.100.20', 'DE, FR') == null
}

test('a country that is sent twice is not passed on') {
    def result = get('/').client('198.51.100.20').header('cf-ipcountry', 'DE').header('cf-ipcountry', 'FR').through(filter)
    assert result.sent.header('x-country') == null
}

test('ranges and headers are settings') {
    def own = filter(cdn: '203.0.113.0/24', header: 'x-cdn-country', to: 'x-geo')
    def result = get('/').client('203.0.113.1').header('x-cdn-country', 'DE').header('x-geo', 'FR').through(own)
    assert result.sent.headers.getAll('x-geo') == ['DE']
    assert result.sent.header('x-cdn-country') == null
}

test('a malformed range is refused') {
    try {
        filter(cdn: '198.51.100.0/99')
        assert false: 'accepted'
    } catch (Exception refused) {
        assert refused.message.contains('a prefix length from 0 to 32')
    }
}
