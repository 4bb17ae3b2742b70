import java.nio.file.Files
import java.time.Instant

def file = Files.createTempFile('credentials', '.txt')
Files.writeString(file, 'gateway:secret\n')
file.toFile().deleteOnExit()
// A separate path for each filter, because filters with the same server share their verdicts.
int made = 0
def introspection = { Map more = [:] -> filter(['credentials-file': file.toString(), path: '/introspect/' + ++made, entries: 100] + more) }
def request = { get('/accounts/1').header('authorization', 'Bearer a+token') }
def active = '{"active":true,"sub":"ada","scope":"read"}'

test('an active token passes, and the origin receives its subject') {
    def result = request().header('x-subject', 'forged').upstream('introspection', 200, active).through(introspection())
    assert result.status == 200
    assert result.sent.header('x-subject') == 'ada'
    def call = result.sentTo('introspection')[0]
    assert call as String == 'POST /introspect/' + made
    assert call.text == 'token=a%2Btoken'
    assert call.header('content-type') == 'application/x-www-form-urlencoded'
    assert call.header('authorization') == 'Basic ' + 'gateway:secret'.bytes.encodeBase64()
}

test('a token that is not active is refused') {
    def result = request().upstream('introspection', 200, '{"active":false}').through(introspection())
    assert result.status == 401
    assert result.header('www-authenticate') == 'Bearer error="invalid_token"'
    assert result.sent == null
}

test('an expired token is refused, regardless of the server') {
    def expired = '{"active":true,"sub":"ada","exp":1600000000}'
    assert request().upstream('introspection', 200, expired).through(introspection()).status == 401
}

test('a request without a bearer token is refused without a call-out') {
    for (credentials in ['Basic YTpi', 'Bearer', 'Bearer a b', 'Bearer ' + 'x' * 5000]) {
        def result = get('/accounts/1').header('authorization', credentials)
                .upstream('introspection', 200, active).through(introspection())
        assert result.status == 401
        assert result.sentTo('introspection').empty
    }
    assert get('/accounts/1').upstream('introspection', 200, active).through(introspection()).status == 401
}

test('the verdict is cached for each token') {
    def same = introspection()
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
    def result = request().upstream('introspection') { null }.through(introspection())
    result.clock.advance(Duration.ofMillis(500))
    assert result.status == 504
    assert result.sent == null
}

test('a server that fails or responds with anything else lets no request pass') {
    assert request().upstream('introspection', 500, 'oops').through(introspection()).status == 500
    assert request().upstream('introspection', 200, '<html>').through(introspection()).status == 500
    assert request().upstream('introspection') { OriginResponse.hangUp() }.through(introspection()).status == 502
}

test('other paths need no token') {
    assert get('/').upstreams('introspection').through(introspection()).ran.empty
}

test('a token that is not active is refused without a further call') {
    def same = introspection(refused: '5m')
    assert request().upstream('introspection', 200, '{"active":false}').through(same).status == 401
    def second = request().upstream('introspection', 200, active).through(same)
    assert second.status == 401
    assert second.sentTo('introspection').empty
}

test('an active token is accepted at most until it expires') {
    def same = introspection()
    def now = Instant.now()
    def expiring = '{"active":true,"exp":' + now.plusSeconds(20).epochSecond + '}'
    assert request().time(now).upstream('introspection', 200, expiring).through(same).status == 200
    assert request().time(now.plusSeconds(18)).upstream('introspection', 200, '{"active":false}').through(same).status == 200
    assert request().time(now.plusSeconds(20)).upstream('introspection', 200, '{"active":false}').through(same).status == 401
}

test('verdicts of another server do not count') {
    assert request().upstream('introspection', 200, active).through(introspection()).status == 200
    assert request().upstream('introspection', 200, '{"active":false}').through(introspection()).status == 401
}

test('a failure of the server is not cached') {
    def same = introspection()
    assert request().upstream('introspection', 503, '').through(same).status == 500
    assert request().upstream('introspection', 200, active).through(same).status == 200
}

test('other spellings of the header are removed') {
    def result = request().header('X_Subject', 'forged').upstream('introspection', 200, active).through(introspection())
    assert result.sent.headers.names.findAll { it.contains('subject') }.toList() == ['x-subject']
}

test('two tokens are refused') {
    def result = request().header('authorization', 'Bearer b').upstream('introspection', 200, active).through(introspection())
    assert result.status == 401
    assert result.sentTo('introspection').empty
}

test('a deployment without credentials is refused') {
    try {
        request().through(filter(entries: 100, 'credentials-variable': 'NO_VARIABLE_OF_THIS_NAME'))
        assert false: 'accepted'
    } catch (Exception expected) {
        assert expected.message.contains('NO_VARIABLE_OF_THIS_NAME has no credentials')
    }
}
