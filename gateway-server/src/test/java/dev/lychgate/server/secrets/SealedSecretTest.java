package dev.lychgate.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encrypted values and their keys, also under attack. */
class SealedSecretTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    @TempDir
    Path home = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void key() throws Exception {
        file = home.resolve("key");
        KeyFile.create(file, RANDOM);
    }

    private KeyFile keys() throws Exception {
        return KeyFile.read(file);
    }

    private String seal(String secret) throws Exception {
        return inside(SealedSecret.seal(secret, keys(), RANDOM));
    }

    private static String inside(String reference) {
        assertThat(reference).startsWith("${encrypted:").endsWith("}");
        return reference.substring("${encrypted:".length(), reference.length() - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "a password with blanks",
                "größe-🔑",
                "two\nlines",
                "${file:x} and ${env:Y}",
                "31-characters-of-plain-ascii-xx"
            })
    void opensEverySealedText(String secret) throws Exception {
        assertThat(SealedSecret.open(seal(secret), keys())).isEqualTo(secret);
    }

    @Test
    void hidesTheTextAndItsExactLength() throws Exception {
        assertThat(seal("short")).hasSameSizeAs(seal("a-secret-of-31-characters-xxxxx"));
        assertThat(seal("the-same")).isNotEqualTo(seal("the-same"));
        String decoded = new String(Base64.getUrlDecoder().decode(seal("visible-text")), StandardCharsets.ISO_8859_1);
        assertThat(decoded).doesNotContain("visible");
    }

    @Test
    void refusesEveryAlteredByte() throws Exception {
        byte[] all = Base64.getUrlDecoder().decode(seal("secret-text"));
        for (int i = 0; i < all.length; i++) {
            byte[] altered = all.clone();
            altered[i] ^= 1;
            String sealed = Base64.getUrlEncoder().withoutPadding().encodeToString(altered);
            assertThatExceptionOfType(SecretException.class)
                    .as("byte " + i)
                    .isThrownBy(() -> SealedSecret.open(sealed, keys()))
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret-text", "Tag mismatch"));
        }
        for (int length = 0; length < all.length; length++) {
            String cut = Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(all, length));
            assertThatExceptionOfType(SecretException.class)
                    .as("first " + length + " bytes")
                    .isThrownBy(() -> SealedSecret.open(cut, keys()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "not base64!", "AAAA", "====", "\u00e4"})
    void refusesTextsThatAreNoValue(String text) {
        assertThatExceptionOfType(SecretException.class)
                .isThrownBy(() -> SealedSecret.open(text, keys()))
                .withMessageContaining("a value as lychgate secret encrypt prints it");
    }

    @Test
    void refusesAValueOfAnotherKeyAndNamesBothKeys() throws Exception {
        String sealed = seal("secret-text");
        String old = keys().ids();
        Files.delete(file);
        KeyFile.create(file, RANDOM);
        assertThatThrownBy(() -> SealedSecret.open(sealed, keys()))
                .isInstanceOf(SecretException.class)
                .hasMessageContaining(keys().ids())
                .hasMessageContaining(old);
    }

    @Test
    void aNewKeyEncryptsWhileValuesOfTheOldOneRemain() throws Exception {
        String old = seal("of-the-old-key");
        String first = keys().ids();
        String added = KeyFile.add(file, RANDOM);
        assertThat(keys().ids()).isEqualTo(added + ", " + first);
        assertThat(SealedSecret.open(old, keys())).isEqualTo("of-the-old-key");

        String text = "token: ${encrypted:" + old + "}\nother: ${PORT} # ${encrypted:" + seal("new") + "}\n";
        String renewed = SealedSecret.rekey(text, keys(), RANDOM);
        assertThat(renewed)
                .matches("token: \\$\\{encrypted:[\\w-]+}\\nother: \\$\\{PORT} # \\$\\{encrypted:[\\w-]+}\\n");

        Files.writeString(file, Files.readAllLines(file).get(0));
        assertThat(SealedSecret.open(renewed.replaceAll("(?s)token: \\$\\{encrypted:([\\w-]+)}.*", "$1"), keys()))
                .isEqualTo("of-the-old-key");
        assertThatThrownBy(() -> SealedSecret.rekey("a: 1\nb: ${encrypted:" + old + "}", keys(), RANDOM))
                .isInstanceOf(SecretException.class)
                .hasMessageStartingWith("line 2: ");
    }

    @Test
    void onlyTheUserCanReadAKeyFile() throws Exception {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        KeyFile.add(file, RANDOM);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var files = Files.list(home)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void anExistingFileIsNeverOverwritten() throws Exception {
        String before = Files.readString(file);
        assertThatThrownBy(() -> KeyFile.create(file, RANDOM)).isInstanceOf(FileAlreadyExistsException.class);
        Path other = Files.writeString(home.resolve("other"), "no key\n");
        assertThatThrownBy(() -> KeyFile.add(other, RANDOM)).isInstanceOf(SecretException.class);
        assertThat(Files.readString(file)).isEqualTo(before);
        assertThat(Files.readString(other)).isEqualTo("no key\n");
    }

    @Test
    void everyKeyDiffers() throws Exception {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            ids.add(KeyFile.create(home.resolve("key-" + i), RANDOM));
        }
        assertThat(ids).hasSize(50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# only a comment",
                "aes-256-gcm:AAAA",
                "aes-256-gcm:not base64",
                "aes-128-gcm:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "hunter2"
            })
    void refusesAMalformedKeyFileWithoutRepeatingIt(String text) throws Exception {
        Files.writeString(file, text + "\n");
        assertThatThrownBy(this::keys)
                .isInstanceOf(SecretException.class)
                .hasMessageContaining(file.toString())
                .message()
                .doesNotContain("AAAA", "hunter2", "not base64");
    }

    @Test
    void commentsAndEmptyLinesAreIgnored() throws Exception {
        String sealed = seal("x");
        Files.writeString(file, "# the key of 2026\n\n" + Files.readString(file) + "\n");
        assertThat(SealedSecret.open(sealed, keys())).isEqualTo("x");
        assertThat(keys()).hasToString("keys " + keys().ids());
    }
}
