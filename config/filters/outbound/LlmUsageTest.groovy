import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.OutboundFilter
import dev.lychgate.filter.SyncFilter

/** A filter that reads the usage when the exchange has ended. */
class Reading implements OutboundFilter, SyncFilter {
    List<Object> usage = []

    FilterOutcome filter(FilterExchange exchange) {
        def attribute = exchange['llm.usage']
        exchange.onCompleted { usage << attribute }
        exchange.proceed()
    }
}

def events = ['content-type': 'text/event-stream; charset=utf-8']
def json = ['content-type': 'application/json']
def reply = '{"model":"gpt-5-mini","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7}}'
def stream = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: ' + reply + '\n\ndata: [DONE]\n\n'

test('an event stream passes unchanged, chunk by chunk') {
    def result = get('/').origin { OriginResponse.of(200).headers(events).pieces(stream[0..20], stream[21..100], stream[101..-1]) }.through(filter)
    assert result.text == stream
    assert result.failures.empty
}

test('a JSON body keeps its bytes, its length and its validators') {
    def result = post('/').origin(200, json + [etag: '"1"'], reply).through(filter)
    assert result.text == reply
    assert result.header('content-length') == reply.length().toString()
    assert result.header('etag') == '"1"'
}

test('a compressed response passes unread') {
    def result = get('/').origin(200, events + ['content-encoding': 'gzip'], 'x').through(filter)
    assert result.text == 'x'
    assert result.failures.empty
}

test('errors, other types and responses without a body are not read') {
    assert get('/').origin(429, json, '{}').through(filter).ran.empty
    assert get('/').origin(200, ['content-type': 'text/html'], 'x').through(filter).ran.empty
    assert get('/').origin(200, ['content-type': 'application/jsonp'], 'x').through(filter).ran.empty
    assert get('/').origin(200).through(filter).ran.empty
    assert request('HEAD', '/').origin(200, json, reply).through(filter).ran.empty
    assert get('/').origin(204, json, '').through(filter).status == 204
}

test('filters that run later read the usage when the exchange has ended') {
    def reading = new Reading()
    assert get('/').origin(200, events, stream).through(filter, reading).text == stream
    assert reading.usage == [[input: 5L, output: 7L]]
}
