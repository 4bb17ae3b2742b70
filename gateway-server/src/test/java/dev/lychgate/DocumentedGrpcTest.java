package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.Certificates;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the samples of docs/grpc.md, in the order of the page. */
@Tag("slow")
class DocumentedGrpcTest {
    private static final Certificates CA = Certificates.authority("Test Authority");

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    /** @param origins in place of the endpoints, in their order */
    private FileGateway<Lychgate> start(int snippet, List<String> origins) throws Exception {
        List<String> snippets = Snippets.yaml("grpc.md");
        assertThat(snippets).hasSize(3);
        String yaml = Snippets.onFreePorts(snippets.get(snippet)).replace("example.Texts", GrpcOrigin.SERVICE);
        for (String origin : origins) {
            String rest = yaml.replaceFirst("https?://[a-z0-9.]+\\.(internal|0\\.0\\.\\d):\\d+", origin);
            assertThat(rest).as("an endpoint for " + origin).isNotEqualTo(yaml);
            yaml = rest;
        }
        return FileGateway.start(
                Files.writeString(directory.resolve("gateway.yml"), yaml), name -> null, Lychgate::start);
    }

    private static NettyChannelBuilder to(FileGateway<Lychgate> gateway) {
        return NettyChannelBuilder.forAddress(new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), gateway.gateway().port("main")))
                .overrideAuthority("example.com");
    }

    private static void assertCarries(ManagedChannel channel) {
        CallOptions soon = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
        assertThat(ClientCalls.blockingUnaryCall(channel, GrpcOrigin.UNARY, soon, "hello"))
                .isEqualTo("HELLO");
    }

    @Test
    void withoutTls() throws Exception {
        try (GrpcOrigin origin = GrpcOrigin.start(null);
                FileGateway<Lychgate> gateway = start(0, List.of("http://localhost:" + origin.port()))) {
            ManagedChannel channel = to(gateway).usePlaintext().build();
            assertCarries(channel);
            channel.shutdownNow();
            gateway.gateway().close();
        }
    }

    @Test
    void withTls() throws Exception {
        Path tls = Files.createDirectories(directory.resolve("tls"));
        Certificates.pem(tls, "example.com", CA.issue("example.com"));
        CA.writeCa(tls, "internal-ca.pem");
        try (GrpcOrigin origin = GrpcOrigin.overTls(CA);
                FileGateway<Lychgate> gateway = start(1, List.of("https://localhost:" + origin.port()))) {
            ManagedChannel channel = to(gateway)
                    .sslContext(GrpcSslContexts.forClient()
                            .trustManager(CA.root().getCertificate())
                            .build())
                    .build();
            assertCarries(channel);
            channel.shutdownNow();
            gateway.gateway().close();
        }
    }

    @Test
    void withChecksOfHealth() throws Exception {
        try (GrpcOrigin one = GrpcOrigin.start(null);
                GrpcOrigin two = GrpcOrigin.start(null)) {
            one.health.setStatus(GrpcOrigin.SERVICE, ServingStatus.NOT_SERVING);
            two.health.setStatus(GrpcOrigin.SERVICE, ServingStatus.SERVING);
            try (FileGateway<Lychgate> gateway =
                    start(2, List.of("http://localhost:" + one.port(), "http://localhost:" + two.port()))) {
                ManagedChannel channel = to(gateway).usePlaintext().build();
                eventually(Duration.ofMinutes(1), () -> {
                    int before = one.asked.get();
                    for (int i = 0; i < 20; i++) {
                        assertCarries(channel);
                    }
                    assertThat(one.asked.get()).isEqualTo(before);
                });
                assertThat(two.asked.get()).isPositive();
                channel.shutdownNow();
                gateway.gateway().close();
            }
        }
    }
}
