package dev.lychgate.identity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiKeysTest {
    static final String KEY = "lgk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    static final String OTHER = "lgk_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

    @TempDir
    Path home = Path.of("");

    /** The digest as {@code sha256sum} prints it. */
    static String digest(String key) throws Exception {
        return "sha256:"
                + HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
    }

    private ApiKeys read(String... lines) throws Exception {
        Path file = Files.writeString(home.resolve("keys.txt"), String.join("\n", lines) + "\n");
        return ApiKeys.read(file.toString());
    }

    private void refused(String expected, String... lines) {
        assertThatThrownBy(() -> read(lines))
                .isInstanceOf(ConfigException.class)
                .hasMessage("file: " + home.resolve("keys.txt") + ": line " + lines.length + " (expected: " + expected
                        + ")");
    }

    @Test
    void findsAKeyByItsDigest() throws Exception {
        ApiKeys keys = read(
                "# keys of orders",
                digest(KEY) + "  id=orders-1 owner=orders tier=gold roles=[read,write]",
                digest(OTHER).replace("sha256:", "").toUpperCase(Locale.ROOT).transform("sha256:"::concat)
                        + " id=orders-2 owner=orders");
        ApiKey key = requireNonNull(keys.find(KEY));
        assertThat(key.identity().scheme()).isEqualTo("api-key");
        assertThat(key.identity().subject()).isEqualTo("orders");
        assertThat(key.identity().claims())
                .isEqualTo(Map.of(
                        "sub", "orders", "key_id", "orders-1", "tier", "gold", "roles", List.of("read", "write")));
        assertThat(requireNonNull(keys.find(OTHER)).id())
                .as("a second key of the same owner")
                .isEqualTo("orders-2");
        assertThat(keys.find(KEY.toUpperCase(Locale.ROOT))).isNull();
    }

    @Test
    void knowsWhenAKeyIsValid() throws Exception {
        ApiKeys keys = read(
                digest(KEY) + " id=a owner=x not-before=2027-01-01 expires=2027-02-01T12:00:00Z",
                digest(OTHER) + " id=b owner=x");
        ApiKey key = requireNonNull(keys.find(KEY));
        assertThat(refusal(key, "2026-12-31T23:59:59.999Z")).isEqualTo("the API key is not valid yet");
        assertThat(refusal(key, "2027-01-01T00:00:00Z")).isEqualTo("valid");
        assertThat(refusal(key, "2027-02-01T11:59:59.999Z")).isEqualTo("valid");
        assertThat(refusal(key, "2027-02-01T12:00:00Z")).isEqualTo("the API key has expired");
        assertThat(refusal(requireNonNull(keys.find(OTHER)), "9999-01-01T00:00:00Z"))
                .isEqualTo("valid");
    }

    private static String refusal(ApiKey key, String time) {
        String refusal = key.refusal(Instant.parse(time).toEpochMilli());
        return refusal == null ? "valid" : refusal;
    }

    /** A digest of a short text in the file has no effect: the text could be found from its digest. */
    @Test
    void looksUpNoShortNorLongNorInvisibleText() throws Exception {
        String shortest = "k".repeat(24);
        String longest = "k".repeat(256);
        for (String good : List.of(shortest, longest)) {
            assertThat(read(digest(good) + " id=a owner=x").find(good)).isNotNull();
        }
        for (String bad : List.of(
                "",
                "k",
                "k".repeat(23),
                "k".repeat(257),
                shortest + " ",
                " " + shortest,
                shortest + "\t",
                shortest + "\0",
                shortest + "\u00a0",
                shortest + "\u200b",
                shortest + "é",
                shortest + "\uff4b",
                shortest + "\u007f")) {
            assertThat(read(digest(bad) + " id=a owner=x").find(bad)).as(bad).isNull();
        }
    }

    @Test
    void refusesMalformedLinesWithoutRepeatingThem() throws Exception {
        String form = "sha256: and the digest of a key in 64 hexadecimal digits";
        refused(form, KEY + " id=a owner=x");
        refused(form, "sha256:" + KEY + " id=a owner=x");
        refused(form, digest(KEY) + "0 id=a owner=x");
        refused(form, digest(KEY).replace("sha256", "md5") + " id=a owner=x");
        refused("the field id", digest(KEY) + " owner=x");
        refused("the field owner", "# first", digest(KEY) + " id=a");
        refused("the field owner", digest(KEY) + " id=a owner=\" \"");
        refused("a single text as the value of id", digest(KEY) + " id=[a,b] owner=x");
        refused("a name other than sub, which the gateway sets itself", digest(KEY) + " id=a owner=x sub=y");
        refused("a name other than key_id, which the gateway sets itself", digest(KEY) + " id=a owner=x key_id=y");
        refused(
                "a time for expires that is later than not-before",
                digest(KEY) + " id=a owner=x not-before=2027-01-01 expires=2027-01-01");
        for (String time : List.of("2027-02-30", "2027", "tomorrow", "2027-01-01T00:00:00", "+99999999999-01-01")) {
            refused(
                    "for expires, a date, 2027-01-31, or a time in UTC, 2027-01-31T12:00:00Z",
                    digest(KEY) + " id=a owner=x expires=" + time);
        }
    }

    @Test
    void refusesAKeyOrAnIdTwice() throws Exception {
        refused(
                "a key that differs from the key of line 1",
                digest(KEY) + " id=a owner=x",
                digest(KEY) + " id=b owner=y");
        refused(
                "an id that differs from the id of line 1",
                digest(KEY) + " id=a owner=x",
                digest(OTHER) + " id=a owner=x");
    }

    @Test
    void comparesAllBitsOfDigests() throws Exception {
        KeyDigest digest = KeyDigest.of(KEY.getBytes(StandardCharsets.US_ASCII));
        assertThat(KeyDigest.parse(digest(KEY).substring(7))).isEqualTo(digest).hasSameHashCodeAs(digest);
        assertThat(List.of(
                        new KeyDigest(digest.a() ^ 1, digest.b(), digest.c(), digest.d()),
                        new KeyDigest(digest.a(), digest.b() ^ 1, digest.c(), digest.d()),
                        new KeyDigest(digest.a(), digest.b(), digest.c() ^ 1, digest.d()),
                        new KeyDigest(digest.a(), digest.b(), digest.c(), digest.d() ^ 1)))
                .doesNotContain(digest);
        byte[] bytes = KEY.getBytes(StandardCharsets.US_ASCII);
        KeyDigest.Secret secret = new KeyDigest.Secret();
        assertThat(secret.of(bytes)).isEqualTo(secret.of(bytes)).isNotEqualTo(digest);
        assertThat(new KeyDigest.Secret().of(bytes)).isNotEqualTo(secret.of(bytes));
    }
}
