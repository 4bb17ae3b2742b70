package dev.lychgate.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.impl.BaseJWSProvider;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import dev.lychgate.tls.Ed25519Key;
import java.security.GeneralSecurityException;
import java.util.Set;

/**
 * Verifies Ed25519 signatures of tokens with the JDK, because the verifier of nimbus-jose-jwt needs another library.
 * Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8037#section-3.1">RFC 8037, 3.1 Signatures</a>
 */
final class Ed25519Verifier extends BaseJWSProvider implements JWSVerifier {
    private final Ed25519Key key;

    /**
     * Creates a verifier.
     *
     * @param pair a key of the curve Ed25519, of which only the public part is used
     * @throws JOSEException if the key is not a point of the curve
     */
    Ed25519Verifier(OctetKeyPair pair) throws JOSEException {
        super(Set.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519));
        try {
            this.key = new Ed25519Key(pair.getDecodedX());
        } catch (GeneralSecurityException e) {
            throw new JOSEException(e.getMessage(), e);
        }
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signingInput, Base64URL signature) throws JOSEException {
        try {
            return key.verifies(signingInput, signature.decode());
        } catch (GeneralSecurityException e) {
            throw new JOSEException("the JDK cannot verify a signature by Ed25519", e);
        }
    }
}
