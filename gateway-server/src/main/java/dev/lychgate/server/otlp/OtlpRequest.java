package dev.lychgate.server.otlp;

import java.util.List;
import java.util.Map;

/**
 * Encodes OTLP export requests. Requests for traces, metrics and logs have the same form: one resource, one scope, and
 * the items of the scope.
 *
 * @see <a href="https://github.com/open-telemetry/opentelemetry-proto">OpenTelemetry protocol: messages</a>
 */
public final class OtlpRequest {
    private OtlpRequest() {}

    /**
     * Returns an encoded {@code ExportTraceServiceRequest}, {@code ExportMetricsServiceRequest} or
     * {@code ExportLogsServiceRequest}.
     *
     * @param items messages of type {@code Span}, {@code Metric} or {@code LogRecord}
     */
    public static byte[] of(Map<String, String> resource, String version, List<ProtoMessage> items) {
        ProtoMessage attributes = new ProtoMessage();
        resource.forEach((name, value) -> attributes.attribute(1, name, value));
        ProtoMessage scope = new ProtoMessage()
                .message(1, new ProtoMessage().text(1, "dev.lychgate").text(2, version));
        items.forEach(item -> scope.message(2, item));
        return new ProtoMessage()
                .message(1, new ProtoMessage().message(1, attributes).message(2, scope))
                .bytes();
    }
}
