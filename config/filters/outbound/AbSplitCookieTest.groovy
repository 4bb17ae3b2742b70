import dev.lychgate.filter.AttributeKey

test('each variant becomes a cookie') {
    def chosen = [one: 'a; Path=/; HttpOnly', two: 'b; Path=/']
    def result = get('/').attribute(AttributeKey.of('ab.cookie', Map), chosen).through(filter)
    assert result.headers.getAll('set-cookie') == ['one=a; Path=/; HttpOnly', 'two=b; Path=/']
}

test('without a variant, no cookie is set') {
    assert get('/').through(filter).ran.empty
}
