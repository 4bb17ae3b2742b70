import java.math.BigInteger
import java.security.AlgorithmParameters
import java.security.GeneralSecurityException
import java.security.KeyFactory
import java.security.PublicKey
import java.security.spec.ECGenParameterSpec
import java.security.spec.ECParameterSpec
import java.security.spec.ECPoint
import java.security.spec.ECPublicKeySpec
import java.security.spec.RSAPublicKeySpec
import java.util.concurrent.CancellationException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import java.util.concurrent.CompletionStage
import java.util.concurrent.atomic.AtomicReference
import java.util.function.LongSupplier
import java.util.function.Supplier

/**
 * The public keys of an issuer, shared by all event loops. One request fetches the keys, and other requests wait for the result. A minimum
 * pause separates two fetches: without it, every token with an invented key id would cause a fetch. If the issuer does not respond, the
 * last keys stay in use for a limited time.
 */
class JwtKeys {
    /**
     * Maximum number of fetches by other requests for which one request waits. A fetch is aborted if the client of the fetching request
     * disconnects.
     */
    private static final int TRIES = 5
    private static final int MOST_KEYS = 100

    /** The last result of the issuer. Immutable, so that a thread never reads keys with the times of other keys. */
    private static class Fetched {
        final Map<String, PublicKey> keys
        final long loaded
        final long tried
        /** The failure of the last fetch; null if it succeeded. */
        final Throwable failure

        Fetched(Map<String, PublicKey> keys, long loaded, long tried, Throwable failure) {
            this.keys = keys
            this.loaded = loaded
            this.tried = tried
            this.failure = failure
        }
    }

    private final long fresh
    private final long usable
    private final long pause
    private final LongSupplier clock
    /** Null before the first fetch has ended. */
    private volatile Fetched last
    private final AtomicReference<CompletableFuture<Boolean>> flight = new AtomicReference<>()

    /**
     * @param fresh nanoseconds after which a request fetches the keys again
     * @param usable nanoseconds for which keys are used while fetches fail
     * @param pause nanoseconds between two fetches
     * @param clock in nanoseconds
     */
    JwtKeys(long fresh, long usable, long pause, LongSupplier clock) {
        this.fresh = fresh
        this.usable = usable
        this.pause = pause
        this.clock = clock
    }

    /**
     * @param id algorithm and key id, with a blank between them
     * @param fetch starts a request for the keys
     * @return the key; null if the issuer has no key of that id; fails like the fetch if the keys are unknown
     */
    CompletionStage<PublicKey> find(String id, Supplier<CompletionStage<Map<String, PublicKey>>> fetch) {
        find(id, fetch, TRIES)
    }

    private CompletionStage<PublicKey> find(
            String id, Supplier<CompletionStage<Map<String, PublicKey>>> fetch, int tries) {
        // The field is read only once, because another event loop may replace its value.
        Fetched seen = last
        if (isKnown(seen, id)) {
            return CompletableFuture.completedFuture(seen.keys[id])
        }
        CompletableFuture<Boolean> own = new CompletableFuture<>()
        CompletableFuture<Boolean> other = flight.compareAndExchange(null, own)
        if (other != null) {
            return tries == 0
                    ? CompletableFuture.<PublicKey> failedFuture(new IllegalStateException('the keys could not be fetched'))
                    : other.thenCompose { Boolean ended -> find(id, fetch, tries - 1) }
        }
        // Another fetch may have ended since the field was read.
        Fetched before = last
        if (isKnown(before, id) || before != null && clock.asLong - before.tried < pause) {
            flight.set(null)
            own.complete(true)
            return known(before, id)
        }
        begin(before, fetch, own)
        own.thenCompose { Boolean ended ->
            ended ? known(last, id) : CompletableFuture.<PublicKey> failedFuture(new CancellationException())
        }
    }

    private boolean isKnown(Fetched of, String id) {
        of != null && of.keys.containsKey(id) && clock.asLong - of.loaded < fresh
    }

    private CompletionStage<PublicKey> known(Fetched of, String id) {
        PublicKey key = of.keys[id]
        if (key != null && (of.failure == null || clock.asLong - of.loaded < usable)) {
            return CompletableFuture.completedFuture(key)
        }
        // If the last fetch has failed, an unknown key may be a new key of the issuer. Therefore, the token is not reported as invalid.
        of.failure == null ? CompletableFuture.<PublicKey> completedFuture(null) : CompletableFuture.<PublicKey> failedFuture(of.failure)
    }

