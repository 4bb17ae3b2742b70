import java.util.concurrent.ConcurrentHashMap

long now = 0
def state = new ConcurrentHashMap<String, Long>()
def buckets = { int most = 100 ->
    state = new ConcurrentHashMap<String, Long>()
    new TokenBuckets(state, 3, 1, most, { now })
}

test('a bucket is full at first') {
    def all = buckets()
    assert (1..4).collect { all.take('a') } == [true, true, true, false]
}

test('each key has its own bucket') {
    def all = buckets()
    3.times { all.take('a') }
    assert all.take('b')
}

test('a bucket refills with time, up to its size') {
    def all = buckets()
    3.times { all.take('a') }
    now += Duration.ofSeconds(1).toNanos()
    assert [all.take('a'), all.take('a')] == [true, false]
    now += Duration.ofHours(1).toNanos()
    assert (1..4).collect { all.take('a') } == [true, true, true, false]
}

test('the wait is the time until the next token') {
    def all = buckets()
    assert all.delay('a') == 0
    3.times { all.take('a') }
    assert all.delay('a') == 1
    now += Duration.ofSeconds(1).toNanos()
    assert all.delay('a') == 0
}

test('a charge beyond the bucket is a debt') {
    def all = buckets()
    all.charge('a', 10)
    assert all.delay('a') == 8
    now += Duration.ofSeconds(8).toNanos()
    assert [all.take('a'), all.take('a')] == [true, false]
    all.charge('b', Long.MAX_VALUE)
    all.charge('b', Long.MAX_VALUE)
    assert all.delay('b') > 1_000_000
}

test('other settings continue with the same state') {
    def all = buckets()
    3.times { all.take('a') }
    def next = new TokenBuckets(state, 3, 1, 100, { now })
    assert !next.take('a')
}

test('there are at most as many buckets as configured, and one for the others') {
    def all = buckets(10)
    (1..1000).each { all.take('client ' + it) }
    assert all.count() == 11
}

test('full buckets are removed for new ones') {
    def all = buckets(10)
    (1..10).each { all.take('client ' + it) }
    now += Duration.ofHours(1).toNanos()
    all.take('new')
    assert all.count() == 1
}
