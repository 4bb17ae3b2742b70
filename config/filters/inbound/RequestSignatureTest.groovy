import java.time.Clock
import java.time.Instant
import java.time.ZoneOffset

def key = 'secret'.bytes
def now = 'Sun, 01 Nov 2026 12:00:00 GMT'
def signed = new RequestSignature(key, Clock.fixed(Instant.parse('2026-11-01T12:04:00Z'), ZoneOffset.UTC))
def ask = { String date, String signature ->
    get('/partner/orders').header('date', date).header('x-signature', signature).through(signed)
}

test('a signed request passes') {
    assert ask(now, RequestSignature.sign(key, 'GET', '/partner/orders', now)).status == 200
}

test('it is signed for one method, one path and one key') {
    [
        RequestSignature.sign(key, 'POST', '/partner/orders', now),
        RequestSignature.sign(key, 'GET', '/partner/invoices', now),
        RequestSignature.sign('other'.bytes, 'GET', '/partner/orders', now),
        'x'
    ].each { signature -> assert ask(now, signature).status == 401 }
}

test('it is of no use later') {
    def earlier = 'Sun, 01 Nov 2026 11:50:00 GMT'
    assert ask(earlier, RequestSignature.sign(key, 'GET', '/partner/orders', earlier)).status == 401
    assert ask('yesterday', RequestSignature.sign(key, 'GET', '/partner/orders', 'yesterday')).status == 401
}

test('without a signature nobody gets in') {
    assert get('/partner/orders').through(signed).status == 401
}

test('without a key nobody gets in') {
    def result = get('/partner/orders').through(new RequestSignature(new byte[0], Clock.systemUTC()))
    assert result.status == 500
    assert result.failures[0].cause.message == 'PARTNER_KEY is not set'
}

test('other paths are not signed') {
    assert get('/').through(signed).ran.empty
}
