static String redacted(String json, int chunk) {
    def redaction = new JsonRedaction(JsonRedaction.factory(8, 100), ['a'] as Set)
    def out = new ByteArrayOutputStream()
    json.bytes.toList().collate(chunk).each { out.write(redaction.piece(it as byte[])) }
    out.write(redaction.end())
    redaction.close()
    out.toString('UTF-8')
}

test('members are removed regardless of their value and position') {
    ['{"a":1}': '{}', '{"a":{"b":[{"a":1}]},"c":1}': '{"c":1}', '{"c":1,"a":[[],{}]}': '{"c":1}', '{"a":1,"a":2}': '{}',
     '[{"a":null},"a"]': '[{},"a"]', '"a"': '"a"', '12.50': '12.50', '{"b":{"a":"x"}}': '{"b":{}}', '': ''].each { json, expected ->
        (1..9).each { assert redacted(json, it) == expected }
    }
}

test('bytes pass with the token that they complete') {
    def redaction = new JsonRedaction(JsonRedaction.factory(8, 100), ['a'] as Set)
    assert new String(redaction.piece('{"b":"c"'.bytes)) == '{"b":"c"'
    assert redaction.heldMemory() == 0
    redaction.close()
}
