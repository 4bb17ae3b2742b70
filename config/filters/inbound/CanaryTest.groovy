def both = filters.inbound.findAll { it.name() == 'Canary' } + filters['CanaryCookie']

def visit = { String group = null ->
    def visit = get('/shop').upstream('stable').upstreams('canary').cookie('basket', '7')
    (group ? visit.cookie('canary', group) : visit).through(both)
}

test('who has been sent to the canary stays there') {
    def result = visit('yes')
    assert result.upstream == 'canary'
    assert result.header('set-cookie') == null
}

test('who has not does not get there') {
    assert visit('no').upstream == 'stable'
}

test('the origin sees the other cookies only') {
    assert visit('yes').sent.cookies == [basket: '7']
}

test('new visitors are dealt out by weight, and told') {
    def visits = (1..300).collect { visit() }
    def canary = visits.findAll { it.upstream == 'canary' }
    assert canary.size() in 5..70
    assert canary.every { it.header('set-cookie').startsWith('canary=yes; ') }
    assert (visits - canary).every { it.header('set-cookie').startsWith('canary=no; ') }
}

test('what a client makes up counts for nothing') {
    assert visit('maybe').header('set-cookie') =~ /^canary=(yes|no); /
}
