test('overload causes a response with Retry-After') {
    [ErrorKind.POOL_EXHAUSTED, ErrorKind.ACQUIRE_TIMEOUT, ErrorKind.NO_ENDPOINT].each { kind ->
        def result = get('/').originFails(kind).through(filter)
        assert result.status == 503
        assert result.header('retry-after').toInteger() in 2..9
        assert result.error.kind() == kind
    }
}

test('responses to other failures are unchanged') {
    def result = get('/').originFails(ErrorKind.CONNECT_REFUSED).through(filter)
    assert result.ran.empty
    assert result.status == 502
}

test('errors, times and text are settings') {
    def own = filter(errors: 'connect-refused', least: '60s', most: '60s', text: 'later')
    def result = get('/').originFails(ErrorKind.CONNECT_REFUSED).through(own)
    assert result.status == 503
    assert result.header('retry-after') == '60'
    assert result.text == 'later'
    assert get('/').originFails(ErrorKind.POOL_EXHAUSTED).through(own).ran.empty
}

test('a longest time below the shortest time is refused') {
    try {
        filter(least: '9s', most: '2s')
        assert false: 'accepted'
    } catch (Exception refused) {
        assert refused.message.contains('most: 2s (expected: at least 9s)')
    }
}
