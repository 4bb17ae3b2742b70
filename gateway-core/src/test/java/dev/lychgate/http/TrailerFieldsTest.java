package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Rfc;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The permitted fields of a trailer section (RFC 9110, 6.5.1). */
class TrailerFieldsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "X-Forwarded-For",
                "x-forwarded-anything",
                "Forwarded",
                "Via",
                "X-Request-Id",
                "Authorization",
                "X_Real_IP",
                "X-Real-IP-2",
                "X_Request_Id",
                "Forwarded-For",
                "X-Original-URL",
                "x_rewrite_url",
                "Proxy",
                "X-Lychgate-Trace",
                "Content_Length",
                "Cookie",
                "Set-Cookie",
                "Expect",
                "Transfer-Encoding",
                "Content-Length",
                "Connection",
                "Keep-Alive",
                "Proxy_Connection",
                "Upgrade",
                "Proxy-Authenticate",
                "Proxy-Authorization",
                "TE"
            })
    @Rfc("9110, 6.5.1")
    void takesOffWhatDecidesFramingRoutingOrIdentity(String name) {
        DefaultHttpHeaders trailers = new DefaultHttpHeaders();
        trailers.add(name, "a").add(name, "b").add("x-checksum", "1");

        TrailerFields.strip(trailers, List.of());

        assertThat(trailers.names()).containsExactly("x-checksum");
    }

    @Test
    @Rfc("9110, 7.6.1")
    void removesFieldsThatConnectionNames() {
        DefaultHttpHeaders trailers = new DefaultHttpHeaders();
        trailers.add("X-A", "1").add("x-b", "2").add("X_A", "3").add("x-checksum", "4");

        TrailerFields.strip(trailers, List.of("close", "x-a , X-B"));

        assertThat(trailers.names()).containsExactlyInAnyOrder("X_A", "x-checksum");
    }

    @Test
    @Rfc("9110, 6.5.1")
    void keepsPermittedTrailers() {
        DefaultHttpHeaders trailers = new DefaultHttpHeaders();
        trailers.add("Server-Timing", "db;dur=5").add("Digest", "x").add("Grpc-Status", "0");

        TrailerFields.strip(trailers, List.of());

        assertThat(trailers.names()).containsExactlyInAnyOrder("Server-Timing", "Digest", "Grpc-Status");
    }
}
