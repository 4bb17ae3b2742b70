package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import io.netty.handler.codec.http.HttpMethod;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a request that met a dead pooled connection is sent once more. */
class StaleConnectionRuleTest {
    @ParameterizedTest
    @CsvSource({
        "IF_REUSED,   true,  1, GET,  false, true",
        "IF_REUSED,   false, 1, GET,  false, false",
        "IF_REUSED,   true,  2, GET,  false, false",
        "IF_REUSED,   true,  1, PUT,  true,  false",
        "IF_REUSED,   true,  1, PUT,  false, true",
        "IF_REUSED,   true,  1, POST, false, false",
        "NEVER,       true,  1, GET,  false, false",
        "UNPROCESSED, true,  1, GET,  false, false"
    })
    void everyConditionMustHold(
            Retry retry, boolean reused, int attempts, String method, boolean bodyBegun, boolean again) {
        GatewayError error = GatewayError.upstream(ErrorKind.ORIGIN_RESET, retry, "closed");
        assertThat(StaleConnectionRule.sendsAgain(error, reused, attempts, HttpMethod.valueOf(method), bodyBegun))
                .isEqualTo(again);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"})
    void theseMethodsAreIdempotent(String method) {
        assertThat(StaleConnectionRule.isIdempotent(HttpMethod.valueOf(method))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "CONNECT", "get", "PROPFIND", "X"})
    void othersAreNotAndUnknownOnesAreNotTrusted(String method) {
        assertThat(StaleConnectionRule.isIdempotent(HttpMethod.valueOf(method))).isFalse();
    }
}
