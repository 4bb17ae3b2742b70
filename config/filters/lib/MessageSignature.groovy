import java.nio.charset.StandardCharsets
import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

/**
 * HTTP message signatures (RFC 9421) with HMAC-SHA256, over the method, the path, the query and the digest of the body (RFC 9530), and the
 * time of signing. inbound/SignRequest.groovy signs requests, and inbound/RequestSignature.groovy verifies the signatures.
 */
class MessageSignature {
    /** The components that a signature covers. Any system between signer and verifier can change other components. */
    static final List<String> COVERED = ['@method', '@path', '@query', 'content-digest']
    /** Minimum length of a key, in bytes. A shorter key is easier to guess than the signature (RFC 2104). */
    static final int SHORTEST_KEY = 32

    /** @param created time of signing, in seconds since 1970 */
    static String parameters(long created, String keyId) {
        '(' + COVERED.collect { '"' + it + '"' }.join(' ') + ');created=' + created + ';keyid="' + keyId + '";alg="hmac-sha256"'
    }

    static String digest(byte[] body) {
        'sha-256=:' + Base64.encoder.encodeToString(MessageDigest.getInstance('SHA-256').digest(body)) + ':'
    }

    /** @param query encoded, without the question mark; null if there is none */
    static byte[] sign(byte[] key, String method, String path, String query, String digest, String parameters) {
        hmac(key, base(
                ['@method': method, '@path': path, '@query': '?' + (query ?: ''), 'content-digest': digest], parameters))
    }

    /** Returns the text that is signed: one component per line, and the parameters at the end (RFC 9421, 2.5). */
    static String base(Map<String, String> components, String parameters) {
        StringBuilder text = new StringBuilder()
        components.each { name, value -> text.append('"').append(name).append('": ').append(value).append('\n') }
        text.append('"@signature-params": ').append(parameters).toString()
    }

    static byte[] hmac(byte[] key, String text) {
        Mac mac = Mac.getInstance('HmacSHA256')
        mac.init(new SecretKeySpec(key, 'HmacSHA256'))
        mac.doFinal(text.getBytes(StandardCharsets.UTF_8))
    }

    /**
     * Reads a key. Settings are shown on the admin listener, so they name a file or a variable and never contain the key.
     *
     * @param file null if the variable contains the key
     * @throws IllegalStateException if there is no key, or the key is too short; the message does not contain the key
     */
    static byte[] key(String file, String variable) {
        String text = file == null ? System.getenv(variable) : Files.readString(Path.of(file)).stripTrailing()
        String where = file == null ? "the environment variable $variable" : "the file $file"
        byte[] key = (text ?: '').getBytes(StandardCharsets.UTF_8)
        if (key.length < SHORTEST_KEY) {
            throw new IllegalStateException("$where has no key of at least $SHORTEST_KEY bytes")
        }
        key
    }
}
