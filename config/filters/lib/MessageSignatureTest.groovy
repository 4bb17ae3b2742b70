import java.nio.file.Files

test('the signature equals the example in RFC 9421, B.2.5') {
    def key = 'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=='.decodeBase64()
    def text = MessageSignature.base(
            [date: 'Tue, 20 Apr 2021 02:07:55 GMT', '@authority': 'example.com', 'content-type': 'application/json'],
            '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"')
    assert MessageSignature.hmac(key, text).encodeBase64() as String == 'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8='
}

test('the digest equals the example in RFC 9421, B.2') {
    assert MessageSignature.digest('{"hello": "world"}'.bytes) == 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:'
}

test('a key comes from a file, without the line break at its end') {
    def file = Files.createTempFile('key', '.txt')
    try {
        Files.writeString(file, 'k' * 40 + '\n')
        assert MessageSignature.key(file.toString(), 'UNUSED') == ('k' * 40).bytes
        Files.writeString(file, 'short\n')
        try {
            MessageSignature.key(file.toString(), 'UNUSED')
            assert false: 'short'
        } catch (IllegalStateException expected) {
            assert expected.message.endsWith('has no key of at least 32 bytes')
            assert !expected.message.contains('short')
        }
    } finally {
        Files.delete(file)
    }
}

test('a missing variable is an error') {
    try {
        MessageSignature.key(null, 'NO_VARIABLE_OF_THIS_NAME')
        assert false: 'missing'
    } catch (IllegalStateException expected) {
        assert expected.message.contains('NO_VARIABLE_OF_THIS_NAME')
    }
}
