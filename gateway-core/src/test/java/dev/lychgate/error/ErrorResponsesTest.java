package dev.lychgate.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of failure has a status and a problem body that is valid JSON and reveals no internals. */
class ErrorResponsesTest {
    private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\\\x00-\\x1f]|\\\\u[0-9a-f]{4})*\"");
    private static final Pattern PROBLEM = Pattern.compile("\\{\"type\":S,\"title\":S,\"status\":\\d{3},\"detail\":S,"
            .concat("\"request-id\":S}\n")
            .replace("S", STRING.pattern()));

    private static String body(GatewayError error) {
        ByteBuf body = ErrorResponses.body(error, "0123456789abcdef");
        try {
            return body.toString(StandardCharsets.UTF_8);
        } finally {
            body.release();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyKindHasAStatusAndAProblemBody(ErrorKind kind) {
        GatewayError error = GatewayError.local(kind, "a sentence");
        String body = body(error);
        ResponseHead head = ErrorResponses.head(error, body.length());
        assertThat(head.status()).isBetween(400, 505).isEqualTo(kind.status());
        assertThat(head.framing()).isEqualTo(BodyFraming.LENGTH);
        assertThat(head.contentLength()).isEqualTo(body.length());
        assertThat(head.headers().get("content-type")).isEqualTo("application/problem+json");
        assertThat(head.headers().get("cache-control")).isEqualTo("no-store");
        assertThat(head.headers().contains("retry-after")).isEqualTo(head.status() == 503 || head.status() == 429);
        assertThat(head.headers().contains("allow")).isEqualTo(head.status() == 405);
        assertThat(body)
                .matches(PROBLEM)
                .contains("\"urn:lychgate:problem:" + kind.label() + "\"")
                .contains("\"status\":" + head.status())
                .contains("0123456789abcdef");
    }

    @Test
    void aSentenceWithQuotesControlsOrForeignLettersStaysValidJson() {
        String body = body(GatewayError.downstream(ErrorKind.BAD_PATH, "not \"this\" \\ way\r\n\u00e4\u4e2d"));
        assertThat(body).matches(PROBLEM).contains("not \\u0022this\\u0022 \\u005c way\\u000d\\u000a\\u00e4\\u4e2d");
    }

    @Test
    void anInternalErrorRevealsNoDetails() {
        String body = body(GatewayError.internal("filter secret-name failed", new IllegalStateException("why")));
        assertThat(body).doesNotContain("secret-name").doesNotContain("why").doesNotContain("Exception");
    }
}
