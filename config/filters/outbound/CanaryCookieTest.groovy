import dev.lychgate.filter.AttributeKey

test('the group that was drawn becomes a cookie') {
    def result = get('/').attribute(AttributeKey.of('canary.group', String), 'yes').through(filter)
    assert result.header('set-cookie') == 'canary=yes; Path=/shop; Max-Age=604800; HttpOnly; SameSite=Lax'
}

test('where nothing was drawn, there is no cookie') {
    assert get('/').through(filter).header('set-cookie') == null
}
