package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.Certificates;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** gRPC through the gateway, between client and server of grpc-java. */
@Tag("slow")
class GrpcTest {
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final CallOptions SOON = CallOptions.DEFAULT;

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    /** A server, a gateway before it and a client's channel to that. */
    private final class Through implements AutoCloseable {
        private final GrpcOrigin origin;
        private final FileGateway<Lychgate> gateway;
        private final ManagedChannel channel;

        private Through(boolean tls, String routes, String listenerMore) throws Exception {
            origin = tls ? GrpcOrigin.overTls(CA) : GrpcOrigin.start(null);
            gateway = FileGateway.start(
                    configuration(tls, routes, listenerMore, origin.port()), name -> null, Lychgate::start);
            channel = channel(gateway.gateway().port("main"), tls);
        }

        @Override
        public void close() {
            channel.shutdownNow();
            origin.close();
            gateway.gateway().close();
            gateway.close();
        }
    }

    private Through through(boolean tls) throws Exception {
        return new Through(tls, "routes: [{ id: all, upstream: texts }]\n", "");
    }

    private Path configuration(boolean tls, String routes, String listenerMore, int port) throws Exception {
        String listener = "";
        String upstream = "";
        if (tls) {
            Certificates.pem(directory, "localhost", CA.issue("localhost"));
            CA.writeCa(directory, "ca.pem");
            listener = ", tls: { certificates: [{ chain: localhost.pem, key: localhost.key }] }";
            upstream = ", tls: { ca: ca.pem }";
        }
        return Files.writeString(
                directory.resolve("gateway.yml"),
                "listeners: [{ name: main, address: \"127.0.0.1:0\"" + listener + listenerMore + " }]\n" + routes
                        + "upstreams: { texts: { protocol: h2, endpoints: [\"" + (tls ? "https" : "http")
                        + "://localhost:" + port + "\"]" + upstream + " } }\n");
    }

    private static ManagedChannel channel(int port, boolean tls) throws Exception {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .overrideAuthority("localhost")
                .disableRetry()
                .maxInboundMessageSize(64 << 20);
        return tls
                ? builder.sslContext(GrpcSslContexts.forClient()
                                .trustManager(CA.root().getCertificate())
                                .build())
                        .build()
                : builder.usePlaintext().build();
    }

    /** The result of a call. */
    private static final class Heard implements StreamObserver<String> {
        private final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
        private final CompletableFuture<Status> end = new CompletableFuture<>();

        @Override
        public void onNext(String message) {
            messages.add(message);
        }

        @Override
        public void onError(Throwable cause) {
            end.complete(Status.fromThrowable(cause));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }

        private String next() throws InterruptedException {
            String message = messages.poll(30, TimeUnit.SECONDS);
            assertThat(message).isNotNull();
            return String.valueOf(message);
        }

        private Status end() throws Exception {
            return end.get(30, TimeUnit.SECONDS);
        }
    }

    private static String unary(Channel channel, MethodDescriptor<String, String> method, String message) {
        return ClientCalls.blockingUnaryCall(channel, method, SOON.withDeadlineAfter(20, TimeUnit.SECONDS), message);
    }

    private static StatusRuntimeException failure(
            Channel channel, MethodDescriptor<String, String> method, CallOptions options, String message) {
        return catchThrowableOfType(
                StatusRuntimeException.class, () -> ClientCalls.blockingUnaryCall(channel, method, options, message));
    }

