import dev.lychgate.filter.AttributeKey
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.Signature
import java.security.spec.ECGenParameterSpec
import java.time.Instant
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

def pair = { String type ->
    def generator = KeyPairGenerator.getInstance(type)
    type == 'RSA' ? generator.initialize(2048) : generator.initialize(new ECGenParameterSpec('secp256r1'))
    generator.generateKeyPair()
}
KeyPair rsa = pair('RSA')
KeyPair ec = pair('EC')
KeyPair stranger = pair('RSA')

def encode = { bytes -> Base64.urlEncoder.withoutPadding().encodeToString(bytes instanceof String ? bytes.bytes : bytes) }
def number = { BigInteger n -> encode(n.toByteArray()) }
def set = '{"keys":[{"kty":"RSA","kid":"r","n":"' + number(rsa.public.modulus) + '","e":"AQAB"},' +
        '{"kty":"EC","crv":"P-256","kid":"e","x":"' + number(ec.public.w.affineX) + '","y":"' + number(ec.public.w.affineY) + '"}]}'

long now = System.currentTimeMillis().intdiv(1000)
def claims = { String more = '', long exp = now + 60 ->
    '{"iss":"https://issuer.example","aud":"shop","sub":"ada","exp":' + exp + more + '}'
}
def sign = { KeyPair keys, String content ->
    def signer = Signature.getInstance(keys.private.algorithm == 'RSA' ? 'SHA256withRSA' : 'SHA256withECDSAinP1363Format')
    signer.initSign(keys.private)
    signer.update(content.bytes)
    content + '.' + encode(signer.sign())
}
def token = { String body, String header = '{"alg":"RS256","kid":"r"}', KeyPair keys = rsa ->
    sign(keys, encode(header) + '.' + encode(body))
}
def settings = [issuer: 'https://issuer.example', audience: ['shop']]
// Returns a filter that has not fetched any keys. The settings differ each time, because filters with equal settings would be the same
// object.
def made = 0
def empty = { filter(settings + ['max-token': "${8000 + made++}B" as String]) }
def ask = { String jwt, Map more = [:] ->
    get('/orders').time(Instant.ofEpochSecond(now)).header('authorization', 'Bearer ' + jwt).upstream('identity', 200, set)
            .through(filter(settings + more))
}
def refused = { result ->
    assert result.status == 401
    assert result.sent == null
    assert result.header('www-authenticate').startsWith('Bearer')
    true
}

test('a token that is signed with RS256 or ES256 passes, and the origin receives its subject') {
    def result = get('/orders').header('authorization', 'Bearer ' + token(claims())).upstream('identity', 200, set).through(empty())
    assert result.status == 200
    assert result.sent.header('x-subject') == 'ada'
    assert result.get(AttributeKey.of('jwt.claims', Map)).iss == 'https://issuer.example'
    assert result.sentTo('identity').collect { it as String } == ['GET /.well-known/jwks.json']
    assert ask(token(claims(), '{"alg":"ES256","kid":"e"}', ec)).sent.header('x-subject') == 'ada'
}

test('claims become the headers of the settings, lists with blanks') {
    def result = ask(token(claims(',"roles":["a","b"],"level":3')), [headers: [roles: 'x-roles', level: 'X-Level', email: 'x-email']])
    assert result.sent.header('x-roles') == 'a b'
    assert result.sent.header('x-level') == '3'
    assert result.sent.header('x-email') == null
    assert result.sent.header('x-subject') == null
}

test('the headers of the client are removed, in every spelling') {
    def result = get('/').header('X-Roles', 'admin').header('x_roles', 'admin').header('X-Email', 'root@example.com')
            .header('authorization', 'bearer ' + token(claims(',"roles":["a"]')))
            .upstream('identity', 200, set).through(filter(settings + [headers: [roles: 'x-roles', email: 'x-email']]))
    assert result.sent.headers.getAll('x-roles') == ['a']
    assert result.sent.header('x_roles') == null
    assert result.sent.header('x-email') == null
}

test('a claim that a header cannot carry is refused') {
    assert refused(ask(token(claims(',"roles":{"a":1}')), [headers: [roles: 'x-roles']]))
    assert refused(ask(token(claims(',"roles":"a\\r\\nx-admin: 1"')), [headers: [roles: 'x-roles']]))
    assert refused(ask(token(claims(',"roles":null')), [headers: [roles: 'x-roles']]))
}

test('a request without one token is refused without a call-out') {
    [[], ['Basic YTpi'], ['Bearer'], ['Bearer a.b'], ['Bearer a.b.c.d'], ['Bearer ..'], ['Bearer ' + token(claims())] * 2,
     ['Bearer a.b.' + 'c' * 9000], ['Bearer ' + token(claims()) + '='], [token(claims())]].each { fields ->
        def request = get('/orders').upstream('identity', 200, set)
        fields.each { request.header('authorization', it) }
        def result = request.through(filter(settings))
        assert refused(result)
        assert result.sentTo('identity').empty
    }
}

