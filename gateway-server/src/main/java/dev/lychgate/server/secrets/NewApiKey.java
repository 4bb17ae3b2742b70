package dev.lychgate.server.secrets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The line for an API key in a file of the authenticator {@code api-key}: the digest of the key, then fields. The line
 * does not reveal the key.
 */
public final class NewApiKey {
    /** The beginning of each key. Tools that search for leaked secrets recognize keys by this text. */
    private static final String PREFIX = "lgk_";

    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 4;
    /** The lengths that the authenticator accepts. An attacker could find a shorter key by its digest. */
    private static final Pattern KEY = Pattern.compile("[!-~]{24,256}");

    private static final Pattern CLAIM = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
    private static final Pattern WORD = Pattern.compile("[^\\s\\p{Cntrl}\"\\[\\],\\\\]+");
    private static final Set<String> OWN = Set.of("id", "owner", "not-before", "expires", "sub", "key_id");

    private NewApiKey() {}

    /** Returns a new key with 256 random bits. */
    public static String random(SecureRandom random) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Returns an id for a key of an owner. The end of the id is random, so that the keys of one owner have different
     * ids.
     */
    public static String id(String owner, SecureRandom random) {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return owner + "-" + HexFormat.of().formatHex(bytes);
    }

    /**
     * Returns the line for a key, without a line feed.
     *
     * @param expires a date or a time in UTC, as in the file; null if the key does not expire
     * @param claims the values of each claim; several values become a list
     * @throws SecretException if a value is refused; the message does not contain the key
     */
    public static String line(
            String key, String id, String owner, @Nullable String expires, Map<String, List<String>> claims)
            throws SecretException {
        if (!KEY.matcher(key).matches()) {
            throw new SecretException("a key of 24 to 256 visible characters of ASCII");
        }
        StringBuilder line = new StringBuilder("sha256:")
                .append(digest(key))
                .append(" id=")
                .append(value("id", id))
                .append(" owner=")
                .append(value("owner", owner));
        if (expires != null) {
            line.append(" expires=").append(time(expires));
        }
        for (Map.Entry<String, List<String>> claim : claims.entrySet()) {
            String name = claim.getKey();
            if (!CLAIM.matcher(name).matches() || OWN.contains(name)) {
                throw new SecretException("the name of a claim of letters, digits, '_', '.' and '-', none of id, owner,"
                        + " not-before, expires, sub and key_id");
            }
            line.append(' ').append(name).append('=').append(values(name, claim.getValue()));
        }
        return line.toString();
    }

    private static String values(String name, List<String> all) throws SecretException {
        if (all.size() == 1) {
            return value(name, all.get(0));
        }
        StringBuilder list = new StringBuilder("[");
        for (String each : all) {
            list.append(list.length() == 1 ? "" : ",").append(value(name, each));
        }
        return list.append(']').toString();
    }

    private static String value(String name, String text) throws SecretException {
        if (text.isBlank() || text.length() > 255 || text.chars().anyMatch(Character::isISOControl)) {
            throw new SecretException("1 to 255 characters for " + name + ", without control characters");
        }
        return WORD.matcher(text).matches()
                ? text
                : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static String time(String text) throws SecretException {
        try {
            return text.indexOf('T') < 0
                    ? LocalDate.parse(text).toString()
                    : Instant.parse(text).toString();
        } catch (DateTimeException e) {
            throw new SecretException("a date, 2027-01-31, or a time in UTC, 2027-01-31T12:00:00Z, for --expires");
        }
    }

    private static String digest(String key) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * Appends a line to a file, in one write. Creates the file if it is missing. Only this user can read a file that
     * this method has created.
     *
     * @throws SecretException if the file already contains the id or the key, or if its last line does not end with
     *     a line feed
     * @throws IOException if the file cannot be read or written
     */
    public static void append(Path file, String line, String id) throws IOException, SecretException {
        String before = Files.exists(file) ? Files.readString(file) : "";
        if (!before.isEmpty() && !before.endsWith("\n")) {
            throw new SecretException(
                    "a file whose last line ends with a line feed; the last line of " + file + " does not");
        }
        String digest = line.substring(0, line.indexOf(' '));
        String field = "id=" + value("id", id);
        for (String each : before.lines().toList()) {
            if (each.startsWith(digest)) {
                throw new SecretException("a key that " + file + " does not contain yet");
            }
            if (List.of(each.split("\\s+", -1)).contains(field)) {
                throw new SecretException("an id that " + file + " does not contain yet");
            }
        }
        FileAttribute<?>[] own =
                file.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), own)) {
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
    }
}
