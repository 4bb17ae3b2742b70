package dev.lychgate.generation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages that may open a WebSocket. */
class OriginCheckTest {
    private static boolean allows(String origins, boolean require, String host, String... given) {
        List<String> list = origins.isEmpty() ? List.of() : Arrays.asList(origins.split(" ", -1));
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        for (String origin : given) {
            headers.add("Origin", origin);
        }
        WebSocketConfig config = new WebSocketConfig(list, require, Duration.ZERO, Duration.ZERO, 1);
        return new OriginCheck(config).refusal(new RequestHead(HttpMethod.GET, false, "/", null, host, headers))
                == null;
    }

    @ParameterizedTest
    @CsvSource({
        "'', a.example, http://a.example, true",
        "'', a.example, https://a.example, true",
        "'', A.example, https://a.EXAMPLE, true",
        "'', a.example:443, https://a.example, true",
        "'', a.example:80, http://a.example, true",
        "'', a.example:8443, https://a.example:8443, true",
        "'', a.example:8443, https://a.example, false",
        "'', a.example, https://a.example.evil.example, false",
        "'', a.example, https://evil.example/a.example, false",
        "'', a.example, null, false",
        "'', '', http://, false",
        "https://b.example, a.example, https://b.example, true",
        "https://b.example, a.example, http://b.example, false",
        "https://b.example, a.example, https://a.example, false",
        "https://b.example https://c.example, a.example, https://c.example, true",
        "https://*.b.example, a.example, https://x.b.example, true",
        "https://*.b.example, a.example, https://x.y.b.example, true",
        "https://*.b.example, a.example, https://b.example, false",
        "https://*.b.example, a.example, https://.b.example, false",
        "https://*.b.example, a.example, https://evilb.example, false",
        "https://*.b.example, a.example, https://evil.example/.b.example, false",
        "https://*.b.example, a.example, https://evil.example:1@x.b.example, false",
        "https://*.b.example, a.example, https://evil.example#.b.example, false",
        "https://*.b.example, a.example, https://evil.example?.b.example, false",
        "https://*.b.example:8443, a.example, https://x.b.example:8443, true",
        "https://*.b.example:8443, a.example, https://x.b.example, false",
        "null, a.example, null, true",
        "*, a.example, https://anything.example, true",
        "*, a.example, null, true"
    })
    void isTheOriginAllowed(String origins, String host, String given, boolean allowed) {
        assertThat(allows(origins, false, host, given)).isEqualTo(allowed);
    }

    @Test
    void requestsWithoutAnOriginPassUnlessOneIsRequired() {
        assertThat(allows("https://b.example", false, "a.example")).isTrue();
        assertThat(allows("https://b.example", true, "a.example")).isFalse();
    }

    @Test
    void twoOfThemAreOneTooMany() {
        assertThat(allows("*", false, "a.example", "https://a.example", "https://a.example"))
                .isFalse();
    }
}
