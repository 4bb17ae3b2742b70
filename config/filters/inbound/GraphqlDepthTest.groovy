def send = { String body, Map settings = [:], String type = 'application/json' ->
    post('/graphql').header('content-type', type).body(body).through(filter(settings))
}
def query = { String text, Map settings = [:] -> send('{"query":"' + text + '"}', settings) }
def inUrl = { String text -> get('/graphql?query=' + URLEncoder.encode(text, 'UTF-8')).through(filter(depth: 2)) }
def code = { result ->
    assert result.sent == null
    assert result.header('content-type').startsWith('application/json')
    (result.text =~ /^\{"errors":\[\{"message":"[^"]+","extensions":\{"code":"(\w+)"}}]}$/)[0][1]
}

test('a query within the limits passes unchanged') {
    def result = query('{ user(id: 1) { name friends { name } } }')
    assert result.status == 200
    assert result.sent.text == '{"query":"{ user(id: 1) { name friends { name } } }"}'
}

test('a query that is too deep gets an error in the format of GraphQL') {
    def result = query('{ a { b { c } } }', [depth: 2])
    assert result.status == 400
    assert code(result) == 'TOO_DEEP'
    assert result.text.contains('more than 2 levels')
}

test('fragments do not hide the depth') {
    assert code(query('{ a { ...F } } fragment F on T { b { c } }', [depth: 2])) == 'TOO_DEEP'
    assert code(query('{ ...F } fragment F on T { a { ...F } }')) == 'MALFORMED'
}

test('aliases and length are limited') {
    assert code(query('{ ' + (1..4).collect { "a$it: a " }.join('') + '}', [aliases: 3])) == 'TOO_MANY_ALIASES'
    assert query('{ a: b }', [aliases: 0]).status == 400
    assert code(query('{ a ' + ' ' * 100 + '}', [length: 100])) == 'TOO_LONG'
}

test('a query in the URL has the same limits, with any method') {
    assert inUrl('{ a { b } }').status == 200
    assert code(inUrl('{ a { b { c } } }')) == 'TOO_DEEP'
    ['POST', 'HEAD'].each { method ->
        def result = request(method, '/graphql?query=%7Ba%7Bb%7Bc%7D%7D%7D').header('content-type', 'application/json')
                .through(filter(depth: 2))
        assert result.status == 400
    }
    assert get('/graphql?query=%7Ba%7D&query=%7Bb%7D').through(filter).status == 400
}

test('every operation of a batch is measured, and their number is limited') {
    assert send('[{"query":"{a}"},{"query":"{b}"}]').status == 200
    assert code(send('[{"query":"{a}"},{"query":"{a{b{c}}}"}]', [depth: 2])) == 'TOO_DEEP'
    assert code(send('[{"query":"{a}"},{"query":"{b}"}]', [batch: 1])) == 'MALFORMED'
    assert code(send('[]')) == 'MALFORMED'
}

test('variables are no part of the query') {
    assert send('{"variables":{"query":{"query":"{a{b{c}}}"}},"query":"{a}"}', [depth: 1]).status == 200
}

test('escapes of JSON are decoded first') {
    assert code(query('\\u007ba\\u007bb}}', [depth: 1])) == 'TOO_DEEP'
}

test('a request that servers read in different ways is refused') {
    [
        '{"query":"{a}","query":"{a{b}}"}', '{"query":"{a}","Query":"{a{b}}"}', '{"query":"{a}"} {"query":"{b}"}',
        '{"query":["{a}"]}', '"{a}"', '[["{a}"]]', '{"query":"{a}"', 'nothing', '[' * 5000
    ].each { body -> assert code(send(body)) == 'MALFORMED' }
    assert post('/graphql').header('content-type', 'application/json').header('content-type', 'text/plain').body('{}')
            .through(filter).status in [400, 415]
}

test('bodies that are not understood are refused') {
    assert code(send('query=%7Ba%7D', [:], 'application/x-www-form-urlencoded')) == 'UNSUPPORTED'
    assert code(send('x', [:], 'multipart/form-data; boundary=x')) == 'UNSUPPORTED'
    assert code(post('/graphql').body('{"query":"{a}"}').through(filter)) == 'UNSUPPORTED'
    def encoded = post('/graphql').header('content-type', 'application/json').header('content-encoding', 'gzip').body('x')
    assert code(encoded.through(filter)) == 'UNSUPPORTED'
    ['utf-7', 'utf-16', '"utf-7"', 'utf-8; charset=utf-7'].each { charset ->
        assert code(send('{"query":"{a+AHs-b+AH0-}"}', [:], 'application/json; charset=' + charset)) == 'UNSUPPORTED'
    }
    assert send('{"query":"{a}"}', [:], 'application/json;charset="UTF-8"').status == 200
    assert send('{a}', [:], 'application/graphql; charset=utf-8').status == 200
    assert code(send('{a{b}}', [depth: 1], 'application/graphql')) == 'TOO_DEEP'
    assert send('{"query":"{a}"}', [:], 'Application/JSON; charset=utf-8').status == 200
}

test('operations without a query pass only where the server stores queries') {
    def stored = '{"extensions":{"persistedQuery":{"version":1}}}'
    assert code(send(stored)) == 'NO_QUERY'
    assert send(stored, [persisted: true]).status == 200
    assert code(post('/graphql').through(filter)) == 'MALFORMED'
}

test('a body beyond the limit is refused by the gateway') {
    assert send('{"query":"' + 'x' * 2000 + '"}', ['max-body': '1KiB']).status == 413
}

test('other paths, pages and preflights pass') {
    assert post('/other').body('x').through(filter).ran.empty
    assert get('/graphql').through(filter).status == 200
    assert request('OPTIONS', '/graphql').through(filter).status == 200
}
