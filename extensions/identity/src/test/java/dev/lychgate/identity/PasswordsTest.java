package dev.lychgate.identity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class PasswordsTest {
    /** By other implementations: libxcrypt, bcrypt for Python, and the reference implementation of Argon2. */
    static final String BCRYPT = "$2y$10$abcdefghijklmnopqrstuu23JPZtHcGhwXSF41f93o/7vBdDut3Xu";

    static final String ARGON2ID =
            "$argon2id$v=19$m=7168,t=5,p=1$c2FsdHNhbHRzYWx0c2FsdA$JHP+3w2PUJ5VQtxDHCjdoAAEC+JztcwU/LWpmtUl7XQ";
    static final String PASSWORD = "correct horse";
    private static final String OF_UMLAUTS = "$2a$10$abcdefghijklmnopqrstuuDlTuzQphC2dyjlUgzQEKNnHgSzicPWS";
    private static final String OF_72 = "$2b$10$abcdefghijklmnopqrstuuhBb/0dYbuuS1CS8hp30IXhlFBW2VAWG";
    private static final String OF_NOTHING = "$2b$10$abcdefghijklmnopqrstuujr5dF95nlffmIUNubpV71FPx1zncrEm";
    private static final String TWO_LANES =
            "$argon2id$v=19$m=19456,t=2,p=2$MDEyMzQ1Njc4OWFiY2RlZg" + "$jM5bCmxf6HHnFBd0vwVx+rZx+WGBhzJghl2NZJ8Bk9M";
    private static final long MUCH = 1L << 30;

    @TempDir
    Path home = Path.of("");

    private static boolean matches(String hash, String password) {
        return PasswordHash.parse(hash).matches(password.getBytes(UTF_8));
    }

    @Test
    void computesBcryptLikeOtherImplementations() {
        assertThat(matches(BCRYPT, PASSWORD)).isTrue();
        assertThat(matches(BCRYPT.replace("$2y$", "$2b$"), PASSWORD)).isTrue();
        assertThat(matches(BCRYPT, "correct horsE")).isFalse();
        assertThat(matches(OF_UMLAUTS, "grüße")).isTrue();
        assertThat(matches(OF_NOTHING, "")).isTrue();
        assertThat(matches(BCRYPT, "")).isFalse();
    }

    /** bcrypt ignores the rest, so that two passwords would be accepted. */
    @Test
    void acceptsNoPasswordOfMoreThan72BytesForBcrypt() {
        assertThat(matches(OF_72, "x".repeat(72))).isTrue();
        assertThat(matches(OF_72, "x".repeat(73))).isFalse();
        assertThat(matches(OF_72, "x".repeat(72) + "ü")).isFalse();
    }

    @Test
    void computesArgon2idLikeTheReferenceImplementation() {
        assertThat(matches(ARGON2ID, PASSWORD)).isTrue();
        assertThat(matches(ARGON2ID, PASSWORD + " ")).isFalse();
        assertThat(matches(TWO_LANES, "grüße")).isTrue();
        assertThat(matches(TWO_LANES, "gru\u0308ße")).isFalse();
    }

    @Test
    void refusesHashesThatAreWeakCostlyOrOfOtherAlgorithms() {
        String algorithm = "a bcrypt hash, $2y$, $2b$ or $2a$, or an Argon2id hash, $argon2id$";
        String argon2 = "an Argon2id hash of version 19: $argon2id$v=19$m=19456,t=2,p=1$SALT$HASH";
        String range = "an Argon2id hash with m of 7168 to 262144, t of at most 10 and p of at most 16";
        String work = "an Argon2id hash with m times t of at least 35840, such as m=19456,t=2 or m=7168,t=5";
        for (String hash : List.of(
                "",
                "secret",
                "$apr1$salt$gx0zM4fFVHTCVbLM9gvJp1",
                "{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=",
                "$2x$10$a",
                "$2$10$a",
                "$6$salt$a",
                "$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$c2FsdHNhbHRzYWx0c2FsdA",
                "$y$j9T$a$b")) {
            refused(hash, algorithm);
        }
        refused(BCRYPT + "a", "a bcrypt hash of 60 characters, such as htpasswd -B -C 12 writes it");
        refused(BCRYPT.replace("uu23", "uv23"), "a bcrypt hash of 60 characters, such as htpasswd -B -C 12 writes it");
        refused(BCRYPT.replace("$10$", "$09$"), "a bcrypt hash of cost 10 to 15; htpasswd -C 12 sets the cost");
        refused(BCRYPT.replace("$10$", "$16$"), "a bcrypt hash of cost 10 to 15; htpasswd -C 12 sets the cost");
        refused(ARGON2ID.replace("v=19", "v=16"), argon2);
        refused(ARGON2ID.replace("m=7168", "m=07168"), argon2);
        refused(ARGON2ID + "=", argon2);
        refused(
                ARGON2ID.replace("c2FsdHNhbHRzYWx0c2FsdA", "c2FsdA"),
                argon2 + ", with a salt of 8 to 64 bytes and a hash of 16 to 64");
        refused(ARGON2ID.replace("m=7168", "m=7167"), range);
        refused(ARGON2ID.replace("m=7168", "m=262145"), range);
        refused(ARGON2ID.replace("t=5", "t=11"), range);
        refused(ARGON2ID.replace("p=1", "p=17"), range);
        refused(ARGON2ID.replace("t=5", "t=4"), work);
    }

    private static void refused(String hash, String expected) {
        assertThatThrownBy(() -> PasswordHash.parse(hash))
                .as(hash)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(expected);
    }

    private Passwords read(long memory, String... lines) throws Exception {
        Path file = Files.writeString(home.resolve("users"), String.join("\n", lines) + "\n");
        return Passwords.read(file.toString(), memory);
    }

    private void refused(long memory, String expected, String... lines) {
        assertThatThrownBy(() -> read(memory, lines))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "file: " + home.resolve("users") + ": line " + lines.length + " (expected: " + expected + ")");
    }

    @Test
    void readsUsersWithTheirClaims() throws Exception {
        Passwords users = read(MUCH, "# users", "alice:" + BCRYPT, "bob smith:" + BCRYPT + " tier=gold roles=[a,b]");
        Identity alice = users.verify("alice", PASSWORD);
        assertThat(alice).isEqualTo(new Identity("basic", null, "alice", Map.of("sub", "alice")));
        assertThat(users.verify("bob smith", PASSWORD))
                .isEqualTo(new Identity(
                        "basic",
                        null,
                        "bob smith",
                        Map.of("sub", "bob smith", "tier", "gold", "roles", List.of("a", "b"))));
        assertThat(users.verify("alice", "")).isNull();
        assertThat(users.verify("Alice", PASSWORD)).isNull();
        assertThat(users.verify("alice ", PASSWORD)).isNull();
    }

    @Test
    void refusesMalformedLinesWithoutRepeatingThem() {
        String form = "user:hash, with a name of at most 255 bytes and without control characters";
        refused(MUCH, form, "alice");
        refused(MUCH, form, ":" + BCRYPT);
        refused(MUCH, form, "al\u0001ice:" + BCRYPT);
        refused(MUCH, form, "ü".repeat(128) + ":" + BCRYPT);
        refused(MUCH, "a name in Unicode normalization form C", "ju\u0308rgen:" + BCRYPT);
        refused(MUCH, "a user that differs from the user of line 1", "alice:" + BCRYPT, "alice:" + ARGON2ID);
        refused(MUCH, "a name other than sub, which the gateway sets itself", "alice:" + BCRYPT + " sub=root");
        refused(
                MUCH,
                "at most 4 different algorithms and parameters",
                "a:" + BCRYPT,
                "b:" + BCRYPT.replace("$10$", "$11$"),
                "c:" + BCRYPT.replace("$10$", "$12$"),
                "d:" + ARGON2ID,
                "e:" + TWO_LANES);
        refused(
                7L << 20,
                "a hash that needs at most 7168 KiB, a quarter of the heap for all threads together; or a larger heap, or fewer"
                        + " threads",
                "a:" + ARGON2ID,
                "b:" + TWO_LANES);
    }

    /** Browsers and operating systems send one text in different forms. */
    @Test
    void acceptsEachNormalizationFormOfOneText() throws Exception {
        Passwords users = read(MUCH, "jürgen:" + OF_UMLAUTS);
        assertThat(users.verify("ju\u0308rgen", "gru\u0308ße")).isNotNull();
        assertThat(users.verify("jürgen", "grüße")).isNotNull();
        assertThat(users.verify("jurgen", "grüße")).isNull();
        assertThat(users.verify("jürgen", "grüsse")).isNull();
    }

    /** A hash that counts its computations. */
    private record Counted(
            String kind, List<String> log, @Nullable String password) implements PasswordHash {
        @Override
        public boolean matches(byte[] given) {
            log.add(kind);
            return new String(given, UTF_8).equals(password);
        }

        @Override
        public long memory() {
            return 0;
        }
    }

    /** The duration reveals neither whether a user exists nor which kind of hash the user has: the work is the same. */
    @Test
    void computesOneHashOfEachKindForEveryUser() {
        List<String> log = new ArrayList<>();
        Identity identity = new Identity("basic", null, "any");
        Passwords users = Passwords.of(Map.of(
                "a", new Passwords.User(new Counted("bcrypt 10", log, "pa"), identity),
                "b", new Passwords.User(new Counted("bcrypt 10", log, "pb"), identity),
                "c", new Passwords.User(new Counted("bcrypt 12", log, "pc"), identity)));
        List<String> accepted = new ArrayList<>();
        for (String user : List.of("a", "b", "c", "unknown", "")) {
            for (String password : List.of("pa", "pb", "pc", "wrong", "")) {
                log.clear();
                if (users.verify(user, password) != null) {
                    accepted.add(user + ":" + password);
                }
                assertThat(log).as("%s:%s", user, password).containsExactlyInAnyOrder("bcrypt 10", "bcrypt 12");
            }
        }
        assertThat(accepted).as("no stand-in is accepted").containsExactly("a:pa", "b:pb", "c:pc");
    }
}
