import java.security.KeyPairGenerator
import java.security.PublicKey
import java.security.spec.ECGenParameterSpec
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException

long now = 0
def seconds = { int n -> Duration.ofSeconds(n).toNanos() }
def generator = KeyPairGenerator.getInstance('EC')
generator.initialize(new ECGenParameterSpec('secp256r1'))
PublicKey one = generator.generateKeyPair().public
PublicKey two = generator.generateKeyPair().public

/** Keys that are fresh for 600 s and usable for 3600 s, with a pause of 30 s between fetches. */
def keys = { new JwtKeys(seconds(600), seconds(3600), seconds(30), { now }) }
List<CompletableFuture<Map<String, PublicKey>>> fetches = []
def find = { JwtKeys of, String id ->
    of.find(id, { def fetch = new CompletableFuture<Map<String, PublicKey>>(); fetches << fetch; fetch })
}
def failure = { CompletableFuture future ->
    try {
        future.get()
        null
    } catch (Exception e) {
        e.cause ?: e
    }
}

test('simultaneous requests share one fetch') {
    fetches.clear()
    def all = keys()
    def found = (1..5).collect { find(all, 'ES256 a') }
    assert fetches.size() == 1
    assert !found.any { it.done }
    fetches[0].complete(['ES256 a': one])
    assert found.every { it.get().is(one) }
    assert find(all, 'ES256 a').get().is(one)
    assert fetches.size() == 1
}

test('an unknown key causes one fetch in each pause') {
    fetches.clear()
    def all = keys()
    find(all, 'ES256 a')
    fetches[0].complete(['ES256 a': one])
    100.times { assert find(all, "ES256 invented $it").get() == null }
    assert fetches.size() == 1
    now += seconds(31)
    def rotated = find(all, 'ES256 b')
    assert fetches.size() == 2
    fetches[1].complete(['ES256 b': two])
    assert rotated.get().is(two)
    assert find(all, 'ES256 a').get() == null
}

test('keys are fetched again when they are no longer fresh') {
    fetches.clear()
    def all = keys()
    find(all, 'ES256 a')
    fetches[0].complete(['ES256 a': one])
    now += seconds(601)
    def again = find(all, 'ES256 a')
    assert fetches.size() == 2
    fetches[1].complete(['ES256 a': two])
    assert again.get().is(two)
}

test('the last keys stay in use while fetches fail, for a limited time') {
    fetches.clear()
    def all = keys()
    find(all, 'ES256 a')
    fetches[0].complete(['ES256 a': one])
    now += seconds(601)
    def again = find(all, 'ES256 a')
    fetches[1].completeExceptionally(new IOException('down'))
    assert again.get().is(one)
    assert failure(find(all, 'ES256 new')).message == 'down'
    assert fetches.size() == 2
    now += seconds(3600)
    def late = find(all, 'ES256 a')
    fetches[2].completeExceptionally(new CompletionException(new IOException('still down')))
    assert failure(late).message == 'still down'
}

test('the first fetch that fails is not repeated immediately') {
    fetches.clear()
    def all = keys()
    def first = find(all, 'ES256 a')
    fetches[0].completeExceptionally(new IOException('down'))
    assert failure(first).message == 'down'
    assert failure(find(all, 'ES256 a')).message == 'down'
    assert fetches.size() == 1
    now += seconds(31)
    find(all, 'ES256 a')
    assert fetches.size() == 2
}

test('a waiting request fetches the keys itself if the first client disconnects') {
    fetches.clear()
    def all = keys()
    def first = find(all, 'ES256 a')
    def second = find(all, 'ES256 a')
    fetches[0].completeExceptionally(new CompletionException(new CancellationException()))
    assert failure(first) instanceof CancellationException
    assert fetches.size() == 2
    assert !second.done
    fetches[1].complete(['ES256 a': one])
    assert second.get().is(one)
}

test('a fetch that cannot begin does not block the next one') {
    fetches.clear()
    def all = keys()
    assert failure(all.find('ES256 a', { throw new IllegalStateException('the exchange is over') })) instanceof CancellationException
    def next = find(all, 'ES256 a')
    fetches[0].complete(['ES256 a': one])
    assert next.get().is(one)
}

def url = { BigInteger n -> Base64.urlEncoder.withoutPadding().encodeToString(n.toByteArray()) }
def ec = { Map more -> [kty: 'EC', crv: 'P-256', x: url(one.w.affineX), y: url(one.w.affineY)] + more }

test('usable keys of a set are read, others are left out') {
    def set = [keys: [
        ec(kid: 'a'), ec(kid: 'b', use: 'sig', alg: 'ES256'), ec(kid: 'enc', use: 'enc'), ec(kid: 'alg', alg: 'ES512'),
        ec([:]), ec(kid: 7), ec(kid: 'x', x: '%'), ec(kid: 'y', y: null), [kty: 'EC', crv: 'P-521', kid: 'long'],
        [kty: 'RSA', kid: 'short', n: url(new BigInteger('3') ** 500), e: 'AQAB'], [kty: 'oct', kid: 'hmac', k: 'c2VjcmV0'], 'text', null
    ]]
    assert JwtKeys.parse(set).keySet() as List == ['ES256 a', 'ES256 b']
    assert JwtKeys.parse(set)['ES256 a'].w == one.w
}

test('the first of two keys with one id is used') {
    assert JwtKeys.parse([keys: [ec(kid: 'a'), ec(kid: 'a', x: url(two.w.affineX), y: url(two.w.affineY))]])['ES256 a'].w == one.w
}

test('a set without a usable key is refused, so that it does not replace a good one') {
    [null, [], 'x', [keys: 'x'], [keys: []], [keys: [[kty: 'oct', kid: 'a']]]].each { json ->
        try {
            JwtKeys.parse(json)
            assert false: json
        } catch (IllegalArgumentException expected) {
            assert expected.message.contains('JWK set')
        }
    }
}
