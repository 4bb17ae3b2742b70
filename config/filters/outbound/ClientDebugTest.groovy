test('a debugged client receives request id, route and upstream') {
    def result = get('/').client('192.0.2.99').route('shop').upstream('stable').through(filter)
    assert result.header('x-debug-request-id') == result.requestId
    assert result.header('x-debug-route') == 'shop'
    assert result.header('x-debug-upstream') == 'stable'
}

test('other clients receive none of them') {
    def result = get('/').client('192.0.2.98').through(filter)
    assert result.ran.empty
    assert !result.headers.names.any { it.startsWith('x-debug') }
}

test('the clients are a setting, in any spelling of their addresses') {
    def own = filter(clients: ['2001:DB8:0:0::1', '192.0.2.7'])
    assert get('/').client('2001:db8::1').through(own).header('x-debug-route') == 'test'
    assert get('/').client('192.0.2.7').through(own).header('x-debug-route') == 'test'
    assert get('/').client('192.0.2.99').through(own).ran.empty
}

test('a name in place of an address is refused') {
    try {
        filter(clients: 'localhost')
        assert false: 'accepted'
    } catch (Exception refused) {
        assert refused.message.contains('expected: an IP address')
    }
}
