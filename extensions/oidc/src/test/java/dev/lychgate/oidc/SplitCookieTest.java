package dev.lychgate.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SplitCookieTest {
    private final SplitCookie cookie = SplitCookie.of("s", true, 3);

    private static Map<String, String> pairs(List<String> fields) {
        Map<String, String> pairs = new HashMap<>();
        fields.forEach(field -> {
            String pair = field.split(";", 2)[0];
            pairs.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        });
        return pairs;
    }

    @Test
    void storesAShortValueInOneCookieOfThisHostOnly() {
        assertThat(cookie.write("abc", Set.of()))
                .containsExactly("__Host-s=1.abc; Path=/; HttpOnly; SameSite=Lax; Secure");
        assertThat(SplitCookie.of("s", false, 3).write("abc", Set.of()))
                .as("without TLS, browsers accept neither Secure nor __Host-")
                .containsExactly("s=1.abc; Path=/; HttpOnly; SameSite=Lax");
    }

    @Test
    void splitsALongValueIntoCookiesThatBrowsersAccept() {
        for (int length : List.of(1, 3_800, 3_801, 7_600, 11_400)) {
            String value = "x".repeat(length - 1) + "y";
            List<String> fields = cookie.write(value, Set.of());
            assertThat(fields).hasSize((length + 3_799) / 3_800).allMatch(field -> field.length() < 4_096);
            assertThat(cookie.fits(value)).isTrue();
            assertThat(cookie.read(pairs(fields))).isEqualTo(value);
        }
        assertThat(cookie.fits("x".repeat(11_401))).isFalse();
    }

    @Test
    void removesThePartsOfALongerValueThatTheBrowserHas() {
        Set<String> present = Set.of("__Host-s", "__Host-s.1", "__Host-s.2", "other");
        assertThat(cookie.write("x".repeat(4_000), present))
                .hasSize(3)
                .endsWith("__Host-s.2=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
        assertThat(cookie.remove(present)).hasSize(3).allMatch(field -> field.contains("Max-Age=0"));
        assertThat(cookie.remove(Set.of("other"))).isEmpty();
    }

    @Test
    void readsNoValueThatIsIncompleteOrTooLong() {
        String part = "x".repeat(3_800);
        assertThat(cookie.read(Map.of())).isNull();
        for (String first : List.of("", "1", "x", "0.x", "4.x", "9.x", "-.x", "12.x", ".x", "1." + part + "x")) {
            assertThat(cookie.read(Map.of("__Host-s", first, "__Host-s.1", "y", "__Host-s.2", "z")))
                    .as(first)
                    .isNull();
        }
        assertThat(cookie.read(Map.of("__Host-s", "2.x"))).isNull();
        assertThat(cookie.read(Map.of("__Host-s", "2.x", "__Host-s.1", part + "x")))
                .isNull();
        assertThat(cookie.read(Map.of("s", "1.x"))).as("without its prefix").isNull();
    }

    @Test
    void ownsItsPartsAndLoginsButNoOtherCookie() {
        assertThat(List.of("__Host-s", "__Host-s.1", "__Host-s.login.00")).allMatch(cookie::owns);
        assertThat(List.of("s", "__Host-s2", "__Host-session", "x__Host-s")).noneMatch(cookie::owns);
    }
}
