package dev.lychgate.server.history;

import dev.lychgate.filters.libraries.Sha256;
import java.util.HexFormat;

/** Computes the digests that connect the lines of the history. */
final class Digest {
    /** The value that the first line contains in place of the digest of a previous line. */
    static final String NONE = "0".repeat(64);

    private Digest() {}

    /** Returns the SHA-256 of a content in hexadecimal digits. */
    static String of(byte[] content) {
        return HexFormat.of().formatHex(Sha256.start().digest(content));
    }
}
