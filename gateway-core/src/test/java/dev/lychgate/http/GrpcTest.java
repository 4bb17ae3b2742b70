package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recognition of gRPC calls, and their timeouts. */
class GrpcTest {
    @ParameterizedTest
    @ValueSource(strings = {"application/grpc", "application/grpc+proto", "application/grpc;x=y", "Application/GRPC"})
    void isACall(String type) {
        assertThat(Grpc.is(type)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/grpc-web", "application/grpc-web+proto", "application/json", "", "application/grp"})
    void isNoCall(String type) {
        assertThat(Grpc.is(type)).isFalse();
        assertThat(Grpc.is(null)).isFalse();
    }

    @Test
    void messagesArePercentEncoded() {
        String message = "1+1 = 2 & 100% é";
        assertThat(Grpc.encoded(message)).isEqualTo("1+1 = 2 & 100%25 %C3%A9");
        assertThat(Grpc.decoded(Grpc.encoded(message))).isEqualTo(message);
    }

    @Test
    void timeoutsHaveAUnit() {
        assertThat(Grpc.timeout("2H")).isEqualTo(TimeUnit.HOURS.toNanos(2));
        assertThat(Grpc.timeout("2M")).isEqualTo(TimeUnit.MINUTES.toNanos(2));
        assertThat(Grpc.timeout("02S")).isEqualTo(TimeUnit.SECONDS.toNanos(2));
        assertThat(Grpc.timeout("99999999m")).isEqualTo(TimeUnit.MILLISECONDS.toNanos(99_999_999));
        assertThat(Grpc.timeout("2u")).isEqualTo(2000);
        assertThat(Grpc.timeout("0n")).isZero();
        assertThat(Grpc.timeout("99999999H")).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "S", "5", "5s", "-5S", "+5S", "5 S", "123456789S", "5SS", "\u0665S"})
    void ignoresMalformedTimeouts(String value) {
        assertThat(Grpc.timeout(value)).isEqualTo(Long.MAX_VALUE);
    }
}
