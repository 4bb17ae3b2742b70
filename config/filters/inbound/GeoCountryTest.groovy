def from = { address, country ->
    get('/').client(address).header('cf-ipcountry', country).through(filter).sent.header('x-country')
}

test('the CDN is believed') {
    assert from('198.51.100.20', 'DE') == 'DE'
    assert from('2001:db8::1', 'FR') == 'FR'
}

test('nobody else is') {
    assert from('203.0.113.1', 'DE') == null
}

test('nor is a client that says it to the origin') {
    assert get('/').client('198.51.100.20').header('x-country', 'DE').through(filter).sent.header('x-country') == null
}

test('what is no country is not passed on') {
    assert from('198.51.100.20', 'DE, FR') == null
}
