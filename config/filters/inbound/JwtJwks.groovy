import dev.lychgate.filter.AttributeKey
import dev.lychgate.filter.CallResponse
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import java.nio.charset.StandardCharsets
import java.security.GeneralSecurityException
import java.security.PublicKey
import java.security.Signature
import java.util.concurrent.CompletionStage
import java.util.function.LongSupplier
import java.util.function.Supplier

// Accepts requests with a JSON Web Token (RFC 7519) of one issuer, signed with RS256 or ES256. The public keys are fetched from the
// issuer by a call-out and cached, see lib/JwtKeys.groovy.
//
// The authenticator jwt of the extension identity is the better choice: it supports more algorithms and verifies a token only once.

settings {
    @Setting(about = 'the claim iss of accepted tokens')
    String issuer
    @Setting(about = 'the accepted audiences: a token needs one of them in its claim aud', min = 1, max = 20)
    List<String> audience
    @Setting(about = 'the upstream of the issuer')
    String upstream = 'identity'
    @Setting(about = 'the path of the JWK set at the upstream')
    String keys = '/.well-known/jwks.json'
    @Setting(about = 'the beginning of the paths that need a token')
    String prefix = '/'
    @Setting(about = 'the request headers that contain claims, by claim; if empty, only the claim sub, in x-subject')
    Map<String, String> headers = [:]
    @Setting(about = 'the time after which the keys are fetched again', min = '10s', max = '24h')
    Duration ttl = 10.m
    @Setting(about = 'the shortest time between two fetches, even for unknown keys', min = '1s', max = '1h')
    Duration pause = 30.s
    @Setting(about = 'the time for which keys are used while the issuer does not respond', min = '10s', max = '168h')
    Duration keep = 1.h
    @Setting(about = 'the tolerance for exp and nbf', max = '5m')
    Duration skew = 30.s
    @Setting(about = 'the longest token', min = '256B', max = '64KiB')
    ByteSize maxToken = 8.KiB
}

order(-100)
timeout '3s'
applies { exchange -> exchange.request.path.startsWith(prefix) }

def cache = new JwtKeys(ttl.toNanos(), keep.toNanos(), pause.toNanos(), { System.nanoTime() } as LongSupplier)
Map<String, String> sent = headers ?: [sub: 'x-subject']
Set<String> owned = sent.values().collect { it.toLowerCase(Locale.ROOT) } as Set
def claimsKey = AttributeKey.of('jwt.claims', Map)

async { exchange ->
    def request = exchange.request
    // Only the gateway sets these headers. Many origins interpret x_subject as x-subject, so that spelling is removed, too.
    request.headers.names.findAll { it.toLowerCase(Locale.ROOT).replace('_', '-') in owned }.each { request.headers.remove(it) }
    // Absent headers are removed as well, because the gateway then also removes trailers with these names.
    sent.values().each { request.headers.remove(it) }

    String token = bearer(request.headers.getAll('authorization'), maxToken.asInt())
    if (token == null) {
        return refuse(exchange, 'Bearer')
    }
    List<String> parts = token.tokenize('.')
    Map header = json(parts[0])
    // No other algorithm is accepted: neither "none" nor HS256, which would use the public key as a shared secret. A token with a critical
    // extension is rejected, because this filter supports no extensions (RFC 7515, 4.1.11).
    Object algorithm = header?.get('alg')
    if (header == null || !(algorithm in ['RS256', 'ES256']) || !(header['kid'] instanceof String) || header.containsKey('crit')) {
        return refuse(exchange, 'Bearer error="invalid_token"')
    }
    def fetch = {
        exchange.call(upstream).get(keys).header('accept', 'application/json').timeout('2s').maxBody('256KiB').send()
                .thenApply { CallResponse response ->
            if (response.status != 200) {
                throw new IllegalStateException("the issuer responded with ${response.status}")
            }
            JwtKeys.parse(response.json)
        }
    } as Supplier<CompletionStage<Map<String, PublicKey>>>
    // The algorithm is part of the name, so a key is never used with the algorithm of another type.
    cache.find(algorithm.toString() + ' ' + header['kid'], fetch).thenApply { PublicKey key ->
        // Claims are read only after the signature is verified.
        Map claims = key != null && isSigned(parts, algorithm.toString(), key) ? json(parts[1]) : null
        if (claims == null || !isFor(claims, issuer, audience) || !isCurrent(claims, exchange.time.toEpochMilli() / 1000d, skew.toMillis() / 1000d)) {
            return refuse(exchange, 'Bearer error="invalid_token"')
        }
        Map<String, String> values = [:]
        for (Map.Entry<String, String> each : sent.entrySet()) {
            if (claims.containsKey(each.key)) {
                String value = text(claims[each.key])
                if (value == null) {
                    return refuse(exchange, 'Bearer error="invalid_token"')
                }
                values[each.value] = value
            }
        }
        values.each { name, value -> request.headers.set(name, value) }
        exchange.set(claimsKey, claims)
        exchange.proceed()
    }
}

