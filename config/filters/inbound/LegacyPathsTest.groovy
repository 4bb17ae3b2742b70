test('old pages are redirected') {
    def result = get('/kontakt.html').through(filter)
    assert result.status == 308
    assert result.header('location') == '/contact'
    assert result.sent == null
}

test('redirects of products keep the number and the query') {
    assert get('/shop/item-4711.html?color=red').through(filter).header('location') == '/products/4711?color=red'
}

test('other paths are not redirected') {
    assert get('/shop/item-x.html').through(filter).status == 200
    assert get('/shop/item-1.html/more').through(filter).status == 200
}

test('pages, items and the status are settings') {
    def own = filter(pages: ['/old': '/new'], item: '/i/([a-z]+)', 'item-target': '/things/', status: 302)
    assert get('/old').through(own).header('location') == '/new'
    assert get('/i/lamp').through(own).header('location') == '/things/lamp'
    assert get('/i/lamp').through(own).status == 302
    assert get('/kontakt.html').through(own).status == 200
}

test('an expression without a group is refused') {
    try {
        filter(item: '/i/[a-z]+')
        assert false: 'accepted'
    } catch (Exception refused) {
        assert refused.message.contains('expected: a regular expression with a group')
    }
}
