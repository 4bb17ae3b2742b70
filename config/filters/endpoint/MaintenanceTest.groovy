import java.time.Clock
import java.time.Instant
import java.time.ZoneOffset

def from = Instant.parse('2026-11-01T02:00:00Z')
def until = Instant.parse('2026-11-01T04:00:00Z')
def at = { String now -> new Maintenance(from, until, Clock.fixed(Instant.parse(now), ZoneOffset.UTC)) }

test('while it lasts, there is a page in place of the upstream') {
    def result = get('/shop').through(at('2026-11-01T03:00:00Z'))
    assert result.status == 503
    assert result.header('content-type') == 'text/html; charset=utf-8'
    assert result.header('retry-after') == '3600'
    assert result.text.contains('back at 2026-11-01T04:00:00Z')
    assert result.sent == null
}

test('before and after, there is nothing of it') {
    ['2026-11-01T01:59:59Z', '2026-11-01T04:00:00Z'].each { now ->
        assert get('/shop').through(at(now)).ran.empty
    }
}

test('the health check gets through') {
    assert get('/health').through(at('2026-11-01T03:00:00Z')).status == 200
}