/** Returns the bearer token; null unless there is exactly one Authorization header, with a token in the form of a signed token. */
static String bearer(List<String> authorization, int longest) {
    if (authorization.size() != 1 || authorization[0].length() > longest + 7) {
        return null
    }
    def token = authorization[0] =~ /(?i:Bearer) +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)/
    token.matches() ? token.group(1) : null
}

/**
 * Parses a part of the token as an object, with the gateway's strict parser, which rejects duplicate members. Null if the part is
 * malformed.
 */
static Map json(String part) {
    try {
        Object value = new CallResponse(200, [], Base64.urlDecoder.decode(part)).json
        value instanceof Map ? (Map) value : null
    } catch (IllegalArgumentException ignored) {
        null
    }
}

static boolean isSigned(List<String> parts, String algorithm, PublicKey key) {
    try {
        byte[] signature = Base64.urlDecoder.decode(parts[2])
        // In JOSE, an ES256 signature is the concatenation of its two numbers, as in IEEE P1363, and not encoded in DER.
        Signature verifier = Signature.getInstance(algorithm == 'RS256' ? 'SHA256withRSA' : 'SHA256withECDSAinP1363Format')
        verifier.initVerify(key)
        verifier.update((parts[0] + '.' + parts[1]).getBytes(StandardCharsets.US_ASCII))
        verifier.verify(signature)
    } catch (GeneralSecurityException | IllegalArgumentException ignored) {
        // The signature has another length, or a part is not Base64.
        false
    }
}

static boolean isFor(Map claims, String issuer, List<String> audience) {
    Object aud = claims['aud']
    List named = aud instanceof List ? (List) aud : [aud]
    claims['iss'] == issuer && named.any { it instanceof String && it in audience }
}

/** Returns whether a token is valid at the time {@code now}, in seconds. A token without an expiry is rejected, because it would stay valid forever. */
static boolean isCurrent(Map claims, double now, double skew) {
    Object nbf = claims.containsKey('nbf') ? claims['nbf'] : 0L
    claims['exp'] instanceof Number && ((Number) claims['exp']).doubleValue() + skew > now &&
            nbf instanceof Number && ((Number) nbf).doubleValue() - skew <= now
}

/** Returns a claim as the value of a header, with blanks between the items of a list; null if a header can't contain the claim. */
static String text(Object claim) {
    List items = claim instanceof List ? (List) claim : [claim]
    boolean simple = items.every { it instanceof String || it instanceof Number || it instanceof Boolean }
    String joined = items.join(' ')
    simple && joined ==~ /[\x21-\x7e][\x20-\x7e]{0,1023}/ ? joined : null
}

static FilterOutcome refuse(FilterExchange exchange, String challenge) {
    exchange.respond(401, 'a valid token is required').header('www-authenticate', challenge)
}
