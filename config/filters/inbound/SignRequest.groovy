import dev.lychgate.filter.FilterExchange

// Signs requests to the origin, so that the origin can refuse all requests that did not come through this gateway. The signature
// is an HTTP message signature (RFC 9421) with HMAC-SHA256, see lib/MessageSignature.groovy.
//
// Name this filter in the list of a route. It signs the path, the query and the body with the changes of the filters that run before it. Do
// not let the route rewrite the path: the rewrite would follow the signing, so the origin would reject the signature. Change the path with
// a filter instead.

settings {
    @Setting(about = 'the file with the key, relative to the working directory; it takes precedence over key-variable')
    String keyFile = null
    @Setting(about = 'the environment variable with the key')
    String keyVariable = 'ORIGIN_KEY'
    @Setting(about = 'the name of the key, by which the origin finds it')
    String keyId = 'gateway'
    @Setting(about = 'the longest body that is signed', max = '16MiB')
    ByteSize maxBody = 1.MiB
}

// Runs after the other inbound filters, because it signs their changes.
order(10_000)
body maxBody.asInt()
// Detects a missing key when the filter is deployed, and not at the first request.
selfCheck { MessageSignature.key(keyFile, keyVariable) }

if (!(keyId ==~ /[A-Za-z0-9._-]{1,64}/)) {
    throw new IllegalArgumentException("key-id: $keyId (expected: 1 to 64 letters, digits and ._-)")
}
// The script itself also runs when no key is needed, for example to list the filters.
byte[] key = keyFile == null && System.getenv(keyVariable) == null ? null : MessageSignature.key(keyFile, keyVariable)

filter { exchange ->
    def request = exchange.request
    // The new headers replace all headers of these names that the client sent.
    String digest = MessageSignature.digest(request.body)
    String parameters = MessageSignature.parameters(System.currentTimeMillis().intdiv(1000), keyId)
    byte[] signature = MessageSignature.sign(key, request.method, request.path, request.query, digest, parameters)
    request.headers['content-digest'] = digest
    request.headers['signature-input'] = 'gateway=' + parameters
    request.headers['signature'] = 'gateway=:' + Base64.encoder.encodeToString(signature) + ':'
}
