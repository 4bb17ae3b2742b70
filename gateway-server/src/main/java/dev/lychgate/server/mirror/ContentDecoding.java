package dev.lychgate.server.mirror;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Decodes bodies before they are compared, because equal contents may be encoded differently. */
final class ContentDecoding {
    /** The maximum length of a decoded body, in bytes. */
    private static final int LONGEST = 4 << 20;

    private ContentDecoding() {}

    /** @return the decoded body; null if the coding is not supported, or the body is malformed or too long */
    static byte @Nullable [] decode(byte[] body, String coding) {
        String name = coding.trim().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.equals("identity") || body.length == 0) {
            return body;
        }
        if (!name.equals("gzip") && !name.equals("x-gzip")) {
            return null;
        }
        try (GZIPInputStream content = new GZIPInputStream(new ByteArrayInputStream(body))) {
            byte[] decoded = content.readNBytes(LONGEST + 1);
            return decoded.length > LONGEST ? null : decoded;
        } catch (IOException e) {
            return null;
        }
    }
}
