import java.nio.file.Files
import java.time.Instant

def file = Files.createTempFile('key', '.txt')
def secret = 'a key that both sides have, of 32 bytes or more'
Files.writeString(file, secret)
def verifying = filter('key-file': file.toString())
long now = System.currentTimeMillis().intdiv(1000)

def signature = { Map with = [:] ->
    def all = [key: secret, method: 'POST', path: '/partner/orders', query: 'a=b', body: 'text', created: now, label: 'sig1'] + with
    def parameters = all.parameters ?: MessageSignature.parameters(all.created as long, 'partner')
    def digest = MessageSignature.digest((all.body as String).bytes)
    def signed = MessageSignature.sign((all.key as String).bytes, all.method as String, all.path as String, all.query as String,
            digest, parameters as String)
    ['content-digest': digest, 'signature-input': "$all.label=$parameters" as String,
     signature: "$all.label=:${signed.encodeBase64()}:" as String]
}
def send = { Map fields, String body = 'text', filter = verifying ->
    def exchange = post('/partner/orders?a=b').time(Instant.ofEpochSecond(now)).body(body)
    fields.each { name, values -> (values instanceof List ? values : [values]).each { exchange.header(name as String, it as String) } }
    exchange.through(filter)
}
def refused = { result ->
    assert result.status == 401
    assert result.sent == null
    true
}

try {
    test('a signed request passes, under any label') {
        assert send(signature()).status == 200
        assert send(signature(label: 'gateway-2')).status == 200
    }

    test('the signature is for one method, path, query, body and key') {
        [[method: 'PUT'], [path: '/partner/invoices'], [query: 'a=c'], [query: null], [key: 'x' * 40]].each {
            assert refused(send(signature(it)))
        }
        assert refused(send(signature(), 'other'))
        assert refused(send(signature() + ['content-digest': MessageSignature.digest('other'.bytes)], 'other'))
    }

    test('the time of the signature has a tolerance in both directions') {
        [-290, 290].each { assert send(signature(created: now + it)).status == 200 }
        [-400, 400, -now, 999_999_999_999 - now].each { assert refused(send(signature(created: now + it))) }
    }

    test('missing and repeated fields are refused') {
        ['content-digest', 'signature', 'signature-input'].each { name ->
            def fields = signature()
            assert refused(send(fields.findAll { it.key != name }))
            assert refused(send(fields + [(name): [fields[name], fields[name]]]))
        }
        assert refused(get('/partner/orders').through(verifying))
    }

    test('a signature that covers less, or states other parameters, is refused') {
        [
            '();created=' + now + ';keyid="partner"', '("@method");created=' + now + ';keyid="partner"',
            '("@method" "@path" "@query" "content-digest");keyid="partner"',
            '("@method" "@path" "@query" "content-digest");created=' + now,
            '("@method" "@path" "@query" "content-digest");created=' + now + ';keyid="other"',
            '("@method" "@path" "@query" "content-digest");created=' + now + ';keyid="partner";alg="none"',
            '("@method" "@path" "@query" "content-digest");created=1;created=' + now + ';keyid="partner"',
            '("@method" "@path" "@query" "content-digest");created="' + now + '";keyid="partner"',
            '("@method" "@path" "@query" "content-digest" "date");created=' + now + ';keyid="partner"'
        ].each { assert refused(send(signature(parameters: it))) }
        assert send(signature(parameters: '("@method" "@path" "@query" "content-digest");keyid="partner";created=' + now)).status == 200
    }

    test('malformed fields are refused') {
        ['', 'sig1', 'sig1=', 'sig1=(' + '"a" ' * 5000, 'SIG=()', 'sig1=();created=99999999999999999999'].each {
            assert refused(send(signature() + ['signature-input': it]))
        }
        ['', 'x', 'sig1=::', 'other=' + signature().signature.substring(5), 'sig1=:' + 'A' * 5000 + ':'].each {
            assert refused(send(signature() + [signature: it]))
        }
    }

    test('a body beyond the limit is refused') {
        assert send(signature(), 'x' * 2000, filter('key-file': file.toString(), 'max-body': '1KiB')).status == 413
    }

    test('a deployment without a key is refused') {
        try {
            get('/').through(filter('key-variable': 'NO_VARIABLE_OF_THIS_NAME'))
            assert false: 'accepted'
        } catch (Exception expected) {
            assert expected.message.contains('NO_VARIABLE_OF_THIS_NAME has no key')
        }
    }

    test('other paths are not signed') {
        assert get('/').through(verifying).ran.empty
    }
} finally {
    Files.delete(file)
}
