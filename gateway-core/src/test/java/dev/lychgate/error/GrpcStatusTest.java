package dev.lychgate.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.ResponseHead;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of failure has a gRPC status, in a head that is the complete response. */
class GrpcStatusTest {
    @ParameterizedTest
    @EnumSource
    void everyKindIsAFailureToClientsOfGrpcToo(ErrorKind kind) {
        ResponseHead head = GrpcStatus.head(GatewayError.local(kind, "a sentence"));
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.framing()).isEqualTo(BodyFraming.LENGTH);
        assertThat(head.contentLength()).isZero();
        assertThat(head.headers().get("content-type")).isEqualTo("application/grpc");
        assertThat(Integer.parseInt(head.headers().get("grpc-status")))
                .isBetween(1, 16)
                .isEqualTo(GrpcStatus.code(kind));
    }

    @Test
    void statusesAreWhatClientsActUpon() {
        Map<ErrorKind, Integer> expected = Map.of(
                ErrorKind.NO_ROUTE, 12,
                ErrorKind.NO_ENDPOINT, 14,
                ErrorKind.CIRCUIT_OPEN, 14,
                ErrorKind.CONNECT_REFUSED, 14,
                ErrorKind.ORIGIN_RESET, 14,
                ErrorKind.RESPONSE_TIMEOUT, 4,
                ErrorKind.EXCHANGE_TIMEOUT, 4,
                ErrorKind.BODY_TOO_LARGE, 8,
                ErrorKind.MALFORMED_REQUEST, 13,
                ErrorKind.DRAINING, 14);
        assertThat(GrpcStatus.code(ErrorKind.ORIGIN_CANCELLED)).isEqualTo(1);
        expected.forEach((kind, code) ->
                assertThat(GrpcStatus.code(kind)).as(kind.label()).isEqualTo(code));
    }

    @Test
    void encodesBytesThatAreNotVisibleAscii() {
        assertThat(Grpc.encoded("100 %, \u00e4\n")).isEqualTo("100 %25, %C3%A4%0A");
    }

    @Test
    void internalErrorsRevealNoDetails() {
        ResponseHead head = GrpcStatus.head(GatewayError.internal("filter x broke", null));
        assertThat(head.headers().get("grpc-message")).isEqualTo("the gateway failed to handle the request");
    }
}
