package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Health checks by gRPC with servers of grpc-java. */
@Tag("slow")
class GrpcHealthTest {
    private static final Certificates CA = Certificates.authority("Test Authority");

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    private FileGateway<Lychgate> gateway(String protocol, boolean tls, String grpc, int... ports) throws Exception {
        CA.writeCa(directory, "ca.pem");
        String endpoints = IntStream.of(ports)
                .mapToObj(port -> (tls ? "\"https" : "\"http") + "://localhost:" + port + "\"")
                .collect(Collectors.joining(", "));
        Path file = Files.writeString(directory.resolve("gateway.yml"), """
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        admin: { address: "127.0.0.1:0" }
                        routes: [{ id: all, upstream: texts }]
                        upstreams:
                          texts:
                            protocol: %s
                            endpoints: [%s]
                            %s
                            health: { active: { grpc: %s, interval: 100ms, timeout: 5s, rise: 2, fall: 2 } }
                        """.formatted(
                        protocol, endpoints, tls ? "tls: { ca: ca.pem }" : "", grpc));
        return FileGateway.start(file, name -> null, Lychgate::start);
    }

    private static String upstreams(FileGateway<Lychgate> gateway) throws Exception {
        try (RawClient admin = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().adminPort()))) {
            return admin.send("GET /upstreams HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse()
                    .body();
        }
    }

    /** Waits until this number of endpoints is healthy and the others are not. */
    private static void awaitHealthy(FileGateway<Lychgate> gateway, int healthy, int unhealthy) throws Exception {
        eventually(Duration.ofSeconds(30), () -> {
            String page = upstreams(gateway);
            assertThat(page.split("\"health\":\"healthy\"", -1)).hasSize(healthy + 1);
            assertThat(page.split("\"health\":\"unhealthy\"", -1)).hasSize(unhealthy + 1);
        });
    }

    private static void call(ManagedChannel channel, int times) {
        for (int i = 0; i < times; i++) {
            CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
            assertThat(ClientCalls.blockingUnaryCall(channel, GrpcOrigin.UNARY, soon, "x"))
                    .isEqualTo("X");
        }
    }

    @ParameterizedTest
    @CsvSource({"h2, false, ''", "h2, true, ''", "auto, true, ''", "h2, false, lychgate.test.Texts"})
    void trafficLeavesAServerThatDoesNotServeAndReturnsToIt(String protocol, boolean tls, String service)
            throws Exception {
        try (GrpcOrigin one = tls ? GrpcOrigin.overTls(CA) : GrpcOrigin.start(null);
                GrpcOrigin two = tls ? GrpcOrigin.overTls(CA) : GrpcOrigin.start(null)) {
            one.health.setStatus(service, ServingStatus.SERVING);
            two.health.setStatus(service, ServingStatus.SERVING);
            String grpc = service.isEmpty() ? "{}" : "{ service: " + service + " }";
            try (FileGateway<Lychgate> gateway = gateway(protocol, tls, grpc, one.port(), two.port())) {
                InetSocketAddress main = new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), gateway.gateway().port("main"));
                ManagedChannel channel =
                        NettyChannelBuilder.forAddress(main).usePlaintext().build();
                try {
                    awaitHealthy(gateway, 2, 0);
                    call(channel, 40);
                    assertThat(one.asked.get()).isPositive();
                    assertThat(two.asked.get()).isPositive();

                    one.health.setStatus(service, ServingStatus.NOT_SERVING);
                    awaitHealthy(gateway, 1, 1);
                    assertThat(upstreams(gateway)).contains("\"fault\":\"NOT_SERVING\"");
                    int before = one.asked.get();
                    call(channel, 40);
                    assertThat(one.asked.get()).isEqualTo(before);

                    one.health.setStatus(service, ServingStatus.SERVING);
                    awaitHealthy(gateway, 2, 0);
                    assertThat(upstreams(gateway)).doesNotContain("NOT_SERVING");
                    call(channel, 60);
                    assertThat(one.asked.get()).isGreaterThan(before);
                } finally {
                    channel.shutdownNow();
                    gateway.gateway().close();
                }
            }
        }
    }

    @Test
    void anUnknownServiceIsNotFound() throws Exception {
        try (GrpcOrigin origin = GrpcOrigin.start(null);
                FileGateway<Lychgate> gateway = gateway("h2", false, "{ service: example.Other }", origin.port())) {
            awaitHealthy(gateway, 0, 1);
            assertThat(upstreams(gateway)).contains("NOT_FOUND: the service is unknown to the server");
            gateway.gateway().close();
        }
    }

    @Test
    void aServerWithoutHealthChecksIsReported() throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start();
        try (FileGateway<Lychgate> gateway = gateway("h2", false, "{}", server.getPort())) {
            awaitHealthy(gateway, 0, 1);
            assertThat(upstreams(gateway)).contains("UNIMPLEMENTED: the server has no grpc.health.v1.Health");
            gateway.gateway().close();
        } finally {
            server.shutdownNow();
        }
    }
}
