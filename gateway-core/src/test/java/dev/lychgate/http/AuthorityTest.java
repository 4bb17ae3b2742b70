package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Rfc;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {
    @ParameterizedTest
    @ValueSource(strings = {"a.test", "a.test:8080", "a.test:", "192.0.2.1", "[::1]", "[::1]:8443", "[2001:db8::1]"})
    void acceptsHostsWithAndWithoutAPort(String host) {
        assertThat(Authority.isValid(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[::1%25eth0]",
                "[::1%25a@evil]",
                "[::1%a,b]",
                "[::1%#x]",
                "[::1%25a/b]",
                "[::1%25a:80]",
                "[::1% x]",
                "[::%0a]",
                "a%2etest"
            })
    @Rfc("3986, 3.2.2")
    void rejectsPercentSignsInsideAndOutsideBrackets(String host) {
        assertThat(Authority.isValid(host)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":80", "a b", "u@a", "a,b", "a:99999", "a:8x", "[::1", "[::1/a]", "[a.test]"})
    void rejectsTextThatIsNoHost(String host) {
        assertThat(Authority.isValid(host)).isFalse();
    }
}
