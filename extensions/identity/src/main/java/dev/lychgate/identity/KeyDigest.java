package dev.lychgate.identity;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** A SHA-256 digest. A comparison of two digests always reads all of their bits. */
record KeyDigest(long a, long b, long c, long d) {
    /** Returns the digest of some bytes. */
    static KeyDigest of(byte[] bytes) {
        return of(sha256(), bytes);
    }

    private static KeyDigest of(MessageDigest digest, byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(digest.digest(bytes));
        return new KeyDigest(words.getLong(), words.getLong(), words.getLong(), words.getLong());
    }

    /**
     * Reads 64 hexadecimal digits.
     *
     * @throws IllegalArgumentException if the text is malformed
     */
    static KeyDigest parse(String hex) {
        if (hex.length() != 64) {
            throw new IllegalArgumentException("64 hexadecimal digits");
        }
        ByteBuffer words = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        return new KeyDigest(words.getLong(), words.getLong(), words.getLong(), words.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }

    /**
     * A random key of this process. Each digest covers this key, followed by the digested bytes. Without the key, a
     * password could be found from its digest by trying passwords.
     */
    static final class Secret {
        private final byte[] key = new byte[32];

        /** Creates a random key. May block; must not be called on an event loop. */
        Secret() {
            new SecureRandom().nextBytes(key);
        }

        KeyDigest of(byte[] bytes) {
            MessageDigest digest = sha256();
            digest.update(key);
            return KeyDigest.of(digest, bytes);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyDigest that && ((a ^ that.a) | (b ^ that.b) | (c ^ that.c) | (d ^ that.d)) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(a);
    }
}
