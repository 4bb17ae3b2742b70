long now = 0
def buckets = { int most = 100 -> new TokenBuckets(3, 1, most, { now }) }

test('a bucket is full at first') {
    def all = buckets()
    assert (1..4).collect { all.take('a') } == [true, true, true, false]
}

test('each key has its own') {
    def all = buckets()
    3.times { all.take('a') }
    assert all.take('b')
}

test('time fills it, and no further than it is deep') {
    def all = buckets()
    3.times { all.take('a') }
    now += Duration.ofSeconds(1).toNanos()
    assert [all.take('a'), all.take('a')] == [true, false]
    now += Duration.ofHours(1).toNanos()
    assert (1..4).collect { all.take('a') } == [true, true, true, false]
}

test('there are never more buckets than said') {
    def all = buckets(10)
    (1..1000).each { all.take('client ' + it) }
    assert all.count() <= 11
}

test('full buckets make room') {
    def all = buckets(10)
    (1..10).each { all.take('client ' + it) }
    now += Duration.ofHours(1).toNanos()
    all.take('new')
    assert all.count() == 1
}
