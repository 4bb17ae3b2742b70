def json = ['content-type': 'application/json']
def events = ['content-type': 'text/event-stream']
def ask = { budget, String client, Map<String, String> type = json, String... body ->
    def text = body.length == 0 ? ['{"usage":{"input_tokens":60,"output_tokens":50}}'] as String[] : body
    post('/').header('x-client', client).origin { OriginResponse.of(200).headers(type).pieces(text) }
            .through(budget, filters['LlmUsage'])
}
def hourly = { int tokens -> filter(tokens: tokens, per: '1h', client: 'x-client') }

test('a client beyond its budget gets a Retry-After') {
    def budget = hourly(100)
    assert ask(budget, 'a').status == 200
    def refused = ask(budget, 'a')
    assert refused.status == 429
    assert refused.sent == null
    // A token takes 36 s to refill, and the client owes 10 tokens and needs one more.
    assert refused.header('retry-after').toInteger() in 390..396
    assert refused.header('content-type') == 'application/json'
    assert refused.text.contains('rate_limit_error')
    assert ask(budget, 'b').status == 200
}

test('all kinds of tokens count') {
    def budget = hourly(6)
    def body = 'data: {"message":{"usage":{"input_tokens":1,"cache_read_input_tokens":2,"cache_creation_input_tokens":3,"output_tokens":1}}}\n\n'
    assert ask(budget, 'a', events, body).status == 200
    assert ask(budget, 'a').header('retry-after').toInteger() in 1190..1200
}

test('a stream without a report counts its events') {
    def budget = hourly(3)
    assert ask(budget, 'a', events, 'data: 1\n\ndata: 2\n\n').status == 200
    assert ask(budget, 'a', events, 'data: 3\n\n', 'data: 4\n\n').status == 200
    assert ask(budget, 'a').status == 429
}

test('requests that cost nothing do not count') {
    def budget = hourly(1)
    5.times { assert ask(budget, 'a', json, '{}').status == 200 }
    5.times { assert post('/').header('x-client', 'a').origin(500, json, '{}').through(budget, filters['LlmUsage']).status == 500 }
}

test('without a header, the client is its address') {
    def budget = filter(tokens: 100, per: '1h')
    def from = { post('/').client(it).origin(200, json, '{"usage":{"input_tokens":100}}').through(budget, filters['LlmUsage']).status }
    assert [from('192.0.2.1'), from('192.0.2.1'), from('192.0.2.2')] == [200, 429, 200]
}
