test('a client that is looked after learns its way') {
    def result = get('/').client('192.0.2.99').route('shop').upstream('stable').through(filter)
    assert result.header('x-debug-request-id') == result.requestId
    assert result.header('x-debug-route') == 'shop'
    assert result.header('x-debug-upstream') == 'stable'
}

test('nobody else does') {
    def result = get('/').client('192.0.2.98').through(filter)
    assert result.ran.empty
    assert !result.headers.names.any { it.startsWith('x-debug') }
}
