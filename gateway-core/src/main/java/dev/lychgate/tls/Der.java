package dev.lychgate.tls;

import java.io.ByteArrayOutputStream;

/** As much of DER as it takes to put an old form of private keys into PKCS#8, which is all that the JDK reads. */
final class Der {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int PARAMETERS = 0xa0;

    private static final byte[] VERSION_0 = {INTEGER, 1, 0};
    /** AlgorithmIdentifier of rsaEncryption: 1.2.840.113549.1.1.1 with NULL. */
    private static final byte[] RSA = {
        0x30, 0x0d, 0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00
    };
    /** Object identifier of id-ecPublicKey: 1.2.840.10045.2.1. */
    private static final byte[] EC = {0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01};

    private final byte[] bytes;
    private int at;

    private Der(byte[] bytes) {
        this.bytes = bytes;
    }

    /** An RSAPrivateKey (PKCS#1) as PKCS#8. @see <a href="https://www.rfc-editor.org/rfc/rfc8017#appendix-A.1.2">RFC 8017</a> */
    static byte[] pkcs8OfRsa(byte[] pkcs1) {
        return element(SEQUENCE, VERSION_0, RSA, element(OCTETS, pkcs1));
    }

    /**
     * An ECPrivateKey (SEC 1) as PKCS#8.
     *
     * @throws IllegalArgumentException if it does not name its curve
     * @see <a href="https://www.rfc-editor.org/rfc/rfc5915">RFC 5915</a>
     */
    static byte[] pkcs8OfEc(byte[] sec1) {
        byte[] curve = new Der(sec1).curve();
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve), element(OCTETS, sec1));
    }

    private byte[] curve() {
        enter(SEQUENCE);
        skip(INTEGER);
        skip(OCTETS);
        int length = enter(PARAMETERS);
        byte[] curve = new byte[length];
        if (at + length > bytes.length) {
            throw new IllegalArgumentException("cut off");
        }
        System.arraycopy(bytes, at, curve, 0, length);
        return curve;
    }

    private void skip(int tag) {
        at += enter(tag);
    }

    /** @return the length of what is in the element that begins here, whose tag is to be {@code tag} */
    private int enter(int tag) {
        if (next() != tag) {
            throw new IllegalArgumentException("not of the form of a private key, or without its curve");
        }
        int first = next();
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = length << 8 | next();
            if (length < 0 || length > bytes.length) {
                throw new IllegalArgumentException("longer than it is");
            }
        }
        return length;
    }

    private int next() {
        if (at < 0 || at >= bytes.length) {
            throw new IllegalArgumentException("cut off");
        }
        return bytes[at++] & 0xff;
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