test('none and other algorithms are refused without a call-out') {
    def none = encode('{"alg":"none","kid":"r"}') + '.' + encode(claims())
    def hmac = Mac.getInstance('HmacSHA256')
    hmac.init(new SecretKeySpec(rsa.public.encoded, 'HmacSHA256'))
    def confused = encode('{"alg":"HS256","kid":"r"}') + '.' + encode(claims())
    [none + '.', none + '.' + encode('x'), confused + '.' + encode(hmac.doFinal(confused.bytes)),
     token(claims(), '{"alg":"rs256","kid":"r"}'), token(claims(), '{"alg":["RS256"],"kid":"r"}'), token(claims(), '{"kid":"r"}'),
     token(claims(), '{"alg":"RS256"}'), token(claims(), '{"alg":"RS256","kid":7}'), token(claims(), '[]'), token(claims(), 'x'),
     token(claims(), '{"alg":"RS256","kid":"r","crit":["b64"],"b64":false}'),
     token(claims(), '{"alg":"none","alg":"RS256","kid":"r"}')].each { jwt ->
        def result = ask(jwt)
        assert refused(result)
        assert result.sentTo('identity').empty
    }
}

test('a key is not used with the algorithm of another type') {
    assert refused(ask(token(claims(), '{"alg":"ES256","kid":"r"}', ec)))
    assert refused(ask(token(claims(), '{"alg":"RS256","kid":"e"}', rsa)))
}

test('a signature of another key or content is refused') {
    assert refused(ask(token(claims(), '{"alg":"RS256","kid":"r"}', stranger)))
    def parts = token(claims()).tokenize('.')
    assert refused(ask(parts[0] + '.' + encode(claims().replace('ada', 'eve')) + '.' + parts[2]))
    assert refused(ask(parts[0] + '.' + parts[1] + '.' + parts[2][0..20]))
}

test('signatures of ES256 in DER or of zeros are refused') {
    def content = encode('{"alg":"ES256","kid":"e"}') + '.' + encode(claims())
    def signer = Signature.getInstance('SHA256withECDSA')
    signer.initSign(ec.private)
    signer.update(content.bytes)
    assert refused(ask(content + '.' + encode(signer.sign())))
    assert refused(ask(content + '.' + encode(new byte[64])))
}

test('issuer and audience have to match') {
    assert refused(ask(token(claims().replace('issuer.example', 'evil.example'))))
    assert refused(ask(token(claims().replace('"shop"', '"bank"'))))
    assert refused(ask(token(claims().replace('"shop"', 'null'))))
    assert refused(ask(token('{"exp":' + (now + 60) + '}')))
    assert ask(token(claims().replace('"shop"', '["bank","shop"]'))).status == 200
}

test('expiry and beginning have a tolerance') {
    assert ask(token(claims('', now - 20))).status == 200
    assert refused(ask(token(claims('', now - 40))))
    assert refused(ask(token(claims('', now - 20)), [skew: '0s']))
    assert ask(token(claims(',"nbf":' + (now + 20)))).status == 200
    assert refused(ask(token(claims(',"nbf":' + (now + 60)))))
    assert refused(ask(token(claims(',"nbf":"never"'))))
    assert refused(ask(token(claims().replaceFirst(/"exp":\d+/, '"exp":"9999999999"'))))
    assert refused(ask(token(claims().replaceFirst(/,"exp":\d+/, ''))))
    assert ask(token(claims().replaceFirst(/"exp":\d+/, '"exp":1e11'))).status == 200
}

test('claims that repeat a member are refused') {
    assert refused(ask(token(claims(',"sub":"root"'))))
}

test('the keys are fetched once, and an unknown key causes no immediate fetch') {
    def same = empty()
    def calls = 0
    def send = { String jwt ->
        get('/').header('authorization', 'Bearer ' + jwt)
                .upstream('identity') { calls++; OriginResponse.of(200).body(set) }.through(same).status
    }
    assert (1..3).collect { send(token(claims())) } == [200, 200, 200]
    assert send(token(claims(), '{"alg":"RS256","kid":"invented"}')) == 401
    assert calls == 1
}

test('an issuer that fails lets no request pass') {
    def result = { responses ->
        get('/').header('authorization', 'Bearer ' + token(claims())).upstream('identity', responses).through(empty())
    }
    assert result { OriginResponse.of(503) }.status == 500
    assert result { OriginResponse.of(200).body('{"keys":[]}') }.status == 500
    assert result { OriginResponse.hangUp() }.status == 502
    def silent = result { null }
    silent.clock.advance(Duration.ofSeconds(2))
    assert silent.status == 504
    assert silent.sent == null
}

test('a client that disconnects does not block the others') {
    def same = empty()
    def request = { get('/').header('authorization', 'Bearer ' + token(claims())) }
    def gone = request().upstream('identity') { null }.through(same)
    gone.leave()
    assert request().upstream('identity', 200, set).through(same).status == 200
}

test('a request that waits for the fetch of another request uses the fetched keys') {
    def same = empty()
    def request = { get('/').header('authorization', 'Bearer ' + token(claims())) }
    def first = request().upstream('identity') { null }.through(same)
    def second = request().upstream('identity', 200, set).through(same)
    first.leave()
    assert second.status == 200
    assert second.sentTo('identity').size() == 1
}

test('other paths need no token, and settings are required') {
    assert get('/public').upstreams('identity').through(filter(settings + [prefix: '/private'])).ran.empty
    try {
        filter(audience: 'shop')
        assert false: 'no issuer'
    } catch (Exception missing) {
        assert missing.message.contains('issuer')
    }
}
