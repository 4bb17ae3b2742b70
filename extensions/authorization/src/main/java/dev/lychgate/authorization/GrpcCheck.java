package dev.lychgate.authorization;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.Grpc;
import dev.lychgate.tls.ClientCertificate;
import dev.lychgate.tls.TlsSession;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks requests with the gRPC method {@code envoy.service.auth.v3.Authorization/Check}.
 *
 * @see <a
 *     href="https://www.envoyproxy.io/docs/envoy/latest/api-v3/service/auth/v3/attribute_context.proto">attribute_context.proto</a>
 */
final class GrpcCheck implements AuthorizationCheck {
    private static final String PATH = "/envoy.service.auth.v3.Authorization/Check";
    private static final int PREFIX = 5;

    private final ExtAuthzSettings settings;

    GrpcCheck(ExtAuthzSettings settings) {
        this.settings = settings;
    }

    @Override
    public FilterCall call(FilterExchange exchange, byte[] body, boolean truncated) {
        byte[] message = message(exchange, body, truncated).toByteArray();
        byte[] frame = ByteBuffer.allocate(PREFIX + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
        return exchange.call(settings.upstream())
                .post(PATH)
                .header("grpc-timeout", settings.timeout().toMillis() + "m")
                .body(frame, "application/grpc")
                .timeout(settings.timeout())
                .maxBody(LONGEST_RESPONSE);
    }

    private ProtoMessage message(FilterExchange exchange, byte[] body, boolean truncated) {
        TlsSession tls = exchange.getTls();
        ProtoMessage attributes = new ProtoMessage()
                .message(1, source(exchange, tls))
                .message(
                        4,
                        new ProtoMessage()
                                .message(1, time(exchange.getTime()))
                                .message(2, http(exchange, body, truncated)))
                .map(10, settings.context());
        if (tls != null && tls.serverName() != null) {
            attributes.message(12, new ProtoMessage().text(1, tls.serverName()));
        }
        return new ProtoMessage().message(1, attributes);
    }

    private static ProtoMessage source(FilterExchange exchange, @Nullable TlsSession tls) {
        ProtoMessage socket = new ProtoMessage().text(2, IpLiteral.text(exchange.getClientAddress()));
        ProtoMessage peer = new ProtoMessage().message(1, new ProtoMessage().message(1, socket));
        ClientCertificate certificate = tls == null ? null : tls.clientCertificate();
        if (certificate != null) {
            // As in Envoy, uses the first URI. If there is no URI, uses the first alternative name of another type. If
            // there is no alternative name, uses the subject.
            List<String> uris = certificate.uris();
            List<String> names = certificate.plainNames();
            peer.text(4, !uris.isEmpty() ? uris.get(0) : !names.isEmpty() ? names.get(0) : certificate.subject());
        }
        return peer;
    }

    private static ProtoMessage time(Instant time) {
        return new ProtoMessage().number(1, time.getEpochSecond()).number(2, time.getNano());
    }

    private ProtoMessage http(FilterExchange exchange, byte[] body, boolean truncated) {
        FilterRequest request = exchange.getRequest();
        String query = request.getQuery();
        Map<String, String> fields =
                new LinkedHashMap<>(CheckedFields.sent(request.getHeaders(), settings.requestHeaders()));
        if (settings.withRequestBody().bytes() > 0) {
            fields.put("x-envoy-auth-partial-body", Boolean.toString(truncated));
        }
        ProtoMessage http = new ProtoMessage()
                .text(1, exchange.getRequestId())
                .text(2, request.getMethod())
                .map(3, fields)
                .text(4, query == null ? request.getPath() : request.getPath() + "?" + query)
                .text(5, request.getHost())
                .text(6, request.getScheme())
                .number(9, request.getContentLength())
                .text(10, request.getProtocol());
        String text = text(body);
        return text == null ? http.bytes(12, body) : http.text(11, text);
    }

    /** Returns the body as a text; null if it is not UTF-8. */
    private static @Nullable String text(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    @Override
    public Verdict read(CallResponse response) {
        if (response.getStatus() != 200) {
            return new Verdict.Missing("status " + response.getStatus());
        }
        if (!Grpc.is(response.header("content-type"))) {
            return new Verdict.Missing("the response is not a gRPC response");
        }
        byte[] body = response.getBody();
        // A response without a message has its status in the header section.
        boolean bare = body.length == 0 && response.getTrailers().isEmpty();
        List<String> status =
                (bare ? response.getHeaders() : response.getTrailers()).getOrDefault("grpc-status", List.of());
        if (status.size() != 1 || !status.get(0).equals("0")) {
            boolean plain = status.size() == 1 && status.get(0).matches("[0-9]{1,2}");
            return new Verdict.Missing(
                    plain ? "grpc-status " + status.get(0) : "the response does not have exactly one grpc-status");
        }
        if (body.length < PREFIX
                || body[0] != 0
                || ByteBuffer.wrap(body, 1, Integer.BYTES).getInt() != body.length - PREFIX) {
            return new Verdict.Missing("the response is not one complete, uncompressed message");
        }
        try {
            return verdict(CheckResponse.parse(Arrays.copyOfRange(body, PREFIX, body.length)));
        } catch (InvalidProtocolBufferException e) {
            return new Verdict.Missing("the message is malformed");
        }
    }

    private Verdict verdict(CheckResponse response) {
        boolean malformed = response.fields().stream()
                .anyMatch(field -> !FieldSyntax.isName(field.name()) || !FieldSyntax.isValue(field.value()));
        if (malformed) {
            return new Verdict.Missing("a header field is malformed");
        }
        return response.code() == 0 ? allowed(response) : denied(response);
    }

    private Verdict allowed(CheckResponse response) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (CheckResponse.Field field : response.fields()) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (settings.upstreamHeaders().contains(name)) {
                List<String> values =
                        new ArrayList<>(field.appended() ? fields.getOrDefault(name, List.of()) : List.of());
                values.add(field.value());
                fields.put(name, values);
            }
        }
        List<String> removed = response.removed().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(CheckedFields::isRemovable)
                .toList();
        return new Verdict.Allowed(fields, removed);
    }

    private Verdict denied(CheckResponse response) {
        int status = response.httpStatus() >= 200 && response.httpStatus() <= 599 ? response.httpStatus() : 403;
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        String type = null;
        for (CheckResponse.Field field : response.fields()) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (name.equals("content-type")) {
                type = field.value();
            } else if (settings.clientHeaders().contains(name)) {
                fields.add(Map.entry(name, field.value()));
            }
        }
        return new Verdict.Denied(status, fields, type, response.body().getBytes(StandardCharsets.UTF_8));
    }
}
