package dev.lychgate.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnPathTest {
    @ParameterizedTest
    @ValueSource(strings = {"/", "/a/b?c=d&e=//f", "/a//b", "/%2Fevil.test", "/@evil.test", "/a#b"})
    void keepsPathsOfTheSameOrigin(String path) {
        assertThat(ReturnPath.safe(path)).isEqualTo(path);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "//evil.test",
                "///evil.test",
                "/\\evil.test",
                "\\\\evil.test",
                "/a\\..\\b",
                "https://evil.test/",
                "https:evil.test",
                "javascript:alert(1)",
                "evil.test",
                " /a",
                "/\t/evil.test",
                "/\n/evil.test",
                "/\r\nSet-Cookie: a=b",
                "/\u0000",
                "/a b",
                "/a\"b",
                "/\u00e4",
                "/\u2028"
            })
    void replacesAllOthersByTheHomePage(String path) {
        assertThat(ReturnPath.safe(path)).isEqualTo("/");
    }

    @ParameterizedTest
    @ValueSource(ints = {2_000, 2_001})
    void keepsPathsOfAtMost2000Characters(int length) {
        String path = "/" + "a".repeat(length - 1);
        assertThat(ReturnPath.safe(path)).isEqualTo(length > 2_000 ? "/" : path);
    }
}
