package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.lychgate.config.ByteSize;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.RawMessage;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ext-authz} with a gRPC service, over real sockets. The messages of the service are encoded by descriptors of Envoy's API. */
@Tag("slow")
class GrpcCheckTest {
    private static Map<String, Object> grpc(Object... more) {
        Map<String, Object> settings = new HashMap<>(Map.of("protocol", "grpc", "timeout", Duration.ofSeconds(20)));
        for (int i = 0; i < more.length; i += 2) {
            settings.put((String) more[i], more[i + 1]);
        }
        return settings;
    }

    private static Guarded gateway(GrpcService service, Object... more) throws Exception {
        return Guarded.start(service.address(), grpc(more), ", protocol: h2");
    }

    private static DynamicMessage.Builder message(String type) {
        return DynamicMessage.newBuilder(EnvoyApi.message(type));
    }

    private static FieldDescriptor field(Message.Builder of, String name) {
        return of.getDescriptorForType().findFieldByName(name);
    }

    private static DynamicMessage with(String type, Object... fields) {
        DynamicMessage.Builder message = message(type);
        for (int i = 0; i < fields.length; i += 2) {
            FieldDescriptor field = field(message, (String) fields[i]);
            if (field.isRepeated()) {
                message.addRepeatedField(field, fields[i + 1]);
            } else {
                message.setField(field, fields[i + 1]);
            }
        }
        return message.build();
    }

    private static DynamicMessage header(String name, String value) {
        return with("Option", "header", with("Header", "key", name, "value", value));
    }

    private static DynamicMessage appended(String name, String value) {
        return with(
                "Option", "header", with("Header", "key", name, "value", value), "append", with("Bool", "value", true));
    }

    private static byte[] allowed(Object... fields) {
        return with("CheckResponse", "status", with("Status"), "ok_response", with("Ok", fields))
                .toByteArray();
    }

    private static byte[] denied(int code, Object... fields) {
        Object[] all = new Object[fields.length + 2];
        System.arraycopy(fields, 0, all, 2, fields.length);
        all[0] = "status";
        all[1] = with("HttpStatus", "code", code);
        return with("CheckResponse", "status", with("Status", "code", 7), "denied_response", with("Denied", all))
                .toByteArray();
    }

