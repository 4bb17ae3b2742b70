import java.time.Instant

// Whole seconds, because they are part of the page.
def now = Instant.ofEpochSecond(Instant.now().epochSecond)
def during = { int begin, int end, Map more = [:] ->
    filter([from: now.plusSeconds(begin).toString(), until: now.plusSeconds(end).toString()] + more)
}
def refused = { Map settings ->
    try {
        filter(settings)
        null
    } catch (Exception e) {
        e.message
    }
}

test('during the maintenance, a page is sent in place of a response of the upstream') {
    def result = get('/shop').through(during(-3600, 3600))
    assert result.status == 503
    assert result.header('content-type') == 'text/html; charset=utf-8'
    assert result.header('retry-after').toInteger() in 3000..3600
    assert result.header('cache-control') == 'no-store'
    assert result.text.contains("back at ${now.plusSeconds(3600)}")
    assert result.sent == null
}

test('before and after the maintenance, requests reach the upstream') {
    assert get('/shop').through(during(3600, 7200)).ran.empty
    assert get('/shop').through(during(-7200, -3600)).ran.empty
}

test('health checks and other excepted paths reach the upstream') {
    assert get('/health').through(during(-3600, 3600)).status == 200
    def own = during(-3600, 3600, [except: ['/ping', '/ready']])
    assert get('/ready').through(own).status == 200
    assert get('/health').through(own).status == 503
}

test('times that are malformed or in the wrong order are refused') {
    assert refused(from: 'tomorrow').contains('tomorrow')
    assert refused(from: '2026-11-01T04:00:00Z', until: '2026-11-01T02:00:00Z').contains('expected: later than 2026-11-01T04:00:00Z')
}
