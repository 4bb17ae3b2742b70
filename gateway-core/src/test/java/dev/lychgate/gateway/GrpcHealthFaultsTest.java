package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.NONE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GrpcHealthConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.ServiceConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Origin;
import dev.lychgate.testing.Http2Response;
import dev.lychgate.testing.RawMessage.Field;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.EndpointState.Health;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Health checks by gRPC, frame by frame: the request, and each kind of incorrect response. */
@Tag("slow")
class GrpcHealthFaultsTest {
    private static final String SERVING = "\0\0\0\0\2\u0008\1";
    private static final String[] HEAD = {":status", "200", "content-type", "application/grpc"};
    private static final String[] OK = {"grpc-status", "0"};

    private static HealthConfig calling(String service, @Nullable String host, Duration timeout) {
        return new HealthConfig(
                new ActiveHealthConfig(
                        null,
                        host,
                        0,
                        Duration.ofHours(1),
                        new Percent(0),
                        timeout,
                        1,
                        1,
                        Set.of(),
                        null,
                        new GrpcHealthConfig(service)),
                null);
    }

    private static UpstreamConfig upstream(Http2Origin origin, HealthConfig health) {
        EndpointConfig endpoint =
                new EndpointConfig("127.0.0.1", origin.address().getPort());
        return UpstreamConfig.of("origin", endpoint)
                .withPool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.H2))
                .withHealth(health);
    }

    private static EndpointState state(Running gateway, Http2Origin origin) {
        return requireNonNull(gateway.gateway().generation().upstream("origin"))
                .state()
                .of(new EndpointAddress("127.0.0.1", origin.address().getPort()));
    }

    /** The reaction of the server to the call on stream 1. */
    private interface Server {
        void respond(Http2Client connection) throws Exception;
    }

    private static Server message(String message) {
        return c -> c.headers(1, NONE, HEAD)
                .data(1, message.getBytes(ISO_8859_1), false)
                .headers(1, END_STREAM, OK);
    }

    private static Server trailersOnly(String... more) {
        return c -> c.headers(
                1, END_STREAM, Stream.concat(Stream.of(HEAD), Stream.of(more)).toArray(String[]::new));
    }

    private static void assertFinds(Server server, Health health, String fault) throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = new Setup()
                        .upstream(upstream(origin, calling("", null, Duration.ofSeconds(30))))
                        .start()) {
            Http2Client connection = origin.accept();
            connection.asked(1);
            server.respond(connection);
            eventually(() -> assertThat(state(gateway, origin).health()).isEqualTo(health));
            assertThat(state(gateway, origin).fault()).isEqualTo(fault);
            // Each check has a separate connection, and closes it.
            connection.awaitEnd();
        }
    }

    @Test
    void sendsOneCallAboutTheService() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = new Setup()
                        .upstream(upstream(origin, calling("a.B", "checked.test", Duration.ofSeconds(5))))
                        .start()) {
            Http2Client connection = origin.accept();
            Http2Response asked = connection.response(1);
            assertThat(asked.fields())
                    .containsExactlyInAnyOrder(
                            new Field(":method", "POST"),
                            new Field(":scheme", "http"),
                            new Field(":authority", "checked.test"),
                            new Field(":path", "/grpc.health.v1.Health/Check"),
                            new Field("grpc-timeout", "5000m"),
                            new Field("content-type", "application/grpc"),
                            new Field("user-agent", "lychgate-health"),
                            new Field("te", "trailers"));
            assertThat(asked.body()).isEqualTo("\0\0\0\0\5\n\3a.B");
            assertThat(asked.trailers()).isEmpty();
            assertThat(state(gateway, origin).health()).isEqualTo(Health.UNKNOWN);
            message(SERVING).respond(connection);
            eventually(() -> assertThat(state(gateway, origin).health()).isEqualTo(Health.HEALTHY));
        }
    }

    static Stream<Arguments> acceptsServingResponses() {
        return Stream.of(
                arguments("as servers send it", message(SERVING)),
                arguments("in pieces", (Server) c -> {
                    c.headers(1, NONE, HEAD);
                    for (byte b : SERVING.getBytes(ISO_8859_1)) {
                        c.data(1, new byte[] {b}, false);
                    }
                    c.headers(1, END_STREAM, OK);
                }),
                arguments("with a field of a later version", message("\0\0\0\0\6\u0012\2hi\u0008\1")),
                arguments("with a longer content type", (Server)
                        c -> c.headers(1, NONE, ":status", "200", "content-type", "application/grpc+proto")
                                .data(1, SERVING, false)
                                .headers(1, END_STREAM, OK)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void acceptsServingResponses(String what, Server server) throws Exception {
        assertFinds(server, Health.HEALTHY, "");
    }

    static Stream<Arguments> reportsTheReasonOfAFailedCheck() {
        String long_ = "\0\0\0\4\u0001" + "x".repeat(1100);
        return Stream.of(
                arguments("UNKNOWN", message("\0\0\0\0\0")),
                arguments("NOT_SERVING", message("\0\0\0\0\2\u0008\2")),
                arguments("SERVICE_UNKNOWN", message("\0\0\0\0\2\u0008\3")),
                arguments("status 7", message("\0\0\0\0\2\u0008\7")),
                arguments("the response is compressed", message("\1\0\0\0\2\u0008\1")),
                arguments("the response is malformed", message("\2\0\0\0\2\u0008\1")),
                arguments("the response is malformed", message("\0\0\0\0\1\u0008")),
                arguments("the response is longer than 1024 bytes", message(long_)),
                arguments("the response is not one complete message", message("\0\0\0")),
                arguments("the response is not one complete message", message("\0\0\0\0\3\u0008\1")),
                arguments("the response is not one complete message", message(SERVING + SERVING)),
                arguments("the response is not one complete message", message("\0\u00ff\u00ff\u00ff\u00ff\u0008\1")),
                arguments("the response contains no message", message("")),
                arguments("the response contains no message", trailersOnly(OK)),
                arguments("the response has no grpc-status", trailersOnly()),
                arguments("the response has no grpc-status", (Server)
                        c -> c.headers(1, NONE, HEAD).data(1, SERVING, true)),
                arguments("the response has no grpc-status", (Server) c -> c.headers(
                                1, NONE, ":status", "200", "content-type", "application/grpc", "grpc-status", "0")
                        .data(1, SERVING, true)),
                arguments(
                        "the response has more than one grpc-status",
                        trailersOnly("grpc-status", "0", "grpc-status", "5")),
                arguments("a malformed grpc-status", trailersOnly("grpc-status", "fine")),
                arguments("grpc-status 14", trailersOnly("grpc-status", "14", "grpc-message", "secret")),
                arguments("NOT_FOUND: the service is unknown to the server", trailersOnly("grpc-status", "5")),
                arguments("UNIMPLEMENTED: the server has no grpc.health.v1.Health", trailersOnly("grpc-status", "12")),
                arguments("grpc-status 13", (Server) c ->
                        c.headers(1, NONE, HEAD).data(1, SERVING, false).headers(1, END_STREAM, "grpc-status", "13")),
                arguments("HTTP status 503", (Server)
                        c -> c.headers(1, END_STREAM, ":status", "503", "grpc-status", "0")),
                arguments("the response is not a gRPC response", (Server)
                        c -> c.headers(1, NONE, ":status", "200", "content-type", "text/html")
                                .data(1, "<p>", true)),
                arguments("the origin reset the stream: internal-error", (Server) c -> c.reset(1, 2)),
                arguments("the origin refused the stream", (Server) c -> c.reset(1, 7)),
                arguments("the origin closed the connection without a response", (Server) Http2Client::close),
                arguments("the origin violated the HTTP/2 protocol", (Server)
                        c -> c.headers(1, END_STREAM, "x-status", "200")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void reportsTheReasonOfAFailedCheck(String fault, Server server) throws Exception {
        assertFinds(server, Health.UNHEALTHY, fault);
    }

    @Test
    void reportsASilentServer() throws Exception {
        try (Http2Origin origin = Http2Origin.start();
                Running gateway = new Setup()
                        .upstream(upstream(origin, calling("", null, Duration.ofSeconds(1))))
                        .start()) {
            Http2Client connection = origin.accept().answeringNothing();
            connection.asked(1);
            eventually(() -> assertThat(state(gateway, origin).health()).isEqualTo(Health.UNHEALTHY));
            assertThat(state(gateway, origin).fault()).contains("in time");
            connection.awaitEnd();
        }
    }

    private static void refuses(UpstreamProtocol protocol, String why, EndpointConfig... endpoints) {
        UpstreamConfig upstream =
                UpstreamConfig.of("origin", endpoints).withPool(PoolConfig.DEFAULT.speaking(protocol));
        assertThatThrownBy(() -> upstream.withHealth(calling("", null, Duration.ofSeconds(1))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("health")
                .hasMessageContaining(why);
    }

    @Test
    void refusesGrpcChecksWithoutHttp2() {
        EndpointConfig plain = new EndpointConfig("127.0.0.1", 1);
        EndpointConfig secure = EndpointConfig.parse("https://127.0.0.1:2");
        refuses(UpstreamProtocol.HTTP_1_1, "protocol http/1.1", plain);
        refuses(UpstreamProtocol.HTTP_1_1, "protocol http/1.1", secure);
        refuses(UpstreamProtocol.AUTO, "an endpoint without TLS", secure, plain);
        HealthConfig health = calling("", null, Duration.ofSeconds(1));
        UpstreamConfig auto = UpstreamConfig.of("origin", secure)
                .withPool(PoolConfig.DEFAULT.speaking(UpstreamProtocol.AUTO))
                .withHealth(health);
        assertThat(auto.health()).isEqualTo(health);
        assertThatThrownBy(() -> UpstreamConfig.of("o", secure)
                        .withPool(auto.pool())
                        .withHealth(health)
                        .withServices(List.of(new ServiceConfig("_grpc._tcp.api.test"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("an endpoint without TLS");
        ActiveHealthConfig get = new ActiveHealthConfig(
                "/x", null, 0, Duration.ofSeconds(1), new Percent(0), Duration.ofSeconds(1), 1, 1, Set.of(), null);
        assertThat(get.calling(GrpcHealthConfig.DEFAULT).path()).isNull();
        assertThatThrownBy(() -> new GrpcHealthConfig("x".repeat(256))).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> new GrpcHealthConfig("a\nb")).isInstanceOf(ConfigException.class);
    }
}
