package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Http2Answer;
import dev.lychgate.testing.RawMessage;

/** What an error answer of the gateway's own looks like. */
final class Problems {
    private Problems() {}

    /** Fails unless {@code answer} says {@code kind} with {@code status}, as a problem of RFC 9457. */
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
