import java.nio.file.Files

def file = Files.createTempFile('key', '.txt')
Files.writeString(file, 'a key that both sides have, of 32 bytes or more\n')
def signing = { Map more = [:] -> filter(['key-file': file.toString(), 'key-id': 'k1'] + more) }
def verify = { sent, Map more = [:] ->
    def again = request(sent.method, '/partner' + (sent.query == null ? '' : '?' + sent.query))
    ['content-digest', 'signature-input', 'signature'].each { again.header(it, sent.header(it)) }
    again.body(sent.body).through(filters.with('RequestSignature', ['key-file': file.toString(), 'key-id': 'k1', prefix: '/partner'] + more))
}

try {
    test('a signed request has the digest of its body and a signature') {
        def sent = post('/partner?a=b').body('{"hello": "world"}').through(signing()).sent
        assert sent.header('content-digest') == 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'
        assert sent.header('signature-input') ==~
                /gateway=\("@method" "@path" "@query" "content-digest"\);created=\d{10};keyid="k1";alg="hmac-sha256"/
        assert sent.header('signature') ==~ /gateway=:[A-Za-z0-9+\/]{43}=:/
        assert sent.text == '{"hello": "world"}'
    }

    test('RequestSignature accepts the signature, with and without query and body') {
        [get('/partner'), get('/partner?'), get('/partner?a=%20b&c'), post('/partner').body('text'),
         post('/partner').pieces('in ', 'chunks'), request('DELETE', '/partner')].each { exchange ->
            assert verify(exchange.through(signing()).sent).status == 200
        }
    }

    test('RequestSignature refuses it with another key or another name of the key') {
        def sent = get('/partner').through(signing()).sent
        assert verify(sent, ['key-id': 'k2']).status == 401
        def other = Files.createTempFile('key', '.txt')
        Files.writeString(other, 'x' * 40)
        assert verify(sent, ['key-file': other.toString()]).status == 401
        Files.delete(other)
    }

    test('fields of the client are replaced') {
        def sent = get('/partner').header('signature', 'a=:AA==:').header('signature', 'b=:AA==:')
                .header('signature-input', 'a=()').header('content-digest', 'sha-256=:AA==:').through(signing()).sent
        ['signature', 'signature-input', 'content-digest'].each { assert sent.headers.getAll(it).size() == 1 }
        assert verify(sent).status == 200
    }

    test('changes of other filters are signed') {
        def result = get('/old').through(filters['LegacyPaths'], signing())
        assert result.sent.header('signature') != null
        assert result.ran == ['LegacyPaths', 'SignRequest']
    }

    test('a body beyond the limit is refused') {
        assert post('/partner').body('x' * 2000).through(signing('max-body': '1KiB')).status == 413
    }

    test('a deployment without a key is refused') {
        try {
            get('/').through(filter('key-variable': 'NO_VARIABLE_OF_THIS_NAME'))
            assert false: 'accepted'
        } catch (Exception expected) {
            assert expected.message.contains('NO_VARIABLE_OF_THIS_NAME has no key')
        }
    }

    test('a name of the key that would break the field is refused') {
        try {
            signing('key-id': 'a";alg="none')
            assert false: 'accepted'
        } catch (Exception expected) {
            assert expected.message.contains('key-id')
        }
    }
} finally {
    Files.delete(file)
}
