package dev.lychgate.identity;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEDecrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.crypto.AESDecrypter;
import com.nimbusds.jose.crypto.DirectDecrypter;
import com.nimbusds.jose.crypto.ECDHDecrypter;
import com.nimbusds.jose.crypto.RSADecrypter;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import dev.lychgate.config.ConfigException;
import dev.lychgate.http.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decrypts encrypted tokens, which contain a signed token. Encryption alone does not authenticate the sender, because
 * everyone can encrypt with a public key.
 *
 * <p>Weak algorithms are not accepted: {@code RSA1_5} because of padding oracles, {@code RSA-OAEP} because of SHA-1,
 * and algorithms with passwords because the sender chooses their cost. Compressed tokens are not accepted, because a
 * short token may decompress to any length.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8725#section-3.2">RFC 8725, 3.2 Use Appropriate Algorithms</a>
 */
final class TokenDecrypter {
    private static final int LARGEST_FILE = 1 << 20;
    private static final Set<JWEAlgorithm> RSA = Set.of(JWEAlgorithm.RSA_OAEP_256);
    private static final Set<JWEAlgorithm> EC = Set.of(
            JWEAlgorithm.ECDH_ES,
            JWEAlgorithm.ECDH_ES_A128KW,
            JWEAlgorithm.ECDH_ES_A192KW,
            JWEAlgorithm.ECDH_ES_A256KW);
    private static final Set<JWEAlgorithm> WRAP =
            Set.of(JWEAlgorithm.A128KW, JWEAlgorithm.A256KW, JWEAlgorithm.A128GCMKW, JWEAlgorithm.A256GCMKW);
    private static final Set<EncryptionMethod> METHODS = Set.of(
            EncryptionMethod.A128GCM,
            EncryptionMethod.A192GCM,
            EncryptionMethod.A256GCM,
            EncryptionMethod.A128CBC_HS256,
            EncryptionMethod.A192CBC_HS384,
            EncryptionMethod.A256CBC_HS512);

    private final List<JWK> keys;

    private TokenDecrypter(List<JWK> keys) {
        this.keys = List.copyOf(keys);
    }

    /** @throws ConfigException under the key {@code decryption-keys}, if the file can't be read or has no usable key */
    static TokenDecrypter read(String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > LARGEST_FILE) {
                throw refused(file, "a file of at most 1 MiB");
            }
            List<JWK> keys = JWKSet.parse(Files.readString(path)).getKeys();
            if (keys.isEmpty() || keys.stream().anyMatch(key -> !key.isPrivate())) {
                throw refused(file, "a JWK set of private or secret keys");
            }
            return new TokenDecrypter(keys);
        } catch (IOException e) {
            throw refused(file, "a file that can be read: " + e);
        } catch (ParseException e) {
            // The message of the parser may contain a part of a private key.
            throw refused(file, "a JWK set of private or secret keys");
        }
    }

    private static ConfigException refused(String file, String expected) {
        return new ConfigException("decryption-keys", file, expected);
    }

    /** Returns the signed token in an encrypted token; null if it cannot be decrypted. */
    @Nullable
    String decrypt(String token) {
        try {
            JWEObject encrypted = JWEObject.parse(token);
            JWEHeader header = encrypted.getHeader();
            Json.read(header.toBase64URL().decode());
            if (header.getCriticalParams() != null
                    || header.getCompressionAlgorithm() != null
                    || !METHODS.contains(header.getEncryptionMethod())) {
                return null;
            }
            JWEDecrypter decrypter = decrypter(header);
            if (decrypter == null) {
                return null;
            }
            encrypted.decrypt(decrypter);
            String content = encrypted.getPayload().toString();
            return JwtAuthenticator.isCompact(content) && !TokenVerifier.isEncrypted(content) ? content : null;
        } catch (ParseException | JOSEException | RuntimeException e) {
            return null;
        }
    }

    private @Nullable JWEDecrypter decrypter(JWEHeader header) throws JOSEException {
        for (JWK key : keys) {
            if (header.getKeyID() == null || header.getKeyID().equals(key.getKeyID())) {
                JWEDecrypter decrypter = decrypter(key, header);
                if (decrypter != null) {
                    return decrypter;
                }
            }
        }
        return null;
    }

    private static @Nullable JWEDecrypter decrypter(JWK key, JWEHeader header) throws JOSEException {
        JWEAlgorithm algorithm = header.getAlgorithm();
        if (key.getAlgorithm() != null && !key.getAlgorithm().equals(algorithm)) {
            return null;
        }
        if (key instanceof RSAKey rsa && RSA.contains(algorithm)) {
            return new RSADecrypter(rsa);
        }
        if (key instanceof ECKey ec && EC.contains(algorithm)) {
            return new ECDHDecrypter(ec);
        }
        if (key instanceof OctetSequenceKey secret) {
            if (algorithm.equals(JWEAlgorithm.DIR)) {
                return new DirectDecrypter(secret);
            }
            return WRAP.contains(algorithm) ? new AESDecrypter(secret) : null;
        }
        return null;
    }
}
