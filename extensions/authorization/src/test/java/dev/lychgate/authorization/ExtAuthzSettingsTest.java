package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ByteSize;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ExtAuthzSettingsTest {
    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(Map.of("upstream-headers", List.of("Host")), "upstream-headers: host"),
                Arguments.of(
                        Map.of("upstream-headers", List.of("transfer-encoding")),
                        "upstream-headers: transfer-encoding"),
                Arguments.of(
                        Map.of("upstream-headers", List.of("X-Forwarded-For")), "upstream-headers: x-forwarded-for"),
                Arguments.of(Map.of("upstream-headers", List.of("x_real_ip")), "upstream-headers: x_real_ip"),
                Arguments.of(Map.of("upstream-headers", List.of("*")), "upstream-headers: *"),
                Arguments.of(Map.of("client-headers", List.of("content-length")), "client-headers: content-length"),
                Arguments.of(Map.of("request-headers", List.of("*", "cookie")), "request-headers: [*, cookie]"),
                Arguments.of(Map.of("request-headers", List.of("te")), "request-headers: te"),
                Arguments.of(Map.of("protocol", "grpc", "path", "/check"), "path: /check"),
                Arguments.of(Map.of("context", Map.of("a", "b")), "context: {a=b}"),
                Arguments.of(
                        Map.of("cache-by", List.of("path"), "with-request-body", ByteSize.parse("1KiB")),
                        "cache-by: [path]"),
                Arguments.of(
                        Map.of(
                                "with-request-body", ByteSize.parse("8KiB"),
                                "long-body", "truncate",
                                "body-buffer", ByteSize.parse("4KiB")),
                        "body-buffer: 4KiB"),
                Arguments.of(Map.of("cache-by", List.of("header:")), "method, host, path, query"),
                Arguments.of(Map.of("cache-by", List.of("paths")), "method, host, path, query"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesContradictionsAndFieldsOfTheGateway(Map<String, Object> settings, String message) {
        assertThatThrownBy(() -> Guarded.settings(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
