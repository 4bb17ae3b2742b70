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
 * A public key of the curve Ed25519. Verifies signatures with the implementation of the JDK. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8032#section-5.1">RFC 8032, 5.1 Ed25519</a>
 */
public final class Ed25519Key {
    private static final String NAME = "Ed25519";
    private static final int KEY_BYTES = 32;
    private static final int SIGNATURE_BYTES = 64;
    /** The bytes that precede the key in the encoding of RFC 8410. The JDK reads keys in this encoding. */
    private static final byte[] PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private final PublicKey key;

    /**
     * Creates a key from its 32 bytes.
     *
     * @param point the key in the form of RFC 8032, 32 bytes
     * @throws InvalidKeyException if {@code point} does not have 32 bytes or is not a point of the curve
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
            // Begins a verification, because the JDK does not check the point until a verification begins.
            verification();
        } catch (GeneralSecurityException e) {
            throw new InvalidKeyException("the key is not a point of the curve Ed25519", e);
        }
    }

    /**
     * Reads a key in the form of RFC 8410 (DER).
     *
     * @throws InvalidKeyException if {@code der} is not a key of the curve
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
     * Returns whether {@code signature} is a valid signature of {@code message}. The signature must have 64 bytes, in
     * canonical form; other encodings are not accepted.
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
