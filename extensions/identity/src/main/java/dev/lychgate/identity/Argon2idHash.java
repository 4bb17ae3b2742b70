package dev.lychgate.identity;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * A hash by Argon2id.
 *
 * @param kib the memory, in KiB
 * @param iterations the number of passes over the memory
 * @param lanes the degree of parallelism; lanes are computed sequentially
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9106">RFC 9106 Argon2 Memory-Hard Function</a>
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Argon2idHash(int kib, int iterations, int lanes, byte[] salt, byte[] hash) implements PasswordHash {
    static final String PREFIX = "$argon2id$";
    private static final int LEAST_KIB = 7 << 10;
    private static final int MOST_KIB = 256 << 10;
    private static final int MOST_ITERATIONS = 10;
    private static final int MOST_LANES = 16;
    /** The cost of the weakest parameters that are usually recommended: five passes over 7 MiB. */
    private static final int LEAST_WORK = 5 * LEAST_KIB;

    private static final int SHORTEST = 8;
    private static final int SHORTEST_HASH = 16;
    private static final int LONGEST = 64;
    private static final Pattern FORM = Pattern.compile("\\$argon2id\\$v=19\\$m=([1-9][0-9]{0,6}),t=([1-9][0-9]{0,2}),"
            + "p=([1-9][0-9]{0,2})\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");
    private static final String EXPECTED = "an Argon2id hash of version 19: $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH";

    /**
     * Parses a PHC string.
     *
     * @throws IllegalArgumentException if it is malformed or its parameters are out of range
     */
    static Argon2idHash parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        int kib = Integer.parseInt(form.group(1));
        int iterations = Integer.parseInt(form.group(2));
        int lanes = Integer.parseInt(form.group(3));
        byte[] salt = bytes(form.group(4), SHORTEST);
        byte[] hash = bytes(form.group(5), SHORTEST_HASH);
        if (kib < LEAST_KIB || kib > MOST_KIB || iterations > MOST_ITERATIONS || lanes > MOST_LANES) {
            throw new IllegalArgumentException(
                    "an Argon2id hash with m of 7168 to 262144, t of at most 10 and p of at most 16");
        }
        if (kib * iterations < LEAST_WORK) {
            throw new IllegalArgumentException(
                    "an Argon2id hash with m times t of at least 35840, such as m=19456,t=2 or m=7168,t=5");
        }
        return new Argon2idHash(kib, iterations, lanes, salt, hash);
    }

    private static byte[] bytes(String base64, int shortest) {
        byte[] bytes = new byte[0];
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            // Reported below, without the text.
        }
        if (bytes.length < shortest || bytes.length > LONGEST) {
            throw new IllegalArgumentException(EXPECTED + ", with a salt of 8 to 64 bytes and a hash of 16 to 64");
        }
        return bytes;
    }

    @Override
    public boolean matches(byte[] password) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(kib)
                .withIterations(iterations)
                .withParallelism(lanes)
                .withSalt(salt)
                .build());
        byte[] computed = new byte[hash.length];
        generator.generateBytes(password, computed);
        return MessageDigest.isEqual(computed, hash);
    }

    @Override
    public String kind() {
        return "argon2id m=" + kib + ",t=" + iterations + ",p=" + lanes;
    }

    @Override
    public long memory() {
        return (long) kib << 10;
    }

    @Override
    public String toString() {
        return kind();
    }
}
