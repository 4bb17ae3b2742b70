package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.Identity;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The users of a file in the form of {@code htpasswd}: {@code user:hash}, optionally followed by claims. Immutable and
 * thread-safe.
 *
 * <p>Each verification computes one hash of every kind that the file contains: the hash of the user, and a placeholder
 * for every other kind. The duration therefore reveals neither whether a user exists nor the kind of the user's hash.
 */
final class Passwords {
    static final String SCHEME = "basic";
    /** The maximum number of kinds of hashes in a file, because each verification computes one hash of each kind. */
    private static final int MOST_KINDS = 4;

    private static final int LONGEST_NAME = 255;

    private final Map<String, User> users;
    /** A hash of each kind in the file. */
    private final List<PasswordHash> kinds;

    /** A user. */
    record User(PasswordHash hash, Identity identity) {}

    private Passwords(Map<String, User> users, List<PasswordHash> kinds) {
        this.users = users;
        this.kinds = kinds;
    }

    /** Returns users that are not read from a file. */
    static Passwords of(Map<String, User> users) {
        Map<String, PasswordHash> kinds = new LinkedHashMap<>();
        users.values().forEach(user -> kinds.putIfAbsent(user.hash().kind(), user.hash()));
        return new Passwords(Map.copyOf(users), List.copyOf(kinds.values()));
    }

    /**
     * Reads a file.
     *
     * @param memory the most memory that one verification may need, in bytes
     * @throws ConfigException under the key {@code file}, with the line and the reason
     */
    static Passwords read(String file, long memory) {
        Map<String, User> users = new HashMap<>();
        Map<String, Integer> lines = new HashMap<>();
        Map<String, PasswordHash> kinds = new LinkedHashMap<>();
        EntryFile.read(file, (line, number) -> {
            int colon = line.indexOf(':');
            String name = name(line, colon);
            int end = colon + 1;
            while (end < line.length() && line.charAt(end) != ' ' && line.charAt(end) != '\t') {
                end++;
            }
            PasswordHash hash = PasswordHash.parse(line.substring(colon + 1, end));
            if (hash.memory() > memory) {
                throw new IllegalArgumentException("a hash that needs at most " + (memory >> 10)
                        + " KiB, a quarter of the heap for all threads together; or a larger heap, or fewer threads");
            }
            Integer same = lines.putIfAbsent(name, number);
            if (same != null) {
                throw new IllegalArgumentException("a user that differs from the user of line " + same);
            }
            users.put(name, new User(hash, identity(name, EntryFields.parse(line, end))));
            kinds.putIfAbsent(hash.kind(), hash);
            if (kinds.size() > MOST_KINDS) {
                throw new IllegalArgumentException("at most " + MOST_KINDS + " different algorithms and parameters");
            }
        });
        return new Passwords(users, new ArrayList<>(kinds.values()));
    }

    private static String name(String line, int colon) {
        String name = colon < 0 ? "" : line.substring(0, colon);
        if (name.isEmpty()
                || name.chars().anyMatch(Character::isISOControl)
                || name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "user:hash, with a name of at most 255 bytes and without control characters");
        }
        if (!Normalizer.isNormalized(name, Normalizer.Form.NFC)) {
            throw new IllegalArgumentException("a name in Unicode normalization form C");
        }
        return name;
    }

    private static Identity identity(String name, Map<String, Object> fields) {
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put(ApiKey.SUBJECT, name);
        fields.forEach((claim, value) -> {
            if (claims.putIfAbsent(claim, value) != null) {
                throw new IllegalArgumentException("a name other than " + claim + ", which the gateway sets itself");
            }
        });
        return new Identity(SCHEME, null, name, claims);
    }

    /**
     * Verifies a password. Must not be called on an event loop.
     *
     * @return the identity of the user; null if there is no user with this name, or the password does not match
     */
    @Nullable
    Identity verify(String name, String password) {
        User user = users.get(normalized(name));
        PasswordHash known = user == null ? null : user.hash();
        byte[] bytes = normalized(password).getBytes(StandardCharsets.UTF_8);
        boolean verified = false;
        for (PasswordHash standIn : kinds) {
            boolean own = known != null && known.kind().equals(standIn.kind());
            PasswordHash hash = known != null && own ? known : standIn;
            // The hash is computed even if its result does not matter, so that the duration is always the same.
            verified |= hash.matches(bytes) && own;
        }
        return user != null && verified ? user.identity() : null;
    }

    /** Returns the text in normalization form C, because browsers and operating systems use different forms. */
    private static String normalized(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFC);
    }
}
