package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Http2Answer;
import dev.lychgate.testing.RawMessage;

/** The form of the gateway's error responses. */
final class Problems {
    private Problems() {}

    /** Fails unless {@code answer} is a problem of RFC 9457 with {@code kind} and {@code status}. */
    static void assertProblem(RawMessage answer, int status, ErrorKind kind) {
        assertThat(answer.body()).contains("\"urn:lychgate:problem:" + kind.label() + "\"");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.value("content-type")).contains("application/problem+json");
        assertThat(answer.body()).contains("\"status\":" + status).contains("\"request-id\":\"");
    }

    /** As {@link #assertProblem(RawMessage, int, ErrorKind)}, over HTTP/2. */
    static void assertProblem(Http2Answer answer, int status, ErrorKind kind) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.value("content-type")).contains("application/problem+json");
        assertThat(answer.body()).contains("\"urn:lychgate:problem:" + kind.label() + "\"");
    }
}
