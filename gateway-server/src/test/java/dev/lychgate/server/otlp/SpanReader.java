package dev.lychgate.server.otlp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads an {@code ExportTraceServiceRequest} and its equal for logs as a collector does, field by field, by the published numbers of its fields. */
final class SpanReader {
    /** A received span. */
    record Span(
            String trace,
            String id,
            String parent,
            String state,
            String name,
            int kind,
            long start,
            long end,
            Map<String, Object> attributes,
            List<Event> events,
            int status) {
        boolean isServer() {
            return kind == 2;
        }

        Object attribute(String key) {
            return Objects.requireNonNull(attributes.get(key), () -> key + " is not among " + attributes);
        }
    }

    record Event(String name, long time, Map<String, Object> attributes) {}

    /** A received log record. */
    record LogRecord(
            String event, long time, long observed, int severity, Object body, Map<String, Object> attributes) {}

    private final Map<Integer, List<Object>> fields = new TreeMap<>();

    /** @param message one message: numbers, including fixed ones, as they are; all other fields as bytes */
    private SpanReader(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long tag = varint(in);
            Object value = switch ((int) (tag & 7)) {
                case 0 -> varint(in);
                case 1 -> in.getLong();
                case 2 -> {
                    byte[] bytes = new byte[(int) varint(in)];
                    in.get(bytes);
                    yield bytes;
                }
                default -> throw new IllegalArgumentException("a field of wire type " + (tag & 7));
            };
            fields.computeIfAbsent((int) (tag >>> 3), n -> new ArrayList<>()).add(value);
        }
    }

    private static long varint(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private List<SpanReader> messages(int field) {
        return fields.getOrDefault(field, List.of()).stream()
                .map(bytes -> new SpanReader((byte[]) bytes))
                .toList();
    }

    private byte[] bytes(int field) {
        List<Object> all = fields.getOrDefault(field, List.of());
        return all.isEmpty() ? new byte[0] : (byte[]) all.get(0);
    }

    private String text(int field) {
        return new String(bytes(field), StandardCharsets.UTF_8);
    }

    private long number(int field) {
        List<Object> all = fields.getOrDefault(field, List.of());
        return all.isEmpty() ? 0 : (Long) all.get(0);
    }

    private Map<String, Object> attributes(int field) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        for (SpanReader pair : messages(field)) {
            attributes.put(pair.text(1), pair.messages(2).get(0).value());
        }
        return attributes;
    }

    /** Returns the value of an {@code AnyValue}. */
    private Object value() {
        int kind = fields.keySet().iterator().next();
        return switch (kind) {
            case 1 -> text(1);
            case 2 -> number(2) == 1;
            case 3 -> number(3);
            case 4 -> Double.longBitsToDouble(number(4));
            case 5 ->
                messages(5).get(0).messages(1).stream().map(SpanReader::value).toList();
            case 6 -> messages(6).get(0).attributes(1);
            default -> throw new IllegalArgumentException("a value of kind " + kind);
        };
    }

    private static Span span(SpanReader message) {
        HexFormat hex = HexFormat.of();
        return new Span(
                hex.formatHex(message.bytes(1)),
                hex.formatHex(message.bytes(2)),
                hex.formatHex(message.bytes(4)),
                message.text(3),
                message.text(5),
                (int) message.number(6),
                message.number(7),
                message.number(8),
                message.attributes(9),
                message.messages(11).stream()
                        .map(event -> new Event(event.text(2), event.number(1), event.attributes(3)))
                        .toList(),
                message.messages(15).stream()
                        .mapToInt(status -> (int) status.number(3))
                        .findFirst()
                        .orElse(0));
    }

    private static LogRecord log(SpanReader message) {
        return new LogRecord(
                message.text(12),
                message.number(1),
                message.number(11),
                (int) message.number(2),
                message.messages(5).get(0).value(),
                message.attributes(6));
    }

    private static Stream<SpanReader> items(byte[] request) {
        return new SpanReader(request)
                .messages(1).stream()
                        .flatMap(resource -> resource.messages(2).stream())
                        .flatMap(scope -> scope.messages(2).stream());
    }

    /** Returns all spans of a request. */
    static List<Span> spans(byte[] request) {
        return items(request).map(SpanReader::span).toList();
    }

    /** Returns all log records of an {@code ExportLogsServiceRequest}. */
    static List<LogRecord> logs(byte[] request) {
        return items(request).map(SpanReader::log).toList();
    }

    /** Returns the resource attributes of a request. */
    static Map<String, Object> resource(byte[] request) {
        return new SpanReader(request).messages(1).get(0).messages(1).get(0).attributes(1);
    }
}
