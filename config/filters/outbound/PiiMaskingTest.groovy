import groovy.json.JsonOutput
import groovy.json.JsonSlurper

def events = ['content-type': 'text/event-stream; charset=utf-8']
def through = { Map<String, String> type, filter, String... pieces ->
    get('/').origin { OriginResponse.of(200).headers(type).pieces(pieces) }.through(filter)
}
def masked = { String... pieces -> through(events, filter, pieces).text }
def openAi = { String content, Map more = [:] -> 'data: ' + JsonOutput.toJson([id: 'c', choices: [[index: 0, delta: [content: content]] + more]]) + '\n\n' }
def anthropic = { String text, int index = 0 ->
    'event: content_block_delta\ndata: ' + JsonOutput.toJson([type: 'content_block_delta', index: index, delta: [type: 'text_delta', text: text]]) + '\n\n'
}
def responses = { String text -> 'event: response.output_text.delta\ndata: ' +
        JsonOutput.toJson([type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: text]) + '\n\n' }
/** Returns the JSON of all events. */
def read = { String body -> body.readLines().findAll { it.startsWith('data: {') }.collect { new JsonSlurper().parseText(it.substring(6)) } }
def text = 'Mail ada@example.com or pay 4111 1111 1111 1111. Call +49 30 12345678, or DE89 3704 0044 0532 0130 00'
def expected = 'Mail *** or pay ***. Call ***, or ***'

test('a text that is split over two events at any character is masked') {
    (0..text.length()).each { at ->
        def body = masked(openAi(text.substring(0, at)), openAi(text.substring(at)), 'data: [DONE]\n\n')
        assert read(body).collect { it.choices[0].delta.content }.join('') == expected
        assert body.endsWith('data: [DONE]\n\n')
    }
}

