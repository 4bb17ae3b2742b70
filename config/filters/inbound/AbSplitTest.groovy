import dev.lychgate.filter.AttributeKey

def halves = { Map more = [:] -> filter([variants: [a: '50%', b: '50%']] + more) }
def variant = { split, Closure<TestExchange> change = { it } ->
    change(get('/shop')).through(split).sent.header('x-variant')
}
def refused = { Map settings ->
    try {
        filter(settings)
        null
    } catch (Exception e) {
        e.message
    }
}

test('clients are split by percentage') {
    def split = filter('key-header': 'x-user')
    def canary = (1..2000).count { id -> variant(split) { it.header('x-user', "user $id") } == 'canary' }
    // 200 are expected; the hashes are the same in each run.
    assert canary in 150..250
}

test('a client stays in its variant, on all gateways') {
    def id = { it.header('x-user', 'ada') }
    assert (1..20).collect { variant(halves('key-header': 'x-user'), id) }.unique().size() == 1
    assert variant(halves('key-header': 'x-user', 'max-age': '1h'), id) == variant(halves('key-header': 'x-user'), id)
}

test('a larger percentage moves clients in one direction only') {
    def some = filter(variants: [canary: '10%', stable: '90%'], 'key-header': 'x-user')
    def more = filter(variants: [canary: '30%', stable: '70%'], 'key-header': 'x-user')
    (1..300).each { id ->
        def user = { it.header('x-user', "user $id") }
        assert variant(some, user) == 'stable' || variant(more, user) == 'canary'
    }
}

test('the key is the header, or the cookie, or else the address') {
    def split = halves('key-header': 'x-user', 'key-cookie': 'session')
    def of = { Closure<TestExchange> with -> (1..40).collect { n -> variant(split) { with(it, n as String) } } }
    def headers = of { request, n -> request.header('x-user', n) }
    assert headers.unique(false).size() == 2
    assert of { request, n -> request.header('x-user', n).cookie('session', 'one').client('192.0.2.1') } == headers
    assert of { request, n -> request.cookie('session', n).client('192.0.2.1') } == headers
    assert of { request, n -> request.header('x-user', '').cookie('session', n) } == headers
    assert of { request, n -> request.client("192.0.2.$n") }.unique().size() == 2
    assert of { request, n -> request.client('192.0.2.1') }.unique().size() == 1
}

test('a repeated header does not choose the variant') {
    def split = halves('key-header': 'x-user')
    assert (1..20).collect { n -> variant(split) { it.header('x-user', "$n").header('x-user', 'x') } }.unique().size() == 1
}

test('experiments split independently') {
    def one = halves('key-header': 'x-user', experiment: 'one')
    def two = halves('key-header': 'x-user', experiment: 'two')
    def same = (1..400).count { id ->
        def user = { it.header('x-user', "user $id") }
        variant(one, user) == variant(two, user)
    }
    assert same in 150..250
}

test('a variant has its upstream, and the route decides for the others') {
    def split = filter(variants: [a: '0%', b: '100%'], upstreams: [b: 'new'])
    def result = get('/shop').upstreams('new').through(split)
    assert result.upstream == 'new'
    assert result.sent.header('x-variant') == 'b'
    assert get('/shop').through(filter(variants: [a: '100%'], upstreams: [:])).upstream == 'origin'
}

test('the variant is on the exchange, and the header of the client is replaced') {
    def result = get('/shop').header('x-variant', 'b').header('X-Variant', 'c').through(filter(variants: [a: '100%'], experiment: 'checkout'))
    assert result.sent.headers.getAll('x-variant') == ['a']
    assert result.get(AttributeKey.of('ab.checkout', String)) == 'a'
}

test('a cookie remembers the variant, and the origin does not see it') {
    def both = [filter(variants: [a: '100%', b: '0%'], cookie: 'shop'), filters['AbSplitCookie']]
    def first = get('/shop').cookie('basket', '7').through(both)
    assert first.header('set-cookie') == 'shop=a; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax'
    def second = get('/shop').cookie('basket', '7').cookie('shop', 'b').through(both)
    assert second.sent.header('x-variant') == 'b'
    assert second.sent.cookies == [basket: '7']
    assert second.header('set-cookie') == null
}

test('a cookie with an unknown variant is replaced') {
    def both = [filter(variants: [a: '100%', b: '0%'], cookie: 'shop'), filters['AbSplitCookie']]
    ['old', '', 'a b', 'x' * 4000].each { value ->
        def result = get('/shop').header('cookie', "shop=$value").through(both)
        assert result.sent.header('x-variant') == 'a'
        assert result.header('set-cookie').startsWith('shop=a; ')
    }
}

test('the cookie of another experiment is kept') {
    def two = filter(variants: [b: '100%'], cookie: 'two', experiment: 'two')
    def result = get('/shop').attribute(AttributeKey.of('ab.cookie', Map), [one: 'a; Path=/']).through([two, filters['AbSplitCookie']])
    assert result.headers.getAll('set-cookie').collect { it.tokenize(';')[0] } == ['one=a', 'two=b']
}

test('without a configured cookie, no cookie is set') {
    assert get('/shop').through([halves(), filters['AbSplitCookie']]).header('set-cookie') == null
}

test('other paths are not split') {
    assert get('/').through(halves()).ran.empty
}

test('settings that do not fit together are refused') {
    assert refused(variants: [a: '50%', b: '40%']).contains('90% together (expected: 100%)')
    assert refused(variants: ['a;b': '100%']).contains('expected: 1 to 64 letters')
    assert refused(variants: [a: '100%'], upstreams: [b: 'new']).contains('b (expected: a)')
}
