package dev.lychgate.limit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of a bucket; all gateways compute the same name. It consists of 128 bits of a SHA-256 digest of the limit's
 * settings and the values of the key. Clients cannot find two values with the same name. The store contains only the
 * digest, not the values.
 */
record BucketName(long high, long low) {
    private static final HexFormat HEX = HexFormat.of();

    /** @param identity a text that contains the settings and values without ambiguity */
    static BucketName of(CharSequence identity) {
        try {
            byte[] bytes = identity.toString().getBytes(StandardCharsets.UTF_8);
            ByteBuffer digest =
                    ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes));
            return new BucketName(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }

    /** Returns the name as 32 hexadecimal digits. */
    String text() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }
}
