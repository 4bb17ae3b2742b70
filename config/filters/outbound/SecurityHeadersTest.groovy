test('every response has the policy') {
    def result = get('/').through(filter)
    assert result.header('x-content-type-options') == 'nosniff'
    assert result.header('strict-transport-security').startsWith('max-age=')
    assert result.header('content-security-policy') == "default-src 'self'; frame-ancestors 'none'"
}

test('error responses of the gateway have the policy') {
    def result = get('/').originFails(ErrorKind.CONNECT_REFUSED).through(filter)
    assert result.status == 502
    assert result.header('x-frame-options') == 'DENY'
}

test('headers about the content are kept, headers about the origin are removed') {
    def said = ['content-security-policy': "default-src 'none'", server: 'origin/1.0', 'x-powered-by': 'magic']
    def result = get('/').origin(200, said, '').through(filter)
    assert result.headers.getAll('content-security-policy') == ["default-src 'none'"]
    assert result.header('server') == null
    assert result.header('x-powered-by') == null
}

test('the policy is a setting') {
    def own = filter(frames: 'SAMEORIGIN', more: ['permissions-policy': 'camera=()', 'x-content-type-options': 'nosniff'], remove: ['via-cms'])
    def result = get('/').origin(200, ['via-cms': '7', server: 'origin'], '').through(own)
    assert result.header('x-frame-options') == 'SAMEORIGIN'
    assert result.header('permissions-policy') == 'camera=()'
    assert result.header('via-cms') == null
    assert result.header('server') == 'origin'
}
