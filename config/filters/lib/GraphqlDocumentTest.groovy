def depth = { String text -> new GraphqlDocument(text).depth }
def aliases = { String text -> new GraphqlDocument(text).aliases }
def refusal = { String text ->
    try {
        new GraphqlDocument(text)
        null
    } catch (IllegalArgumentException refused) {
        refused.message
    }
}

test('the depth is the level of the deepest field') {
    assert depth('{a}') == 1
    assert depth('query Q($id: ID! = "1", $in: I = {a: {b: 1}}) @d(x: 1) { a { b(id: $id) { c } } d }') == 3
    assert depth('mutation { a(in: {x: {y: {z: [1, -2.5e3, {q: ENUM}]}}}) }') == 1
}

test('the deepest of several operations counts') {
    assert depth('query A { a } query B { a { b } }') == 2
}

test('inline fragments and directives add no depth') {
    assert depth('{ a { ... on T @skip(if: false) { b ... { c ... @include(if: true) { d } } } } }') == 2
    assert depth('{ on { fragment { query } } }') == 3
}

test('a field after an inline fragment has its own level') {
    assert depth('{ ... on T { a } b { c { d } } }') == 3
}

test('fragments count in place of each spread') {
    def text = 'query { a { ...F } ...G } fragment F on T { b { c } } fragment G on T { x { ...F } }'
    assert depth(text) == 3
    assert depth('query { a { b { ...F } } ...F } fragment F on T { c { d } }') == 4
}

test('aliases count in place of each spread') {
    assert aliases('{ x: a y: a(b: {c: 1}) { z: d } e }') == 3
    assert aliases('{ ...F ...F a { ...F } } fragment F on T { x: a y: b }') == 6
}

test('fragments that double each other are measured without being expanded') {
    def laughs = (1..60).collect { "fragment F$it on T { ...F${it + 1} ...F${it + 1} }" }.join('\n')
    assert aliases("{ ...F1 } $laughs fragment F61 on T { x: a }") == Integer.MAX_VALUE
}

test('strings, block strings and comments hide braces') {
    assert depth('{ a(s: "}{ \\" ) {", b: """ } " "" \\""" { """) # { { {\n { b } }') == 2
    assert depth('{ a(s: "") b(t: """""") # }\r{ c } }') == 2
    assert depth('\uFEFF{,,,a,,,{,b,},}') == 2
}

test('a fragment within itself is refused') {
    assert refusal('{ ...A } fragment A on T { ...A }').contains('within itself')
    assert refusal('{ ...A } fragment A on T { a { ...B } } fragment B on T { ...A }').contains('within itself')
}

test('malformed documents are refused') {
    [
        '', '   # nothing', '{', '{ a', '{ a { b }', '{ a("', '{ a(s: "x\n") }', '{ a(s: """x") }', '{ a(b: 1', 'query',
        '{ a } }', 'type T { a: Int }', 'fragment', 'fragment A on T', '{ ...Unknown }', '{ a % b }', '{ é }', '{ a(s: "\\',
        'fragment A on T { a } fragment A on T { b }', '{ ...', '{ ... on', '{ a:'
    ].each { text -> assert refusal(text)?.startsWith('malformed query') }
}

test('the number of definitions is limited, and a long chain of fragments is measured') {
    def chain = { int length -> '{ ...F1 } ' + (1..length).collect { "fragment F$it on T { a { ...F${it + 1} } } " }.join('') }
    assert depth(chain(198) + 'fragment F199 on T { b }') == 199
    assert refusal(chain(300) + 'fragment F301 on T { b }').contains('definitions')
}

test('deep nesting needs no deep stack') {
    assert depth('{a' * 100_000 + '}' * 100_000) == 100_000
    assert depth('{' + '...{' * 100_000 + 'a' + '}' * 100_001) == 1
}
