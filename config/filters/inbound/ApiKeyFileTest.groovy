import java.nio.file.Files
import java.security.MessageDigest

def digest = { String key -> HexFormat.of().formatHex(MessageDigest.getInstance('SHA-256').digest(key.bytes)) }
def first = 'a' * 32
def second = 'b' * 32
def other = 'c' * 32
def file = Files.createTempFile('keys', '.txt')
file.toFile().deleteOnExit()
def write = { String... lines -> Files.writeString(file, lines.join('\n') + '\n') }
write('# customers', '', digest(first) + ' acme', digest(second) + ' acme', digest(other) + '  globex')
def keyed = { Map more = [:] -> filter([file: file.toString()] + more) }
def ask = { String key, through -> get('/api/orders').header('x-api-key', key).through(through) }

test('a known key passes, and the origin receives its customer but not the key') {
    def result = get('/api/orders').header('x-api-key', first).header('x_customer', 'root').header('X-Customer', 'root').through(keyed())
    assert result.status == 200
    assert result.sent.header('x-customer') == 'acme'
    assert result.sent.header('x_customer') == null
    assert result.sent.header('x-api-key') == null
}

test('a missing, short, unknown or repeated key is refused') {
    def refused = [
            get('/api/orders'),
            get('/api/orders').header('x-api-key', 'short'),
            get('/api/orders').header('x-api-key', 'd' * 32),
            get('/api/orders').header('x-api-key', digest(first)),
            get('/api/orders').header('x-api-key', first).header('x-api-key', first),
    ].collect { it.through(keyed()) }
    assert refused.every { it.status == 401 && it.header('www-authenticate') == 'ApiKey' && it.sent == null }
}

test('other paths need no key') {
    assert get('/').through(keyed()).ran.empty
}

test('all keys of a customer share one limit') {
    def strict = keyed(size: 2, per: '1h')
    assert [first, second, first].collect { ask(it, strict).status } == [200, 200, 429]
    assert ask(first, strict).header('retry-after').toInteger() in 1790..1800
    assert ask(other, strict).status == 200
}

test('a refused key takes nothing from a limit') {
    def strict = keyed(size: 1, per: '2h')
    assert ask('d' * 32, strict).status == 401
    assert ask(other, strict).status == 200
}

test('a removed key is refused without a reload, and a malformed file keeps the last keys') {
    def live = keyed(reread: '100ms', size: 100_000, per: '100ms')
    assert ask(other, live).status == 200
    write(digest(first) + ' acme')
    for (int i = 0; i < 200 && ask(other, live).status == 200; i++) {
        Thread.sleep(50)
    }
    assert ask(other, live).status == 401
    write('nonsense')
    Thread.sleep(300)
    assert ask(first, live).status == 200
}

test('a malformed or empty file is refused') {
    [nonsense: ':2: expected the SHA-256 of a key and a customer', '': ' has no keys'].each { text, message ->
        Files.writeString(file, '# keys\n' + text + '\n')
        def failure = null
        try {
            keyed(prefix: '/' + text.size())
        } catch (Exception | AssertionError e) {
            failure = e
        }
        assert failure?.message?.contains(message)
    }
}
