package dev.lychgate.filters.builtin;

import static dev.lychgate.filters.builtin.Filtered.onRoute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bodies that {@code size-limit} accepts, and the time of a rejection. */
class SizeLimitTest {
    private static final FilterSet TEN_BYTES = onRoute("size-limit", Map.of("limit", new ByteSize(10)));

    @Test
    void acceptsBodiesWithinTheLimit() throws Exception {
        try (Filtered way = Filtered.by(TEN_BYTES)) {
            assertThat(way.get("/").status()).isEqualTo(200);
            way.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789");
            assertThat(way.client().readResponse().status()).isEqualTo(200);
            way.client()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Digest: x=:AAAA:\r\n\r\n"
                            + "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n");
            assertThat(way.client().readResponse().status()).isEqualTo(200);
            assertThat(way.received().body()).isEqualTo("0123456789");
            assertThat(way.received().value("content-digest")).hasValue("x=:AAAA:");
        }
    }

    @Test
    void rejectsALongerDeclaredLengthAtOnce() throws Exception {
        try (Filtered way = Filtered.by(TEN_BYTES)) {
            way.client().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n");
            RawMessage response = way.client().readResponse();
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.body()).contains("body-too-large").contains("longer than 10B");
            assertThat(way.client().interimResponses()).isEmpty();
            assertThat(way.origin.requests()).isEmpty();
        }
    }

    @Test
    void rejectsABodyWhenItExceedsTheLimit() throws Exception {
        // The origin connection is closed, whatever part of the request the origin received.
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::awaitEnd);
        try (Filtered way = new Filtered(origin, TEN_BYTES)) {
            way.client().send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n");
            way.client().send("6\r\n567890\r\n");
            assertThat(way.client().readResponse().status()).isEqualTo(413);
            assertThat(way.origin.requests()).as("whole requests").isEmpty();
        }
    }
}