test('a text of one character in each event is masked, in each shape') {
    def chat = masked(*text.collect { openAi(it) }, 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n')
    assert read(chat).collect { it.choices[0].delta.content ?: '' }.join('') == expected
    assert read(chat)*.choices*.getAt(0)*.finish_reason.findIndexOf { it == 'stop' } == read(chat).size() - 1

    def messages = masked(*text.collect { anthropic(it) }, 'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n')
    assert read(messages).findAll { it.delta }.collect { it.delta.text }.join('') == expected
    assert read(messages).last().type == 'content_block_stop'
    assert messages.count('event: content_block_delta') == text.length() + 1

    def output = masked(*text.collect { responses(it) }, 'event: x\ndata: ' +
            JsonOutput.toJson([type: 'response.output_text.done', item_id: 'm', output_index: 0, content_index: 0, text: text]) + '\n\n')
    assert read(output).findAll { it.delta != null }.collect { it.delta }.join('') == expected
    assert read(output).last().text == expected
}

test('the boundaries of chunks do not matter') {
    def body = openAi('to ada@exa') + ': ping\n\n' + openAi('mple.com.') + 'data: [DONE]\n\n'
    def whole = masked(body)
    assert read(whole).collect { it.choices[0].delta.content }.join('') == 'to ***.'
    (1..<body.length()).each { assert masked(body.substring(0, it), body.substring(it)) == whole }
}

test('an event without text passes at once, between the parts of a match') {
    def ping = 'event: ping\ndata: {"type": "ping"}\n\n'
    def body = masked(anthropic('ada@exa'), ping, anthropic('mple.com x'), 'data: {"type":"message_stop"}\n\n')
    assert body.startsWith(anthropic('') + ping)
    assert read(body).findAll { it.delta }.collect { it.delta.text }.join('') == '*** x'
}

test('an event without a match keeps its bytes') {
    def body = 'id: 7\ndata: {"choices": [{"delta": {"content": "Hello. "}}], "n": 1.50}\n\n: x\n\ndata: plain\n\n'
    assert masked(body) == body
}

test('the rest of a text is sent at the end of the body') {
    assert masked(openAi('write to ada')) == openAi('write to ') + '\n' + openAi('ada')
    assert read(masked(anthropic('ada@example.com'))).collect { it.delta.text } == ['', '***']
    assert read(masked(openAi('x ada'), 'data: y')).collect { it.choices[0].delta.content }.join('') == 'x ada'
    assert masked(openAi('x ada'), 'data: y').contains('data: y\n\n')
}

test('the last part of a text is in the event that ends it') {
    def body = masked(openAi('ada@example'), openAi('.com', [finish_reason: 'stop']))
    assert read(body).collect { it.choices[0].delta.content } == ['', '***']
}

test('texts of several choices and blocks are not mixed') {
    def choice = { int index, String part -> 'data: ' + JsonOutput.toJson([choices: [[index: index, delta: [content: part]]]]) + '\n\n' }
    def finish = { 'data: {"choices":[{"index":' + it + ',"delta":{},"finish_reason":"stop"}]}\n\n' }
    def body = masked(choice(0, 'ada@exa'), choice(1, 'bob@exa'), choice(0, 'mple.com'), finish(0), choice(1, 'mple.org'), finish(1), 'data: [DONE]\n\n')
    (0..1).each { index ->
        assert read(body)*.choices*.getAt(0).findAll { it.index == index }.collect { it.delta.content ?: '' }.join('') == '***'
    }
    def blocks = masked(anthropic('ada@exa', 0), anthropic('bob@exa', 1), 'data: {"type":"content_block_stop","index":0}\n\n',
            anthropic('mple.com', 1), 'data: {"type":"content_block_stop","index":1}\n\n')
    assert read(blocks).findAll { it.delta && it.index == 0 }.collect { it.delta.text }.join('') == 'ada@exa'
    assert read(blocks).findAll { it.delta && it.index == 1 }.collect { it.delta.text }.join('') == '***'
}

test('escapes do not hide a match') {
    assert masked('data: {"a":"ada\\u0040example.com"}\n\n') == 'data: {"a":"***"}\n\n'
    assert masked('data: write to ada@example.com\n\n') == 'data: write to ***\n\n'
}

test('too many texts at the same time abort the response') {
    def result = through(events, filter, *((0..70).collect { anthropic('a', it) }))
    assert result.aborted
}

test('JSON and NDJSON are masked value by value') {
    assert through(['content-type': 'application/json'], filter, '{"to":["ada@exam', 'ple.com"],"card":4111111111111111,"n":1.50}').text ==
            '{"to":["***"],"card":"***","n":1.50}'
    assert through(['content-type': 'application/x-ndjson'], filter, '{"a": 1e2}\n{"mail":"ada@exa', 'mple.com"}\n').text ==
            '{"a": 1e2}\n{"mail":"***"}\n'
    assert through(['content-type': 'application/problem+json'], filter, '{"a":"+49 30 12345678"}').text == '{"a":"***"}'
}

test('settings select the masked values and the replacement') {
    def own = filter(emails: false, mask: 'X')
    assert through(events, own, 'data: a@b.example 4111111111111111\n\n').text == 'data: a@b.example X\n\n'
    def paths = filter(deltas: 'part')
    assert read(through(events, paths, 'data: {"part":"a@b"}\n\n', 'data: {"part":".example"}\n\n').text).collect { it.part }.join('') == '***'
    assert !through(events, filter('max-item': '1KiB'), 'data: ' + 'x ' * 2000 + '\n\n').failures.empty
}

test('a response that cannot be read is not sent') {
    assert get('/').origin(200, events + ['content-encoding': 'gzip'], 'x').through(filter).status == 500
    assert through(events, filter, 'data: {"a":"ada\\u0040example.com"\n\n').aborted
    assert get('/').origin { OriginResponse.of(200).header('content-type', 'text/event-stream; charset=utf-16').body('x') }.through(filter).status == 500
}

test('other responses and those without a body are left alone') {
    def ambiguous = { OriginResponse.of(200).header('content-type', 'text/plain').header('content-type', 'application/json').body('["a@b.example"]') }
    assert get('/').origin(ambiguous).through(filter).status == 500
    assert through(['content-type': 'text/plain'], filter, 'a@b.example').text == 'a@b.example'
    assert request('HEAD', '/').origin(200, events + ['content-encoding': 'gzip'], 'x').through(filter).status == 200
}
