/** Returns usage, model and events. */
static List read(boolean events, String... chunks) {
    def reader = new LlmUsageReader(events)
    chunks.each { reader.piece(it.bytes) }
    [reader.usage(), reader.model(), reader.events()]
}

def openAi = '''\
data: {"id":"c","model":"gpt-5-mini-2025","choices":[{"index":0,"delta":{"content":"\\"usage\\":{\\"prompt_tokens\\":9}"}}],"usage":null}

: keep-alive

data: {"id":"c","model":"gpt-5-mini-2025","choices":[],"usage":{"prompt_tokens":30,"completion_tokens":12,"total_tokens":42,"prompt_tokens_details":{"cached_tokens":20,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":5}}}

data: [DONE]

'''
def openAiUsage = [[input: 10L, output: 12L, 'cache-read': 20L], 'gpt-5-mini-2025', 3L]

def responses = '''\
event: response.created
data: {"type":"response.created","response":{"id":"r","model":"o4-mini","output":[],"usage":null}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","delta":"usage"}

event: response.completed
data: {"type":"response.completed","response":{"id":"r","model":"o4-mini","output":[{"usage":{"input_tokens":1}}],"usage":{"input_tokens":36,"input_tokens_details":{"cached_tokens":0},"output_tokens":87,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":123}}}

'''
def responsesUsage = [[input: 36L, output: 87L, 'cache-read': 0L], 'o4-mini', 3L]

def anthropic = '''\
event: message_start
data: {"type":"message_start","message":{"id":"m","model":"claude-sonnet-4-5","content":[],"usage":{"input_tokens":25,"cache_creation_input_tokens":100,"cache_read_input_tokens":7,"cache_creation":{"ephemeral_5m_input_tokens":100},"output_tokens":1}}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}

event: message_stop
data: {"type":"message_stop"}

'''
def anthropicUsage = [[input: 25L, 'cache-write': 100L, 'cache-read': 7L, output: 15L], 'claude-sonnet-4-5', 5L]
def streams = [(openAi): openAiUsage, (responses): responsesUsage, (anthropic): anthropicUsage]

test('usage in event streams of each API is read') {
    streams.each { text, usage -> assert read(true, text) == usage }
}

test('usage is exact for all boundaries of chunks and all line breaks') {
    streams.each { text, usage ->
        [text, text.replace('\n', '\r\n'), text.replace('\n', '\r')].each { body ->
            (0..body.length()).each { assert read(true, body.substring(0, it), body.substring(it)) == usage }
            assert read(true, body.collect { it } as String[]) == usage
        }
    }
}

test('usage in JSON bodies is exact for all boundaries of chunks') {
    def body = '{"model":"text-embedding-3","data":[{"embedding":[0.1,-2e-3],"usage":{"prompt_tokens":1}}],"usage":{"prompt_tokens":8,"total_tokens":8}}'
    (0..body.length()).each {
        assert read(false, body.substring(0, it), body.substring(it)) == [[input: 8L], 'text-embedding-3', 0L]
    }
}

test('a body that is cut off reports what was complete') {
    def complete = anthropic.indexOf('"output_tokens":1}') + '"output_tokens":1}'.length()
    (0..<complete).each { assert read(true, anthropic.substring(0, it))[0] == [:] }
    def started = [input: 25L, 'cache-write': 100L, 'cache-read': 7L, output: 1L]
    def last = anthropic.indexOf('15}') + 2
    (complete..last).each { assert read(true, anthropic.substring(0, it))[0] == started }
    assert read(true, anthropic.substring(0, last + 1))[0].output == 15
}

test('totals of a stream are not added up') {
    def chunk = { 'data: {"usage":{"prompt_tokens":5,"completion_tokens":' + it + '}}\n\n' }
    assert read(true, chunk(1), chunk(2), chunk(3))[0] == [input: 5L, output: 3L]
}

test('data with several lines is one event') {
    assert read(true, 'data: {"usage":\ndata:{"input_tokens"\ndata: :5}}\n\n') == [[input: 5L], null, 1L]
}

test('other fields, comments and a byte order mark are not data') {
    assert read(true, '\uFEFFdata: {"model":"a"}\n\n')[1] == 'a'
    assert read(true, ':data: {"model":"a"}\n\nid: {"model":"b"}\n\ndatas: {"model":"c"}\n\ndata\n\n')[1..2] == [null, 0L]
}

test('malformed events have no effect on the next ones') {
    assert read(true, 'data: {"usage":{"input_tokens":[\n\n' + 'data: "\n\n' + 'data: {"usage":{"input_tokens":5}}\n\n')[0] == [input: 5L]
}

test('a model is printable ASCII') {
    assert read(false, '{"model":"a\nb"}')[1] == null
    assert read(false, '{"model":"org/a-1:free"}')[1] == 'org/a-1:free'
}

test('values that are not counts are ignored') {
    ['-1', '1.5', '1e3', '"many"', 'null', '1' + '0' * 20].each { assert read(false, '{"usage":{"input_tokens":' + it + '}}')[0] == [:] }
}
