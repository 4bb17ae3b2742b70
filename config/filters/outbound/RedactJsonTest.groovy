def json = ['content-type': 'application/json']
def redacted = { String text -> get('/').origin(200, json, text).through(filter).text }

test('secrets are taken out, wherever they are') {
    assert redacted('{"name":"Ann","password":"x","cards":[{"cardNumber":"4711","until":"12/30"}]}') ==
            '{"name":"Ann","cards":[{"until":"12/30"}]}'
}

test('the length is that of the new body') {
    def result = get('/').origin(200, json + [etag: '"1"'], '{"iban":"DE00"}').through(filter)
    assert result.text == '{}'
    assert result.header('content-length') == '2'
    assert result.header('etag') == 'W/"1"'
}

test('it does not matter in how many pieces it comes') {
    def result = get('/')
            .origin { OriginAnswer.of(200).headers(json).pieces('{"pass', 'word":"x","a"', ':[1,2]}') }
            .through(filter)
    assert result.text == '{"a":[1,2]}'
}

test('what can not be looked into is not sent') {
    assert get('/').origin(200, json, '{"a":').through(filter).status == 500
    assert get('/').origin(200, json + ['content-encoding': 'gzip'], 'x').through(filter).status == 500
}

test('other answers are left alone') {
    assert get('/').origin(200, ['content-type': 'text/plain'], 'password').through(filter).text == 'password'
}

test('members and limit are settings') {
    def own = filter(members: 'token', 'max-body': '1KiB')
    assert get('/').origin(200, json, '{"token":{"a":1},"password":"x"}').through(own).text == '{"password":"x"}'
    assert get('/').origin(200, json, '"' + 'x' * 2000 + '"').through(own).status >= 500
}

test('other media types of JSON are read, too') {
    ['application/problem+json', 'Application/JSON; charset=utf-8', 'application/vnd.api+json'].each { type ->
        assert get('/').origin(200, ['content-type': type], '{"iban":"DE00"}').through(filter).text == '{}'
    }
    assert get('/').origin(200, ['content-type': 'application/json-seq'], '{"iban":"x"}').through(filter).text == '{"iban":"x"}'
}
