import dev.lychgate.filter.AsyncFilter
import dev.lychgate.filter.AttributeKey
import dev.lychgate.filter.CallResponse
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.InboundFilter
import java.nio.charset.StandardCharsets
import java.security.MessageDigest
import java.time.Duration
import java.time.Instant
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionStage
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentMap

/**
 * Accepts requests to /accounts/ whose bearer token is active, according to the authorization server behind the upstream
 * {@code introspection} (RFC 7662). The origin receives the subject in X-Subject. A verdict is cached for 30 seconds, but not beyond
 * the expiry of the token. If the server does not respond, the request fails with 502, 503 or 504.
 */
class TokenIntrospection implements InboundFilter, AsyncFilter {
    /** The subject of the token, for filters that run later. */
    static final AttributeKey<String> SUBJECT = AttributeKey.of('subject', String)

    private static final long FRESH = 30
    /** Bounds the cache, which clients could fill with tokens of their own making. */
    private static final int MOST = 10_000
    private static final int LONGEST_TOKEN = 4096

    private static class Verdict {
        /** Null if the token is not active. */
        final String subject
        final Instant until

        Verdict(String subject, Instant until) {
            this.subject = subject
            this.until = until
        }
    }

    private final String credentials
    private final ConcurrentMap<String, Verdict> verdicts = new ConcurrentHashMap<>()

    TokenIntrospection() {
        this(System.getenv('INTROSPECTION_CREDENTIALS') ?: 'gateway:secret')
    }

    /** @param credentials name and password of this gateway at the authorization server, with a colon between them */
    TokenIntrospection(String credentials) {
        this.credentials = 'Basic ' + Base64.encoder.encodeToString(credentials.getBytes(StandardCharsets.UTF_8))
    }

    @Override
    int order() {
        -100
    }

    @Override
    boolean applies(FilterExchange exchange) {
        exchange.request.path.startsWith('/accounts/')
    }

    @Override
    Duration timeout() {
        Duration.ofSeconds(2)
    }

    @Override
    CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) {
        // Only the gateway sets this header.
        exchange.request.headers['x-subject'] = null
        String authorization = exchange.request.headers['authorization']
        if (authorization == null || !authorization.regionMatches(true, 0, 'Bearer ', 0, 7)
                || authorization.length() > LONGEST_TOKEN) {
            return CompletableFuture.completedFuture(refusal(exchange, 'Bearer'))
        }
        String token = authorization.substring(7).trim()
        // The cache does not contain tokens, so that a heap dump does not reveal them.
        String digest = MessageDigest.getInstance('SHA-256').digest(token.getBytes(StandardCharsets.UTF_8)).encodeHex()
        Verdict known = verdicts.get(digest)
        if (known != null && Instant.now().isBefore(known.until)) {
            return CompletableFuture.completedFuture(decide(exchange, known))
        }
        exchange.call('introspection').post('/introspect')
                .header('authorization', credentials)
                .header('accept', 'application/json')
                .body('token=' + URLEncoder.encode(token, 'UTF-8'), 'application/x-www-form-urlencoded')
                .timeout('500ms')
                .maxBody('64KiB')
                .send()
                .thenApply { CallResponse response -> decide(exchange, remember(digest, response)) }
    }

    private Verdict remember(String digest, CallResponse response) {
        if (response.status != 200) {
            throw new IllegalStateException("the authorization server responded with ${response.status}")
        }
        Map claims = (Map) response.json
        Instant until = Instant.now().plusSeconds(FRESH)
        if (claims['exp'] instanceof Number) {
            Instant expiry = Instant.ofEpochSecond(((Number) claims['exp']).longValue())
            until = expiry.isBefore(until) ? expiry : until
        }
        boolean active = claims['active'] == true && Instant.now().isBefore(until)
        Verdict verdict = new Verdict(active ? String.valueOf(claims['sub'] ?: claims['client_id'] ?: '-') : null, until)
        if (verdicts.size() >= MOST) {
            verdicts.clear()
        }
        verdicts.put(digest, verdict)
        verdict
    }

    private static FilterOutcome decide(FilterExchange exchange, Verdict verdict) {
        if (verdict.subject == null) {
            return refusal(exchange, 'Bearer error="invalid_token"')
        }
        exchange.set(SUBJECT, verdict.subject)
        exchange.request.headers['x-subject'] = verdict.subject
        exchange.proceed()
    }

    private static FilterOutcome refusal(FilterExchange exchange, String challenge) {
        exchange.respond(401, 'a valid access token is required').header('www-authenticate', challenge)
    }
}
