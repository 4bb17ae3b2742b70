package dev.lychgate.identity;

import dev.lychgate.filter.Identity;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An API key, represented by its digest.
 *
 * @param id the name of the key, unique in its file
 * @param identity the identity of its owner, with the claims of the key
 * @param notBefore the time from which it is valid, in milliseconds since the epoch
 * @param expires the time at which it expires, in milliseconds since the epoch
 */
record ApiKey(KeyDigest digest, String id, Identity identity, long notBefore, long expires) {
    static final String SCHEME = "api-key";
    /** The claim with the id of the key. */
    static final String KEY_ID = "key_id";
    /** The claim with the owner of the key. In tokens, this claim contains the subject. */
    static final String SUBJECT = "sub";

    private static final String PREFIX = "sha256:";
    private static final String DIGEST = "sha256: and the digest of a key in 64 hexadecimal digits";
    private static final String DATE = "a date, 2027-01-31, or a time in UTC, 2027-01-31T12:00:00Z";

    /**
     * Reads a line: the digest, then the fields.
     *
     * @throws IllegalArgumentException if the line is malformed; the message describes the expected line
     */
    static ApiKey parse(String line) {
        int end = 0;
        while (end < line.length() && line.charAt(end) != ' ' && line.charAt(end) != '\t') {
            end++;
        }
        KeyDigest digest = digest(line.substring(0, end));
        Map<String, Object> fields = EntryFields.parse(line, end);
        String id = required(fields, "id");
        String owner = required(fields, "owner");
        long notBefore = time(fields, "not-before", Long.MIN_VALUE);
        long expires = time(fields, "expires", Long.MAX_VALUE);
        if (expires <= notBefore) {
            throw new IllegalArgumentException("a time for expires that is later than not-before");
        }
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put(SUBJECT, owner);
        claims.put(KEY_ID, id);
        fields.forEach((name, value) -> {
            if (claims.putIfAbsent(name, value) != null) {
                throw new IllegalArgumentException("a name other than " + name + ", which the gateway sets itself");
            }
        });
        return new ApiKey(digest, id, new Identity(SCHEME, null, owner, claims), notBefore, expires);
    }

    private static KeyDigest digest(String word) {
        if (word.startsWith(PREFIX)) {
            try {
                return KeyDigest.parse(word.substring(PREFIX.length()).toLowerCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                // Reported below, without the text, because the text may be a key.
            }
        }
        throw new IllegalArgumentException(DIGEST);
    }

    private static String required(Map<String, Object> fields, String name) {
        String value = EntryFields.removeText(fields, name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("the field " + name);
        }
        return value;
    }

    private static long time(Map<String, Object> fields, String name, long otherwise) {
        String text = EntryFields.removeText(fields, name);
        return text == null ? otherwise : time(name, text);
    }

    private static long time(String name, String text) {
        try {
            Instant time = text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : Instant.parse(text);
            return time.toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("for " + name + ", " + DATE, e);
        }
    }

    /**
     * Returns the reason why the key is not valid at a time; null if it is valid.
     *
     * @param now milliseconds since the epoch
     */
    @Nullable
    String refusal(long now) {
        if (now >= expires) {
            return "the API key has expired";
        }
        return now < notBefore ? "the API key is not valid yet" : null;
    }
}
