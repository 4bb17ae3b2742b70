package dev.lychgate.tls;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A public key of the curve Ed25519. Signatures are verified by the implementation of the JDK. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8032#section-5.1">RFC 8032, 5.1 Ed25519</a>
 */
public final class Ed25519Key {
    private static final String NAME = "Ed25519";
    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;
    /** The bytes before the key in the form of RFC 8410, which is the form that the JDK reads. */
    private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final PublicKey key;

    /**
     * Reads a key.
     *
     * @param point the key in the form of RFC 8032, 32 bytes
     * @throws InvalidKeyException if it is not a point of the curve
     */
    public Ed25519Key(byte[] point) throws InvalidKeyException {
        if (point.length != KEY_BYTES) {
            throw new InvalidKeyException("a key of the curve Ed25519 has 32 bytes");
        }
        byte[] encoded = ByteBuffer.allocate(PREFIX.length + KEY_BYTES)
                .put(PREFIX)
                .put(point)
                .array();
        try {
            this.key = KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(encoded));
            // The point is decoded only when a verification begins.
            verification();
        } catch (GeneralSecurityException e) {
            throw new InvalidKeyException("the key is not a point of the curve Ed25519", e);
        }
    }

    /**
     * Reads a key in the form of RFC 8410 (DER).
     *
     * @throws InvalidKeyException if it is not a key of the curve
     */
    public static Ed25519Key ofEncoded(byte[] der) throws InvalidKeyException {
        if (der.length != PREFIX.length + KEY_BYTES
                || !Arrays.equals(der, 0, PREFIX.length, PREFIX, 0, PREFIX.length)) {
            throw new InvalidKeyException("not a public key of the curve Ed25519");
        }
        return new Ed25519Key(Arrays.copyOfRange(der, PREFIX.length, der.length));
    }

    private Signature verification() throws GeneralSecurityException {
        Signature signature = Signature.getInstance(NAME);
        signature.initVerify(key);
        return signature;
    }

    /**
     * Returns whether a signature of a message is valid. Only one encoding of a signature is accepted: 64 bytes, in
     * canonical form.
     *
     * @throws GeneralSecurityException if the JDK cannot verify signatures of this curve
     */
    public boolean verifies(byte[] message, byte[] signature) throws GeneralSecurityException {
        if (signature.length != SIGNATURE_BYTES) {
            // The JDK would accept zeros after a signature.
            return false;
        }
        Signature verification = verification();
        verification.update(message);
        try {
            return verification.verify(signature);
        } catch (SignatureException e) {
            // The signature is not canonical.
            return false;
        }
    }
}
