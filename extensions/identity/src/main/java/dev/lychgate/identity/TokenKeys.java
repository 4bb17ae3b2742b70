package dev.lychgate.identity;

import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import dev.lychgate.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer. A key verifies only signatures by algorithms of its type and curve, so that a public key is
 * never used as a shared secret.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8725#section-3.1">RFC 8725, 3.1 Perform Algorithm
 *     Verification</a>
 */
final class TokenKeys {
    private static final int LARGEST_FILE = 1 << 20;
    private static final int MOST_KEYS = 100;
    private static final int WEAK_RSA_BITS = 2048;

    private final List<VerifierOfKey> verifiers;

    /**
     * A verifier for the signatures of one key.
     *
     * @param only the only algorithm for which the key is used; null for every algorithm of the key's type
     */
    private record VerifierOfKey(
            @Nullable String id, @Nullable Algorithm only, JWSVerifier verifier) {
        boolean accepts(@Nullable String wanted, JWSAlgorithm algorithm) {
            return (wanted == null || wanted.equals(id))
                    && (only == null || only.equals(algorithm))
                    && verifier.supportedJWSAlgorithms().contains(algorithm);
        }
    }

    private TokenKeys(List<VerifierOfKey> verifiers) {
        this.verifiers = List.copyOf(verifiers);
    }

    /**
     * Reads a JWK set from a file. Omits keys that are not for verifying signatures, and keys of types without a
     * supported algorithm.
     *
     * @throws ConfigException under the key {@code keys}, if the file can't be read, a key is refused, or no key
     *     supports any of the algorithms
     */
    static TokenKeys read(String file, List<String> algorithms) {
        List<VerifierOfKey> verifiers = new ArrayList<>();
        List<JWK> keys = parse(file).getKeys();
        if (keys.size() > MOST_KEYS) {
            throw refused(file, "at most " + MOST_KEYS + " keys");
        }
        for (JWK key : keys) {
            try {
                add(key, verifiers, true);
            } catch (UnusableKeyException e) {
                throw refused(file, String.valueOf(e.getMessage()));
            }
        }
        TokenKeys all = new TokenKeys(verifiers);
        if (!all.isUsableFor(algorithms)) {
            throw refused(file, "a JWK set with a key for one of " + String.join(", ", algorithms));
        }
        return all;
    }

    /**
     * Reads the published JWK set of an issuer. Omits unusable keys, which {@link #read} refuses. Also omits shared
     * secrets, because a published secret is known to everyone.
     *
     * @throws ParseException if the text is not a JWK set, or has more than 100 keys
     */
    static TokenKeys published(String text) throws ParseException {
        List<VerifierOfKey> verifiers = new ArrayList<>();
        List<JWK> keys = JWKSet.parse(text).getKeys();
        if (keys.size() > MOST_KEYS) {
            throw new ParseException("more than " + MOST_KEYS + " keys", 0);
        }
        for (JWK key : keys) {
            try {
                add(key, verifiers, false);
            } catch (UnusableKeyException e) {
                // The issuer may have keys for other purposes.
            }
        }
        return new TokenKeys(verifiers);
    }

    private boolean isUsableFor(List<String> algorithms) {
        return algorithms.stream()
                .map(JWSAlgorithm::parse)
                .anyMatch(algorithm -> verifiers.stream().anyMatch(each -> each.accepts(null, algorithm)));
    }

    /** Reports a key that must not verify signatures. The message states the expected keys. */
    private static final class UnusableKeyException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableKeyException(String expected) {
            super(expected);
        }
    }

    private static void add(JWK key, List<VerifierOfKey> to, boolean secrets) throws UnusableKeyException {
        if (key.isPrivate() && !(secrets && key instanceof OctetSequenceKey)) {
            throw new UnusableKeyException("public keys; key " + key.getKeyID() + " is a private key");
        }
        boolean verifies = !KeyUse.ENCRYPTION.equals(key.getKeyUse())
                && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY));
        JWSVerifier verifier = verifies ? verifier(key) : null;
        if (verifier != null) {
            to.add(new VerifierOfKey(key.getKeyID(), key.getAlgorithm(), verifier));
        }
    }

    private static @Nullable JWSVerifier verifier(JWK key) throws UnusableKeyException {
        try {
            if (key instanceof OctetSequenceKey secret) {
                return new MACVerifier(secret);
            }
            if (key instanceof RSAKey rsa) {
                if (rsa.size() < WEAK_RSA_BITS) {
                    throw new UnusableKeyException(
                            "RSA keys of at least 2048 bits; key " + key.getKeyID() + " has " + rsa.size() + " bits");
                }
                return new RSASSAVerifier(rsa);
            }
            if (key instanceof OctetKeyPair pair) {
                return Curve.Ed25519.equals(pair.getCurve()) ? new Ed25519Verifier(pair) : null;
            }
            return key instanceof ECKey ec ? new ECDSAVerifier(ec) : null;
        } catch (JOSEException e) {
            throw new UnusableKeyException("keys that can be used; key " + key.getKeyID() + ": " + e.getMessage());
        }
    }

    private static JWKSet parse(String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > LARGEST_FILE) {
                throw refused(file, "a file of at most 1 MiB");
            }
            return JWKSet.parse(Files.readString(path));
        } catch (IOException e) {
            throw refused(file, "a file that can be read: " + e);
        } catch (ParseException e) {
            throw refused(file, "a JWK set: " + e.getMessage());
        }
    }

    private static ConfigException refused(String file, String expected) {
        return new ConfigException("keys", file, expected);
    }

    /**
     * Returns the verifiers for a token.
     *
     * @param id the {@code kid} of the token; null to try every key
     */
    List<JWSVerifier> of(@Nullable String id, JWSAlgorithm algorithm) {
        return verifiers.stream()
                .filter(each -> each.accepts(id, algorithm))
                .map(VerifierOfKey::verifier)
                .toList();
    }

    /**
     * Returns whether a key has the id.
     *
     * @param id the {@code kid} of a token; if it is null, the result is true
     */
    boolean knows(@Nullable String id) {
        return id == null || verifiers.stream().anyMatch(each -> id.equals(each.id()));
    }
}