    /** @param own completes with true if the fetch has ended, with false if it did not begin or was cancelled */
    private void begin(Fetched before, Supplier<CompletionStage<Map<String, PublicKey>>> fetch, CompletableFuture<Boolean> own) {
        CompletionStage<Map<String, PublicKey>> keys
        try {
            keys = fetch.get()
        } catch (RuntimeException failure) {
            keys = CompletableFuture.<Map<String, PublicKey>> failedFuture(new CancellationException(failure.message))
        }
        keys.whenComplete { Map<String, PublicKey> loaded, Throwable thrown ->
            Throwable failure = thrown instanceof CompletionException && thrown.cause != null ? thrown.cause : thrown
            // A cancelled fetch is not a failure of the issuer: the client of the fetching request has disconnected.
            boolean ended = !(failure instanceof CancellationException)
            if (ended) {
                long now = clock.asLong
                last = failure == null
                        ? new Fetched(loaded, now, now, null)
                        : new Fetched(before?.keys ?: [:], before?.loaded ?: 0L, now, failure)
            }
            flight.set(null)
            own.complete(ended)
        }
    }

    // ---- reading a key set

    /**
     * Reads a JWK set (RFC 7517). Keys of other types, for other uses, without an id, or too short are left out.
     *
     * @return RSA keys as {@code RS256 id}, keys of P-256 as {@code ES256 id}: the type of a key determines the algorithm
     * @throws IllegalArgumentException if {@code json} is not a JWK set, or has no usable key
     */
    static Map<String, PublicKey> parse(Object json) {
        Object list = json instanceof Map ? ((Map) json)['keys'] : null
        if (!(list instanceof List)) {
            throw new IllegalArgumentException('not a JWK set')
        }
        Map<String, PublicKey> keys = [:]
        for (Object entry : ((List) list).take(MOST_KEYS)) {
            if (entry instanceof Map) {
                add(keys, (Map) entry)
            }
        }
        if (keys.isEmpty()) {
            throw new IllegalArgumentException('a JWK set without a usable key')
        }
        Collections.unmodifiableMap(keys)
    }

    private static void add(Map<String, PublicKey> keys, Map key) {
        String algorithm = key['kty'] == 'RSA' ? 'RS256' : key['kty'] == 'EC' && key['crv'] == 'P-256' ? 'ES256' : null
        boolean fits = algorithm != null && key['kid'] instanceof String && (key['alg'] ?: algorithm) == algorithm &&
                (key['use'] ?: 'sig') == 'sig'
        if (!fits) {
            return
        }
        try {
            keys.putIfAbsent(algorithm + ' ' + key['kid'], algorithm == 'RS256' ? rsa(key) : p256(key))
        } catch (GeneralSecurityException | IllegalArgumentException ignored) {
            // A malformed key is left out; the other keys stay usable.
        }
    }

    private static PublicKey rsa(Map key) {
        BigInteger modulus = number(key['n'])
        BigInteger exponent = number(key['e'])
        // Shorter keys can be factored, and longer keys make each verification expensive.
        if (modulus.bitLength() < 2048 || modulus.bitLength() > 8192 || exponent.bitLength() > 32) {
            throw new IllegalArgumentException('length')
        }
        KeyFactory.getInstance('RSA').generatePublic(new RSAPublicKeySpec(modulus, exponent))
    }

    private static PublicKey p256(Map key) {
        AlgorithmParameters curve = AlgorithmParameters.getInstance('EC')
        curve.init(new ECGenParameterSpec('secp256r1'))
        KeyFactory.getInstance('EC').generatePublic(new ECPublicKeySpec(
                new ECPoint(number(key['x']), number(key['y'])), curve.getParameterSpec(ECParameterSpec)))
    }

    private static BigInteger number(Object text) {
        if (!(text instanceof String) || ((String) text).isEmpty()) {
            throw new IllegalArgumentException('missing')
        }
        new BigInteger(1, Base64.urlDecoder.decode((String) text))
    }
}
