import dev.lychgate.filter.CallResponse
import dev.lychgate.filter.FilterCache
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import java.nio.charset.StandardCharsets
import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import java.util.concurrent.CompletableFuture

// Accepts requests with a bearer token that is active, according to an authorization server (RFC 7662). The verdicts are cached under a
// digest of the token, so that neither the cache nor a heap dump contains tokens. The cached verdicts survive reloads.

settings {
    @Setting(about = 'the upstream of the authorization server')
    String upstream = 'introspection'
    @Setting(about = 'the path at the upstream')
    String path = '/introspect'
    @Setting(about = 'the file with the name and the password of the gateway, separated by a colon; it takes precedence over credentials-variable')
    String credentialsFile = null
    @Setting(about = 'the environment variable with the credentials')
    String credentialsVariable = 'INTROSPECTION_CREDENTIALS'
    @Setting(about = 'the beginning of the paths that need a token')
    String prefix = '/accounts/'
    @Setting(about = 'the header with the subject of the token, for the origin')
    String header = 'x-subject'
    @Setting(about = 'the time for which an active token is accepted without a further call, at most until it expires', min = '1s', max = '1h')
    Duration fresh = 30.s
    @Setting(about = 'the time for which a token that is not active is refused without a further call', min = '1s', max = '5m')
    Duration refused = 5.s
    @Setting(about = 'the maximum number of cached verdicts of active tokens, and also of other tokens', min = 100, max = 1_000_000)
    int entries = 10_000
    @Setting(about = 'the timeout of the authorization server', min = '10ms', max = '30s')
    Duration patience = '500ms'
    @Setting(about = 'the longest token', min = '256B', max = '64KiB')
    ByteSize maxToken = 4.KiB
}

order(-100)
timeout patience.plusSeconds(1)
applies { exchange -> exchange.request.path.startsWith(prefix) }
// Detects missing credentials when the filter is deployed.
selfCheck {
    if (credentials(credentialsFile, credentialsVariable) == null) {
        throw new IllegalStateException("credentials-file is not set, and the environment variable $credentialsVariable has no credentials")
    }
}

String basic = credentials(credentialsFile, credentialsVariable)
// Guessed tokens must not displace active tokens, so active tokens have a separate cache. Each server has its own caches.
String verdictsOf = "at $upstream $path"
FilterCache<List<Object>> active = cache("active $verdictsOf, $fresh, $entries entries", entries: entries, bytes: "${entries * 400L}B", ttl: fresh)
FilterCache<Boolean> inactive = cache("inactive $verdictsOf, $refused, $entries entries", entries: entries, bytes: "${entries * 300L}B", ttl: refused)
String owned = header.toLowerCase(Locale.ROOT)

async { exchange ->
    def request = exchange.request
    // Only the gateway sets this header. Many origins interpret x_subject as x-subject, so that spelling is removed, too.
    request.headers.names.findAll { it.toLowerCase(Locale.ROOT).replace('_', '-') == owned }.each { request.headers.remove(it) }
    // An absent header is removed as well, because the gateway then also removes trailers with this name.
    request.headers.remove(header)
    String token = bearer(request.headers.getAll('authorization'), maxToken.asInt())
    if (token == null) {
        return CompletableFuture.completedFuture(refuse(exchange, 'Bearer'))
    }
    String digest = Base64.encoder.encodeToString(MessageDigest.getInstance('SHA-256').digest(token.getBytes(StandardCharsets.US_ASCII)))
    if (inactive.get(digest) != null) {
        return CompletableFuture.completedFuture(refuse(exchange, 'Bearer error="invalid_token"'))
    }
    long now = exchange.time.toEpochMilli()
    List<Object> known = active.get(digest)
    if (known != null && (long) known[0] > now) {
        return CompletableFuture.completedFuture(accept(exchange, header, (String) known[1]))
    }
    exchange.call(upstream).post(path)
            .header('authorization', basic)
            .header('accept', 'application/json')
            .body('token=' + URLEncoder.encode(token, 'UTF-8'), 'application/x-www-form-urlencoded')
            .timeout(patience)
            .maxBody('64KiB')
            .send()
            .thenApply { CallResponse response ->
        if (response.status != 200) {
            throw new IllegalStateException("the authorization server responded with ${response.status}")
        }
        def claims = (Map<String, Object>) response.json
        long expiry = claims['exp'] instanceof Number ? ((Number) claims['exp']).longValue() * 1000 : Long.MAX_VALUE
        if (claims['active'] != true || expiry <= now) {
            inactive.put(digest, true)
            return refuse(exchange, 'Bearer error="invalid_token"')
        }
        String subject = String.valueOf(claims['sub'] ?: claims['client_id'] ?: '-')
        active.put(digest, (List<Object>) [expiry, subject])
        accept(exchange, header, subject)
    }
}

/** Returns the bearer token; null unless there is exactly one Authorization header, with a token in the form of RFC 6750. */
static String bearer(List<String> authorization, int longest) {
    if (authorization.size() != 1 || authorization[0].length() > longest + 7) {
        return null
    }
    def token = authorization[0] =~ /(?i:Bearer) +([A-Za-z0-9._~+\/-]+=*)/
    token.matches() ? token.group(1) : null
}

/** Returns the value of the Authorization header; null if there are no credentials. */
static String credentials(String file, String variable) {
    String text = file == null ? System.getenv(variable) : Files.readString(Path.of(file)).strip()
    text == null || !text.contains(':') ? null : 'Basic ' + Base64.encoder.encodeToString(text.getBytes(StandardCharsets.UTF_8))
}

static FilterOutcome accept(FilterExchange exchange, String header, String subject) {
    exchange['subject'] = subject
    exchange.request.headers.set(header, subject)
    exchange.proceed()
}

static FilterOutcome refuse(FilterExchange exchange, String challenge) {
    exchange.respond(401, 'a valid access token is required').header('www-authenticate', challenge)
}
