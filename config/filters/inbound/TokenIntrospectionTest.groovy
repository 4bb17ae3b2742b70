def filter = { new TokenIntrospection('gateway:secret') }
def request = { get('/accounts/1').header('authorization', 'Bearer a+token') }
def active = '{"active":true,"sub":"ada","scope":"read"}'

test('an active token passes, and the origin receives its subject') {
    def result = request().header('x-subject', 'forged').upstream('introspection', 200, active).through(filter())
    assert result.status == 200
    assert result.sent.header('x-subject') == 'ada'
    assert result.get(TokenIntrospection.SUBJECT) == 'ada'
    def call = result.sentTo('introspection')[0]
    assert call as String == 'POST /introspect'
    assert call.text == 'token=a%2Btoken'
    assert call.header('content-type') == 'application/x-www-form-urlencoded'
    assert call.header('authorization') == 'Basic ' + 'gateway:secret'.bytes.encodeBase64()
}

test('a token that is not active is refused') {
    def result = request().upstream('introspection', 200, '{"active":false}').through(filter())
    assert result.status == 401
    assert result.header('www-authenticate') == 'Bearer error="invalid_token"'
    assert result.sent == null
}

test('an expired token is refused, whatever the server says') {
    def expired = '{"active":true,"sub":"ada","exp":1600000000}'
    assert request().upstream('introspection', 200, expired).through(filter()).status == 401
}

test('a request without a bearer token is refused without a call-out') {
    for (credentials in ['Basic YTpi', 'Bearer ' + 'x' * 5000]) {
        def result = get('/accounts/1').header('authorization', credentials)
                .upstream('introspection', 200, active).through(filter())
        assert result.status == 401
        assert result.sentTo('introspection').empty
    }
    assert get('/accounts/1').upstream('introspection', 200, active).through(filter()).status == 401
}

test('the verdict is cached for each token') {
    def same = filter()
    def first = request().upstream('introspection', 200, active).through(same)
    assert first.status == 200
    def second = request().upstream('introspection', 500, '').through(same)
    assert second.sent.header('x-subject') == 'ada'
    assert second.sentTo('introspection').empty
    def other = get('/accounts/1').header('authorization', 'Bearer other')
            .upstream('introspection', 200, '{"active":false}').through(same)
    assert other.status == 401
}

test('a silent server is not awaited longer than its timeout') {
    def result = request().upstream('introspection') { null }.through(filter())
    result.clock.advance(Duration.ofMillis(500))
    assert result.status == 504
    assert result.sent == null
}

test('a server that fails or responds with anything else lets no request pass') {
    assert request().upstream('introspection', 500, 'oops').through(filter()).status == 500
    assert request().upstream('introspection', 200, '<html>').through(filter()).status == 500
    assert request().upstream('introspection') { OriginAnswer.hangUp() }.through(filter()).status == 502
}

test('other paths need no token') {
    assert get('/').upstreams('introspection').through(filter()).ran.empty
}
