import dev.lychgate.filter.FilterExchange
import java.nio.charset.StandardCharsets
import java.security.MessageDigest

// Accepts requests of partners only if they have an HTTP message signature (RFC 9421). The signature uses HMAC-SHA256 and covers the
// method, the path, the query and the digest of the body, see lib/MessageSignature.groovy. inbound/SignRequest.groovy creates such
// signatures.
//
// The timestamp of the signature limits the time for which an intercepted request can be replayed. Within that time, a replay is possible,
// so requests that must not be executed twice need an idempotency key.

settings {
    @Setting(about = 'the file with the key, relative to the working directory; it takes precedence over key-variable')
    String keyFile = null
    @Setting(about = 'the environment variable with the key')
    String keyVariable = 'PARTNER_KEY'
    @Setting(about = 'the name of the key, which signatures have to state')
    String keyId = 'partner'
    @Setting(about = 'the beginning of the paths that need a signature')
    String prefix = '/partner/'
    @Setting(about = 'the tolerance for the time of the signature, in both directions', min = '1s', max = '1h')
    Duration skew = 5.m
    @Setting(about = 'the longest body that is verified', max = '16MiB')
    ByteSize maxBody = 1.MiB
}

order(-100)
body maxBody.asInt()
// Detects a missing key when the filter is deployed, and not at the first request.
selfCheck { MessageSignature.key(keyFile, keyVariable) }
applies { exchange -> exchange.request.path.startsWith(prefix) }

// The script itself also runs when no key is needed, for example to list the filters.
byte[] key = keyFile == null && System.getenv(keyVariable) == null ? null : MessageSignature.key(keyFile, keyVariable)

filter { exchange ->
    def request = exchange.request
    // Several headers of one name could be interpreted in different ways, so exactly one of each is accepted.
    String input = only(request.headers.getAll('signature-input'))
    String signature = only(request.headers.getAll('signature'))
    String digest = only(request.headers.getAll('content-digest'))
    // The repetitions are bounded, so that matching a long header is cheap. Any label is accepted. The components are prescribed, because a
    // component that is not signed could be changed.
    def form = input =~ /([a-z][a-z0-9_-]{0,31})=(\(("[a-z@-]+" ?){0,16}\)((?:;[a-z]+=(?:"[A-Za-z0-9._-]{1,64}"|\d{1,12})){0,8}))/
    if (!form.matches()) {
        return exchange.respond(401, 'a signature is required')
    }
    String parameters = form.group(2)
    Map<String, String> values = [:]
    for (String each : form.group(4).tokenize(';')) {
        int equals = each.indexOf('=')
        if (values.put(each.substring(0, equals), each.substring(equals + 1)) != null) {
            return exchange.respond(401, 'a parameter of the signature is repeated')
        }
    }
    String covered = '(' + MessageSignature.COVERED.collect { '"' + it + '"' }.join(' ') + ')'
    boolean expected = parameters.startsWith(covered + ';') && values['keyid'] == '"' + keyId + '"' &&
            (values['alg'] ?: '"hmac-sha256"') == '"hmac-sha256"' && values['created'] ==~ /\d{1,12}/
    if (!expected) {
        return exchange.respond(401, 'the signature has to cover ' + covered + ', with created and the keyid')
    }
    long age = exchange.time.toEpochMilli() - Long.parseLong(values['created']) * 1000
    if (Math.abs(age) > skew.toMillis()) {
        return exchange.respond(401, 'the signature is not current')
    }
    if (digest != MessageSignature.digest(request.body)) {
        return exchange.respond(401, 'the digest does not match the body')
    }
    byte[] right = MessageSignature.sign(key, request.method, request.path, request.query, digest, parameters)
    String field = form.group(1) + '=:' + Base64.encoder.encodeToString(right) + ':'
    // Compares in constant time, so that the duration does not reveal the number of correct characters.
    boolean same = MessageDigest.isEqual(field.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8))
    same ? exchange.proceed() : exchange.respond(401, 'the signature is wrong')
}

static String only(List<String> fields) {
    fields.size() == 1 ? fields[0] : ''
}
