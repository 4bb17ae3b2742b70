package dev.lychgate.route;

import static dev.lychgate.route.Requests.get;
import static dev.lychgate.route.Requests.redirecting;
import static dev.lychgate.route.Requests.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.lychgate.http.RequestHead;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectTest {
    @ParameterizedTest
    @CsvSource({
        "'https://{host}{path}{query}', a.example:8080/x/y?z=1, https://a.example/x/y?z=1",
        "'https://{host}{path}{query}', a.example/x, https://a.example/x",
        "'https://{host}:8443{path}', '[::1]:80/x', 'https://[::1]:8443/x'",
        "'{path}{query}', a.example/x?, /x?",
        "https://new.example/, a.example/x, https://new.example/",
        "'https://new.example/{path}', a.example/x, https://new.example/x",
        "'/{path}', a.example/evil.example, /evil.example",
        "'{path}/x', a.example/, /x"
    })
    void theLocationIsFilledFromTheRequest(String location, String target, String expected) {
        assertThat(compile(location).location(get(target))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"//evil.example/x", "///evil.example/x", "/\\evil.example/x", "\\\\evil.example/x"})
    void aPathNeverBecomesTheAuthority(String path) {
        RequestHead head = get("a.example/");
        head.path(path);
        for (String location : List.of("{path}", "/{path}", "{path}{query}")) {
            assertThat(compile(location).location(head)).isEqualTo("/evil.example/x");
        }
    }

    @Test
    void theRequestCannotInjectFields() {
        RequestHead head = get("a.example/");
        head.path("/a\r\nSet-Cookie: x");
        head.query("b\nc\u00e9\u2025");
        assertThat(compile("{path}{query}").location(head)).isEqualTo("/a%0D%0ASet-Cookie:%20x?b%0Ac%E9%E2%80%A5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ":80", "a b", "a\r\nx: y", "evil.example#", "user@evil.example", "evil.example\\", "a%2e"})
    void aHostThatIsNoneIsNotRepeated(String host) {
        RequestHead head = get("a.example/x");
        head.host(host);
        assertThat(compile("https://{host}{path}").location(head)).isNull();
        assertThat(compile("https://new.example{path}").location(head)).isEqualTo("https://new.example/x");
    }

    @Test
    void aRouteThatIsNoRedirectHasNoLocation() {
        Route route = RouteTable.build(List.of(route("r", "/x"))).routes().get(0);
        assertThatIllegalStateException().isThrownBy(() -> route.location(get("/x")));
    }

    private static Route compile(String location) {
        return RouteTable.build(List.of(redirecting(location))).routes().get(0);
    }
}
