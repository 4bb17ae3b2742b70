def json = ['content-type': 'application/json']
def lines = ['content-type': 'application/x-ndjson']
def events = ['content-type': 'text/event-stream']
def redacted = { Map<String, String> type, String... pieces ->
    get('/').origin { OriginResponse.of(200).headers(type).pieces(pieces) }.through(filter)
}

test('secret members are removed at any depth') {
    assert redacted(json, '{"name":"Ann","password":"x","cards":[{"cardNumber":"4711","until":"12/30"}],"iban":{"iban":[{"a":1}]}}').text ==
            '{"name":"Ann","cards":[{"until":"12/30"}]}'
}

test('the result does not depend on the boundaries of chunks') {
    def body = '\r\n{"pass\\u0077ord": [{"a": "]}"}, 1], "b" : [1.50, -1e400, true, null, "\\u00e9\\n\\"password\\":"], "password":"ä", "iban": 1, "c":{}}\n'
    def bytes = body.bytes
    (1..<bytes.length).each { at ->
        def result = get('/').origin {
            OriginResponse.of(200).headers(json).body(bytes)
        }.through(filter)
        assert result.text == '{"b":[1.50,-1e400,true,null,"é\\n\\"password\\":"],"c":{}}'
        assert redacted(json, body.substring(0, Math.min(at, body.length())), body.substring(Math.min(at, body.length()))).text == result.text
    }
}

test('the validators match the new body') {
    def result = get('/').origin(200, json + [etag: '"1"'], '{"iban":"DE00"}').through(filter)
    assert result.text == '{}'
    assert result.header('content-length') in [null, '2']
    assert result.header('etag') == 'W/"1"'
}

test('a document may be longer than any buffer') {
    def item = '{"password":"x","text":"' + 'y' * 900 + '"}'
    def result = get('/').origin { OriginResponse.of(200).headers(json).pieces((['['] + (1..2999).collect { item + ',' } + [item + ']']) as String[]) }.through(filter)
    assert result.body.length == 3000 * (item.length() - '"password":"x",'.length() + 1) + 1
}

test('malformed JSON is not sent') {
    ['{"a":', '{"a":1}}', '{"a":1} {"password":"x"}', "{'password':1}", '{password:1}', '{"a":NaN}', '[1,]'].each {
        def result = redacted(json, it)
        assert result.aborted || result.status == 500
        assert !result.failures.empty
    }
}

test('a body in another charset is not sent') {
    ['UTF-16LE', 'ISO-8859-1'].each { charset ->
        def result = get('/').origin { OriginResponse.of(200).headers(json).body('{"ä":1,"password":"x"}'.getBytes(charset)) }.through(filter)
        assert result.aborted || result.status == 500
    }
}

test('encoded and partial responses are not sent') {
    assert get('/').origin(200, json + ['content-encoding': 'gzip'], 'x').through(filter).status == 500
    assert get('/').origin(206, json + ['content-range': 'bytes 0-0/9'], '{').through(filter).status == 500
}

test('each line of NDJSON is a document') {
    assert redacted(lines, '{"a": 1.50}\n\n{"iban":', '"x","a":2}\r\n[{"password":1}]').text == '{"a": 1.50}\n\n{"a":2}\r\n[{}]'
}

test('events with JSON are changed, and others keep their bytes') {
    def body = ': ping\n\nid: 7\ndata: {"a": 1}\n\ndata: [DONE]\n\ndata: [x\n\ndata: {"iban":"x","b":1}\n\n'
    (0..body.length()).each {
        assert redacted(events, body.substring(0, it), body.substring(it)).text == body.replace('"iban":"x",', '')
    }
}

test('a malformed event is not sent') {
    def result = redacted(events, 'data: {"a":1}\n\n', 'data: {"password":"x"\n\n')
    assert result.aborted
    assert !result.text.contains('password')
}

test('other responses and those without a body are left alone') {
    assert get('/').origin(200, ['content-type': 'text/plain'], 'password').through(filter).text == 'password'
    def ambiguous = { OriginResponse.of(200).header('content-type', 'text/plain').header('content-type', 'application/json').body('{"iban":"x"}') }
    assert get('/').origin(ambiguous).through(filter).status == 500
    assert get('/').origin(200, ['content-type': 'application/json-seq'], '{"iban":"x"}').through(filter).text == '{"iban":"x"}'
    assert request('HEAD', '/').origin(200, json + ['content-encoding': 'gzip'], 'x').through(filter).status == 200
}

test('members and limits are settings') {
    def own = { Map settings, String text -> get('/').origin(200, json, text).through(filter(settings)) }
    assert own([members: 'token'], '{"token":{"a":1},"password":"x"}').text == '{"password":"x"}'
    assert own([depth: 2], '{"a":[]}').text == '{"a":[]}'
    assert !own([depth: 2], '{"a":[[]]}').failures.empty
    assert !own(['max-text': '1KiB'], '"' + 'x' * 2000 + '"').failures.empty
    assert !get('/').origin(200, events, 'data: ' + 'x' * 2000 + '\n\n').through(filter('max-item': '1KiB')).failures.empty
    assert !get('/').origin(200, lines, '{"a":[[]]}\n').through(filter(depth: 2)).failures.empty
}

test('other media types of JSON are read, too') {
    ['application/problem+json', 'Application/JSON; charset=utf-8', 'application/vnd.api+json', 'text/json'].each { type ->
        assert get('/').origin(200, ['content-type': type], '{"iban":"DE00"}').through(filter).text == '{}'
    }
}