    private static Status status(Channel channel, MethodDescriptor<String, String> method, String message) {
        return failure(channel, method, SOON.withDeadlineAfter(20, TimeUnit.SECONDS), message)
                .getStatus();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allFourKindsOfCalls(boolean tls) throws Exception {
        try (Through t = through(tls)) {
            assertThat(unary(t.channel, GrpcOrigin.UNARY, "hello")).isEqualTo("HELLO");
            assertThat(unary(t.channel, GrpcOrigin.UNARY, "")).isEmpty();

            Heard collected = new Heard();
            StreamObserver<String> parts =
                    ClientCalls.asyncClientStreamingCall(t.channel.newCall(GrpcOrigin.COLLECT, SOON), collected);
            for (String part : List.of("a", "b", "c")) {
                parts.onNext(part);
            }
            parts.onCompleted();
            assertThat(collected.next()).isEqualTo("a+b+c");
            assertThat(collected.end().isOk()).isTrue();

            List<String> counted = new ArrayList<>();
            ClientCalls.blockingServerStreamingCall(t.channel, GrpcOrigin.COUNT, SOON, "1000")
                    .forEachRemaining(counted::add);
            assertThat(counted).hasSize(1000).startsWith("1", "2").endsWith("1000");

            Heard echoed = new Heard();
            StreamObserver<String> ping =
                    ClientCalls.asyncBidiStreamingCall(t.channel.newCall(GrpcOrigin.ECHO, SOON), echoed);
            for (int i = 0; i < 50; i++) {
                // Sends the next one only after the response to the last one, before the end of the call.
                ping.onNext("ping " + i);
                assertThat(echoed.next()).isEqualTo("re: ping " + i);
            }
            ping.onCompleted();
            assertThat(echoed.end().isOk()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyStatusOfTheServerPassesWithoutAMessage(boolean tls) throws Exception {
        try (Through t = through(tls)) {
            for (Status.Code code : Status.Code.values()) {
                if (code != Status.Code.OK) {
                    StatusRuntimeException failed = failure(t.channel, GrpcOrigin.FAIL, SOON, code.name());
                    assertThat(failed.getStatus().getCode()).isEqualTo(code);
                    assertThat(failed.getStatus().getDescription()).isEqualTo("as you wish: 100 %, \u00e4");
                    Metadata trailers = failed.getTrailers();
                    assertThat(trailers).isNotNull();
                    if (trailers != null) {
                        assertThat(trailers.get(GrpcOrigin.TEXT)).isEqualTo("sorry");
                    }
                }
            }
            assertThat(status(t.channel, GrpcOrigin.UNKNOWN, "").getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void metadataPassBothWays(boolean tls) throws Exception {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        Metadata sent = GrpcOrigin.trailers("some text");
        sent.put(GrpcOrigin.BYTES, bytes);
        AtomicReference<Metadata> headers = new AtomicReference<>();
        AtomicReference<Metadata> trailers = new AtomicReference<>();
        try (Through t = through(tls)) {
            Channel mirrored = ClientInterceptors.intercept(
                    t.channel,
                    MetadataUtils.newAttachHeadersInterceptor(sent),
                    MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
            assertThat(unary(mirrored, GrpcOrigin.UNARY, "x")).isEqualTo("X");
            for (Metadata back : List.of(headers.get(), trailers.get())) {
                assertThat(back.get(GrpcOrigin.TEXT)).isEqualTo("some text");
                assertThat(back.get(GrpcOrigin.BYTES)).isEqualTo(bytes);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void largeMessagesPassBothWays(boolean tls) throws Exception {
        String large = "x".repeat(8 << 20);
        try (Through t = through(tls)) {
            assertThat(unary(t.channel, GrpcOrigin.UNARY, large)).hasSize(large.length());
            Heard echoed = new Heard();
            StreamObserver<String> ping =
                    ClientCalls.asyncBidiStreamingCall(t.channel.newCall(GrpcOrigin.ECHO, SOON), echoed);
            ping.onNext(large);
            assertThat(echoed.next()).hasSize(large.length() + 4);
            ping.onCompleted();
            assertThat(echoed.end().isOk()).isTrue();
        }
    }

    @Test
    void aClientThatDoesNotReadPausesOnlyItsServer() throws Exception {
        try (Through t = through(false)) {
            int most = 400;
            AtomicInteger taken = new AtomicInteger();
            CompletableFuture<Status> end = new CompletableFuture<>();
            ClientCall<String, String> slow = t.channel.newCall(GrpcOrigin.FLOOD, SOON);
            slow.start(
                    new ClientCall.Listener<>() {
                        @Override
                        public void onMessage(String message) {
                            taken.incrementAndGet();
                            slow.request(1);
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            end.complete(status);
                        }
                    },
                    new Metadata());
            slow.sendMessage(Integer.toString(most));
            slow.halfClose();
            AtomicInteger before = new AtomicInteger(-1);
            eventually(() -> {
                int now = t.origin.flooded.get();
                Thread.sleep(200);
                assertThat(now).isPositive().isEqualTo(before.getAndSet(now));
            });
            assertThat(t.origin.flooded.get()).isLessThan(most / 2);
            assertThat(unary(t.channel, GrpcOrigin.UNARY, "meanwhile")).isEqualTo("MEANWHILE");
            slow.request(1);
            assertThat(end.get(20, TimeUnit.SECONDS).isOk()).isTrue();
            assertThat(taken.get()).isEqualTo(most);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallThatIsCancelledIsCancelledAtTheServer(boolean tls) throws Exception {
        try (Through t = through(tls)) {
            ClientCall<String, String> call = t.channel.newCall(GrpcOrigin.HANG, SOON);
            Heard heard = new Heard();
            ClientCalls.asyncUnaryCall(call, "x", heard);
            assertThat(t.origin.hanging.await(30, TimeUnit.SECONDS)).isTrue();
            call.cancel("no more", null);
            assertThat(heard.end().getCode()).isEqualTo(Status.Code.CANCELLED);
            assertThat(t.origin.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(unary(t.channel, GrpcOrigin.UNARY, "next")).isEqualTo("NEXT");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeadlineReachesTheServerAndEndsTheCall(boolean tls) throws Exception {
        try (Through t = through(tls)) {
            // The connections exist before the time is measured.
            assertThat(unary(t.channel, GrpcOrigin.UNARY, "x")).isEqualTo("X");
            CallOptions soon = SOON.withDeadlineAfter(4, TimeUnit.SECONDS);
            StatusRuntimeException failed = failure(t.channel, GrpcOrigin.HANG, soon, "x");
            assertThat(failed.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            assertThat(t.origin.cancelled.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(t.origin.hadDeadline).isTrue();
        }
    }

    @Test
    void anErrorOfTheGatewayIsAGrpcStatus() throws Exception {
        String some =
                "routes: [{ id: some, match: { path: \"/" + GrpcOrigin.SERVICE + "/Unary\" }, upstream: texts }]\n";
        try (Through t = new Through(false, some, ", limits: { body: 1KiB }")) {
            Status nowhere = status(t.channel, GrpcOrigin.HANG, "x");
            assertThat(nowhere.getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
            assertThat(nowhere.getDescription()).isEqualTo("no route matches this request");
            assertThat(status(t.channel, GrpcOrigin.UNARY, "x".repeat(2000)).getCode())
                    .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(unary(t.channel, GrpcOrigin.UNARY, "small")).isEqualTo("SMALL");
            t.origin.close();
            eventually(() -> assertThat(status(t.channel, GrpcOrigin.UNARY, "x").getDescription())
                    .isEqualTo("the origin refused the connection"));
            assertThat(status(t.channel, GrpcOrigin.UNARY, "x").getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
    }

    @Test
    void aRouteTimeoutBelowTheDeadlineIsReported() throws Exception {
        String brief = "routes: [{ id: all, upstream: texts, timeouts: { exchange: 300ms } }]\n";
        try (Through t = new Through(false, brief, "")) {
            Status late = status(t.channel, GrpcOrigin.HANG, "x");
            assertThat(late.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
            assertThat(late.getDescription()).isEqualTo("the exchange exceeded its timeout");
        }
    }
}
