package dev.lychgate.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.impl.BaseJWSProvider;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.Set;

/**
 * Verifies signatures by a key of the curve Ed25519, with the implementation of the JDK. That of the library needs another library.
 * Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8037#section-3.1">RFC 8037, 3.1 Signatures</a>
 */
final class Ed25519Verifier extends BaseJWSProvider implements JWSVerifier {
    private static final String NAME = "Ed25519";
    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;
    /** The bytes before the key in the form of RFC 8410, which is the form that the JDK reads. */
    private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final PublicKey key;

    /**
     * Creates a verifier.
     *
     * @param pair a key of the curve Ed25519, of which only the public part is used
     * @throws JOSEException if the key is not a point of the curve
     */
    Ed25519Verifier(OctetKeyPair pair) throws JOSEException {
        super(Set.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519));
        byte[] point = pair.getDecodedX();
        if (point.length != KEY_BYTES) {
            throw new JOSEException("a key of the curve Ed25519 has 32 bytes");
        }
        byte[] encoded = ByteBuffer.allocate(PREFIX.length + KEY_BYTES)
                .put(PREFIX)
                .put(point)
                .array();
        try {
            this.key = KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(encoded));
            // The point is decoded only when a verification begins.
            signature(key);
        } catch (GeneralSecurityException e) {
            throw new JOSEException("the key is not a point of the curve Ed25519", e);
        }
    }

    private static Signature signature(PublicKey by) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(NAME);
        signature.initVerify(by);
        return signature;
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signingInput, Base64URL signature) throws JOSEException {
        byte[] bytes = signature.decode();
        if (bytes.length != SIGNATURE_BYTES) {
            // The JDK accepts zeros after a signature, so that one token would have several spellings.
            return false;
        }
        try {
            Signature verification = signature(key);
            verification.update(signingInput);
            return verification.verify(bytes);
        } catch (SignatureException e) {
            // The signature is not canonical.
            return false;
        } catch (GeneralSecurityException e) {
            throw new JOSEException("the JDK cannot verify a signature by Ed25519", e);
        }
    }
}
