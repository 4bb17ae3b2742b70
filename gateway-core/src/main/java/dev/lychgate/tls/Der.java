package dev.lychgate.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Converts private keys in PKCS#1 and SEC 1 to PKCS#8, because the JDK reads no other form. Implements the part of DER
 * that this conversion needs.
 *
 * @see <a href="https://www.itu.int/rec/T-REC-X.690">X.690, 10 Distinguished encoding rules</a>
 */
final class Der {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int PARAMETERS = 0xa0;

    private static final byte[] VERSION_0 = {INTEGER, 1, 0};
    /** The AlgorithmIdentifier of rsaEncryption: 1.2.840.113549.1.1.1 with NULL. */
    private static final byte[] RSA = {
        0x30, 0x0d, 0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00
    };
    /** Object identifier of id-ecPublicKey: 1.2.840.10045.2.1. */
    private static final byte[] EC = {0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01};

    private Der() {}

    /**
     * Converts an RSAPrivateKey (PKCS#1) to PKCS#8.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc8017#appendix-A.1.2">RFC 8017</a>
     */
    static byte[] pkcs8OfRsa(byte[] pkcs1) {
        return element(SEQUENCE, VERSION_0, RSA, element(OCTETS, pkcs1));
    }

    /**
     * Converts an ECPrivateKey (SEC 1) to PKCS#8.
     *
     * @throws IllegalArgumentException if the key is malformed or does not name its curve
     * @see <a href="https://www.rfc-editor.org/rfc/rfc5915#section-3">RFC 5915, 3. Elliptic Curve Private Key Format</a>
     */
    static byte[] pkcs8OfEc(byte[] sec1) {
        ByteBuffer key = content(ByteBuffer.wrap(sec1), SEQUENCE);
        content(key, INTEGER);
        content(key, OCTETS);
        ByteBuffer parameters = content(key, PARAMETERS);
        byte[] curve = new byte[parameters.remaining()];
        parameters.get(curve);
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve), element(OCTETS, sec1));
    }

    /**
     * Reads the next element of {@code from}, which must have the tag {@code tag}.
     *
     * @return the content of the element
     */
    private static ByteBuffer content(ByteBuffer from, int tag) {
        if (!from.hasRemaining() || next(from) != tag) {
            throw new IllegalArgumentException("an element with the tag 0x" + Integer.toHexString(tag) + " is missing");
        }
        long length = next(from);
        if (length > 0x7f) {
            int octets = (int) length & 0x7f;
            length = 0;
            for (int i = 0; i < octets && length <= from.remaining(); i++) {
                length = length << 8 | next(from);
            }
        }
        if (length > from.remaining()) {
            throw new IllegalArgumentException("truncated");
        }
        ByteBuffer content = from.slice(from.position(), (int) length);
        from.position(from.position() + (int) length);
        return content;
    }

    private static int next(ByteBuffer from) {
        if (!from.hasRemaining()) {
            throw new IllegalArgumentException("truncated");
        }
        return from.get() & 0xff;
    }

    private static byte[] element(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