    private static Object get(Message from, String path) {
        Object value = from;
        for (String name : path.split("\\.", -1)) {
            Message message = (Message) value;
            value = message.getField(message.getDescriptorForType().findFieldByName(name));
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> map(Message from, String path) {
        Map<String, String> all = new HashMap<>();
        for (Message entry : (List<Message>) get(from, path)) {
            all.put((String) get(entry, "key"), (String) get(entry, "value"));
        }
        return all;
    }

    @Test
    void describesTheRequestToTheService() throws Exception {
        try (GrpcService service = GrpcService.responding(allowed());
                Guarded gateway =
                        gateway(service, "context", Map.of("tenant", "t1"), "request-headers", List.of("*"))) {
            RawMessage response = gateway.get("/a?b=c", "X-One: 1", "X-One: 2", "X-Forwarded-For: 6.6.6.6");
            assertThat(response.body()).isEqualTo("origin");
            DynamicMessage check = service.requests.get(0);
            assertThat(get(check, "attributes.source.address.socket_address.address"))
                    .isEqualTo("127.0.0.1");
            String http = "attributes.request.http.";
            assertThat(get(check, http + "method")).isEqualTo("GET");
            assertThat(get(check, http + "path")).isEqualTo("/a?b=c");
            assertThat(get(check, http + "host")).isEqualTo("shop.example:8080");
            assertThat(get(check, http + "scheme")).isEqualTo("http");
            assertThat(get(check, http + "protocol")).isEqualTo("HTTP/1.1");
            assertThat(get(check, http + "size")).isEqualTo(0L);
            assertThat((String) get(check, http + "id")).isNotEmpty();
            assertThat(map(check, http + "headers"))
                    .containsEntry("x-one", "1, 2")
                    .doesNotContainKey("x-forwarded-for");
            assertThat(map(check, "attributes.context_extensions")).isEqualTo(Map.of("tenant", "t1"));
            long now = System.currentTimeMillis() / 1000;
            assertThat((Long) get(check, "attributes.request.time.seconds")).isBetween(now - 60, now + 1);
        }
    }

    @Test
    void sendsATextAsTextAndOtherBodiesAsBytes() throws Exception {
        try (GrpcService service = GrpcService.responding(allowed());
                Guarded gateway = gateway(service, "with-request-body", ByteSize.parse("8B"))) {
            assertThat(gateway.post("text").status()).isEqualTo(200);
            String http = "attributes.request.http.";
            assertThat(get(service.requests.get(0), http + "body")).isEqualTo("text");
            assertThat(get(service.requests.get(0), http + "size")).isEqualTo(4L);
            assertThat(map(service.requests.get(0), http + "headers"))
                    .containsEntry("x-envoy-auth-partial-body", "false");
            assertThat(gateway.post("\u00ff\u00fe").status()).isEqualTo(200);
            assertThat(get(service.requests.get(1), http + "raw_body"))
                    .isEqualTo(ByteString.copyFrom("\u00ff\u00fe", StandardCharsets.ISO_8859_1));
            assertThat(gateway.post("123456789").status()).isEqualTo(413);
        }
    }

    @Test
    void onlyListedFieldsOfTheServiceReachTheOrigin() throws Exception {
        byte[] response = allowed(
                "headers", header("X-User", "alice"),
                "headers", header("x-roles", "a"),
                "headers", appended("x-roles", "b"),
                "headers", header("x-evil", "1"),
                "headers", header("host", "evil.example"),
                "headers", header("x-forwarded-for", "6.6.6.6"),
                "headers_to_remove", "Authorization",
                "headers_to_remove", "host",
                "headers_to_remove", "x-forwarded-for",
                "response_headers_to_add", header("x-ignored", "1"),
                "dynamic_metadata", with("Any", "text", "ignored"));
        try (GrpcService service = GrpcService.responding(response);
                Guarded gateway = gateway(service, "upstream-headers", List.of("x-user", "x-roles"))) {
            RawMessage answer = gateway.get("/", "X-User: root", "X_User: root", "Authorization: Bearer t");
            assertThat(answer.has("x-ignored")).isFalse();
            RawMessage request = gateway.origin.requests().get(0);
            assertThat(request.values("x-user")).containsExactly("alice");
            assertThat(request.has("x_user")).isFalse();
            assertThat(request.values("x-roles")).containsExactly("a", "b");
            assertThat(request.has("x-evil")).isFalse();
            assertThat(request.has("authorization")).isFalse();
            assertThat(request.value("host").orElse("")).doesNotContain("evil");
            assertThat(request.values("x-forwarded-for")).containsExactly("127.0.0.1");
        }
    }

    @Test
    void aDenialHasTheStatusTheBodyAndTheListedFieldsOfTheService() throws Exception {
        byte[] response = denied(
                401,
                "headers",
                header("WWW-Authenticate", "Bearer"),
                "headers",
                header("content-type", "text/html"),
                "headers",
                header("x-internal", "secret"),
                "body",
                "<p>log in</p>");
        try (GrpcService service = GrpcService.responding(response);
                Guarded gateway = gateway(service)) {
            RawMessage denial = gateway.get("/");
            assertThat(denial.status()).isEqualTo(401);
            assertThat(denial.value("www-authenticate")).contains("Bearer");
            assertThat(denial.value("content-type")).contains("text/html");
            assertThat(denial.has("x-internal")).isFalse();
            assertThat(denial.body()).isEqualTo("<p>log in</p>");
            assertThat(gateway.origin.requestsSeen()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 403", "99, 403", "600, 403", "404, 404"})
    void aDenialWithoutAUsableStatusHas403(int code, int expected) throws Exception {
        try (GrpcService service = GrpcService.responding(denied(code));
                Guarded gateway = gateway(service)) {
            assertThat(gateway.get("/").status()).isEqualTo(expected);
        }
    }

    @Test
    void gRpcClientsGetAGrpcStatus() throws Exception {
        try (GrpcService service = GrpcService.responding(denied(401, "body", "no"));
                Guarded gateway = gateway(service);
                Http2Client client = Http2Client.connect(gateway.address())) {
            client.post(1, "/pkg.Service/Call", "content-type", "application/grpc", "te", "trailers")
                    .data(1, "", true);
            var response = client.response(1);
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.value("grpc-status")).contains("16");
            assertThat(response.body()).isEmpty();
        }
    }

    // ---- failures

    private static final byte[] MALFORMED = {0x0a, (byte) 0xff, 1, 2, 3};

    private static GrpcService.Responses failing(int index) {
        return switch (index) {
            case 0 -> (request, to) -> to.onError(Status.PERMISSION_DENIED.asRuntimeException());
            case 1 ->
                (request, to) ->
                        to.onError(Status.UNAVAILABLE.withDescription("down").asRuntimeException());
            case 2 -> (request, to) -> {};
            case 3 ->
                (request, to) -> {
                    to.onNext(MALFORMED);
                    to.onCompleted();
                };
            case 4 ->
                (request, to) -> {
                    to.onNext(new byte[70_000]);
                    to.onCompleted();
                };
            case 5 ->
                (request, to) -> {
                    to.onNext(allowed("headers", header("x-user", "a\r\nx-evil: 1")));
                    to.onCompleted();
                };
            case 6 ->
                (request, to) -> {
                    to.onNext(allowed("headers", header("a b", "1")));
                    to.onCompleted();
                };
            default -> throw new IllegalArgumentException();
        };
    }

    @ParameterizedTest
    @CsvSource({"closed, 503", "open, 200"})
    void appliesOnFailureToAServiceWithoutAVerdict(String policy, int expected) throws Exception {
        for (int i = 0; i <= 6; i++) {
            try (GrpcService service = GrpcService.responding(failing(i));
                    Guarded gateway = gateway(service, "on-failure", policy, "timeout", Duration.ofMillis(300))) {
                assertThat(gateway.get("/").status()).as("failure " + i).isEqualTo(expected);
            }
        }
    }

    private interface Frames {
        void send(Http2Client connection) throws Exception;
    }

    private static byte[] framed(byte[] message) {
        return java.nio.ByteBuffer.allocate(5 + message.length)
                .putInt(1, message.length)
                .position(5)
                .put(message)
                .array();
    }

    private static void head(Http2Client connection, String type) throws Exception {
        connection.headers(1, Http2Client.NONE, ":status", "200", "content-type", type);
    }

    private static final List<Frames> MALFORMED_RESPONSES = List.of(
            c -> {
                head(c, "text/html");
                c.data(1, framed(allowed()), false).headers(1, Http2Client.END_STREAM, "grpc-status", "0");
            },
            c -> {
                head(c, "application/grpc");
                c.data(1, framed(allowed()), true);
            },
            c -> {
                head(c, "application/grpc");
                c.data(1, framed(allowed()), false)
                        .headers(1, Http2Client.END_STREAM, "grpc-status", "0", "grpc-status", "0");
            },
            c -> {
                head(c, "application/grpc");
                c.data(1, new byte[] {1, 0, 0, 0, 0}, false).headers(1, Http2Client.END_STREAM, "grpc-status", "0");
            },
            c -> {
                head(c, "application/grpc");
                c.data(1, new byte[] {0, 0, 0, 0, 9, 1}, false).headers(1, Http2Client.END_STREAM, "grpc-status", "0");
            },
            c -> {
                head(c, "application/grpc");
                c.headers(1, Http2Client.END_STREAM, "grpc-status", "0");
            },
            c -> c.headers(
                    1,
                    Http2Client.END_STREAM,
                    ":status",
                    "200",
                    "content-type",
                    "application/grpc",
                    "grpc-status",
                    "7"),
            c -> c.headers(1, Http2Client.END_STREAM, ":status", "403"),
            c -> {
                head(c, "application/grpc");
                c.data(1, framed(allowed()), false).reset(1, 8);
            },
            c -> {
                head(c, "application/grpc");
                c.data(1, framed(allowed()), false).close();
            });

    @Test
    void aMalformedGrpcResponseIsAFailure() throws Exception {
        for (int i = 0; i < MALFORMED_RESPONSES.size(); i++) {
            try (Http2Origin service = Http2Origin.start();
                    Guarded gateway = Guarded.start(service.address(), grpc(), ", protocol: h2")) {
                CompletableFuture<Integer> status = CompletableFuture.supplyAsync(() -> {
                    try {
                        return gateway.get("/").status();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
                Http2Client connection = service.accept();
                connection.asked(1);
                MALFORMED_RESPONSES.get(i).send(connection);
                assertThat(status.get()).as("response " + i).isEqualTo(503);
                assertThat(gateway.origin.requestsSeen()).isZero();
            }
        }
    }

    @Test
    void sendsAWellFormedGrpcRequest() throws Exception {
        try (Http2Origin service = Http2Origin.start();
                Guarded gateway = Guarded.start(service.address(), grpc(), ", protocol: h2")) {
            CompletableFuture<Integer> status = CompletableFuture.supplyAsync(() -> {
                try {
                    return gateway.get("/").status();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            Http2Client connection = service.accept();
            var request = connection.asked(1);
            assertThat(request.value(":path")).contains("/envoy.service.auth.v3.Authorization/Check");
            assertThat(request.value("te")).contains("trailers");
            assertThat(request.value("grpc-timeout")).contains("20000m");
            head(connection, "application/grpc+proto");
            connection.data(1, framed(allowed()), false).headers(1, Http2Client.END_STREAM, "grpc-status", "0");
            assertThat(status.get()).isEqualTo(200);
        }
    }
}
