test('overload is answered with a time to come again') {
    [ErrorKind.POOL_EXHAUSTED, ErrorKind.ACQUIRE_TIMEOUT, ErrorKind.NO_ENDPOINT].each { kind ->
        def result = get('/').originFails(kind).through(filter)
        assert result.status == 503
        assert result.header('retry-after').toInteger() in 2..9
        assert result.error.kind() == kind
    }
}

test('other failures are answered as ever') {
    def result = get('/').originFails(ErrorKind.CONNECT_REFUSED).through(filter)
    assert result.ran.empty
    assert result.status == 502
}
