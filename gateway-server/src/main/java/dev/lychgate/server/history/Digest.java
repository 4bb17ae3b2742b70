package dev.lychgate.server.history;

import dev.lychgate.filters.libraries.Sha256;
import java.util.HexFormat;

/** The digests that connect the lines of the history. */
final class Digest {
    /** In place of the digest of a line before the first one. */
    static final String NONE = "0".repeat(64);

    private Digest() {}

    /** Returns the SHA-256 in hexadecimal digits. */
    static String of(byte[] content) {
        return HexFormat.of().formatHex(Sha256.start().digest(content));
    }
}
