package dev.lychgate.identity;

import java.util.Arrays;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * A hash by bcrypt. bcrypt ignores everything after the 72nd byte of a password, so longer passwords are rejected. The
 * hash is computed nevertheless, because the duration would otherwise reveal which users have a bcrypt hash.
 *
 * @param text the hash as {@code htpasswd -B} writes it: {@code $2y$}, cost, {@code $}, salt and hash
 */
record BcryptHash(String text) implements PasswordHash {
    private static final int LONGEST_PASSWORD = 72;
    private static final int LEAST_COST = 10;
    private static final int MOST_COST = 15;
    /**
     * The form of a bcrypt hash. The last character of the salt and the last character of the hash contain unused bits,
     * which tools set to zero.
     */
    private static final Pattern FORM =
            Pattern.compile("\\$2[aby]\\$[0-9]{2}\\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{31}");

    private static final long MEMORY = 8 << 10;

    static boolean looksLike(String text) {
        return text.startsWith("$2a$") || text.startsWith("$2b$") || text.startsWith("$2y$");
    }

    /**
     * Parses a hash.
     *
     * @throws IllegalArgumentException if it is malformed or its cost is out of range
     */
    static BcryptHash parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("a bcrypt hash of 60 characters, such as htpasswd -B -C 12 writes it");
        }
        int cost = Integer.parseInt(text.substring(4, 6));
        if (cost < LEAST_COST || cost > MOST_COST) {
            throw new IllegalArgumentException("a bcrypt hash of cost 10 to 15; htpasswd -C 12 sets the cost");
        }
        return new BcryptHash(text);
    }

    @Override
    public boolean matches(byte[] password) {
        boolean fits = password.length <= LONGEST_PASSWORD;
        return OpenBSDBCrypt.checkPassword(text, fits ? password : Arrays.copyOf(password, LONGEST_PASSWORD)) && fits;
    }

    @Override
    public String kind() {
        // All versions have the same cost.
        return "bcrypt " + text.substring(4, 6);
    }

    @Override
    public long memory() {
        return MEMORY;
    }

    @Override
    public String toString() {
        return kind();
    }
}
