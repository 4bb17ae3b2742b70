test('old pages are elsewhere now') {
    def result = get('/kontakt.html').through(filter)
    assert result.status == 308
    assert result.header('location') == '/contact'
    assert result.sent == null
}

test('products keep their number, and the query') {
    assert get('/shop/item-4711.html?color=red').through(filter).header('location') == '/products/4711?color=red'
}

test('everything else is where it was') {
    assert get('/shop/item-x.html').through(filter).status == 200
    assert get('/shop/item-1.html/more').through(filter).status == 200
}
