package dev.lychgate.filters.libraries;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes SHA-256 digests. */
public final class Sha256 {
    private Sha256() {}

    /** Returns a new digest to which no data has been added. */
    public static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JVM lacks SHA-256", e);
        }
    }

    /** Returns the digest of a text in UTF-8, in hexadecimal digits. */
    public static String of(String text) {
        return HexFormat.of().formatHex(start().digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
