/** Returns the path and value of each reported value, and the path of each complete object. */
static List<String> read(String json) {
    List<String> seen = []
    def paths = new JsonPaths(new JsonPaths.Values() {
        void value(String path, String text) { seen << path + '=' + text }
        void closed(String path) { seen << path + '!' }
    })
    json.bytes.each { paths.next(it & 0xff) }
    seen
}

test('texts and numbers are reported with their paths') {
    assert read('{"a":1,"b":{"c":"x","d":-2.5e3}, "e" : "y"}') == ['a=1', 'b/c=x', 'b/d=-2.5e3', 'b!', 'e=y', '!']
}

test('values in arrays are not reported') {
    assert read('{"a":[1,{"b":2},[{"c":[3]}]],"d":4}') == ['d=4', '!']
    assert read('[{"a":1}]') == []
}

test('JSON within a text is a text') {
    assert read('{"a":"{\\"b\\":1}","c":2}') == ['c=2', '!']
    assert read('{"a":"x}","c":2}') == ['a=x}', 'c=2', '!']
}

test('words, blanks and empty objects have no reports') {
    assert read('\r\n{ "a" : null , "b":true,"c":{},"d":"" }\n') == ['c!', 'd=', '!']
}

test('long and escaped names and values are not reported') {
    assert read('{"' + 'a' * 200 + '":1,"b":"' + 'c' * 200 + '","\\u0061":2,"d":3}') == ['\u0000=1', '\u0000=2', 'd=3', '!']
}

test('deep values are not reported') {
    assert read('{"a":{"b":{"c":{"d":1,"e":{"f":2}}}}}') == ['a/b/c/d=1', 'a/b/c/e!', 'a/b/c!', 'a/b!', 'a!', '!']
}

test('malformed JSON does no harm') {
    ['}}}}', ']]]]', '{"a":{"a":{"a":{"a":{"a":{"a":1', '"', '\\', '{"a"}:1', '{:1}', '{,,"a":1}', '1', '{' * 100_000].each { read(it) }
}
