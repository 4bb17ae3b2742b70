package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawMessage;

/** The form of the gateway's error responses. */
final class Problems {
    private Problems() {}

    /** Fails unless {@code response} is a problem of RFC 9457 with {@code kind} and {@code status}. */
    static void assertProblem(RawMessage response, int status, ErrorKind kind) {
        assertThat(response.body()).contains("\"urn:lychgate:problem:" + kind.label() + "\"");
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.value("content-type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"status\":" + status).contains("\"request-id\":\"");
    }

    /** Works like {@link #assertProblem(RawMessage, int, ErrorKind)}, over HTTP/2. */
    static void assertProblem(Http2Response response, int status, ErrorKind kind) {
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.value("content-type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"urn:lychgate:problem:" + kind.label() + "\"");
    }
}
