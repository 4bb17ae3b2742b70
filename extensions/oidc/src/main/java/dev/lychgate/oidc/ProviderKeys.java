package dev.lychgate.oidc;

import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of a provider. A key verifies only signatures by algorithms of its type and curve. Secret keys and
 * weak keys are omitted. Immutable.
 */
final class ProviderKeys {
    /** The maximum length of a key set, in bytes. */
    static final int LONGEST = 512 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ProviderKeys.class);
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

    private ProviderKeys(List<VerifierOfKey> verifiers) {
        this.verifiers = List.copyOf(verifiers);
    }

    /**
     * Parses a JWK set.
     *
     * @throws ProviderException if it is malformed, or has no usable key
     */
    static ProviderKeys parse(byte[] document) {
        List<VerifierOfKey> verifiers = new ArrayList<>();
        try {
            for (JWK key :
                    JWKSet.parse(new String(document, StandardCharsets.UTF_8)).getKeys()) {
                JWSVerifier verifier = KeyUse.ENCRYPTION.equals(key.getKeyUse()) ? null : verifier(key);
                if (verifier != null && verifiers.size() < MOST_KEYS) {
                    verifiers.add(new VerifierOfKey(key.getKeyID(), key.getAlgorithm(), verifier));
                }
            }
        } catch (ParseException | RuntimeException e) {
            throw ProviderException.unavailable("the key set of the provider is malformed");
        }
        if (verifiers.isEmpty()) {
            throw ProviderException.unavailable("the key set of the provider has no usable key");
        }
        return new ProviderKeys(verifiers);
    }

    private static @Nullable JWSVerifier verifier(JWK key) {
        try {
            if (key instanceof RSAKey rsa) {
                return rsa.size() < WEAK_RSA_BITS ? null : new RSASSAVerifier(rsa.toPublicJWK());
            }
            if (key instanceof OctetKeyPair pair) {
                return Curve.Ed25519.equals(pair.getCurve()) ? new Ed25519Verifier(pair) : null;
            }
            return key instanceof ECKey ec ? new ECDSAVerifier(ec.toPublicJWK()) : null;
        } catch (JOSEException e) {
            LOG.debug("oidc: key {} of the provider is ignored, because it cannot be used", key.getKeyID(), e);
            return null;
        }
    }

    /** Returns whether one of these keys verifies the signature of a token. */
    boolean verify(JWSObject token) {
        JWSHeader header = token.getHeader();
        for (VerifierOfKey each : verifiers) {
            if (each.accepts(header.getKeyID(), header.getAlgorithm())) {
                try {
                    if (each.verifier().verify(header, token.getSigningInput(), token.getSignature())) {
                        return true;
                    }
                } catch (JOSEException e) {
                    LOG.debug("oidc: a signature could not be verified, and is treated as invalid", e);
                }
            }
        }
        return false;
    }
}
