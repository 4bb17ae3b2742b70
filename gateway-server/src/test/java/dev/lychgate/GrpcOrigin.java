package dev.lychgate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.lychgate.testing.Certificates;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A gRPC server with plain text messages: each kind of call, and calls that do not end by themselves. */
final class GrpcOrigin implements AutoCloseable {
    static final String SERVICE = "lychgate.test.Texts";

    /** Responds with its message in capitals. */
    static final MethodDescriptor<String, String> UNARY = method(MethodType.UNARY, "Unary");
    /** Responds to all messages with one. */
    static final MethodDescriptor<String, String> COLLECT = method(MethodType.CLIENT_STREAMING, "Collect");
    /** Responds with the number of messages that its message states. */
    static final MethodDescriptor<String, String> COUNT = method(MethodType.SERVER_STREAMING, "Count");
    /** Responds to each message at once. */
    static final MethodDescriptor<String, String> ECHO = method(MethodType.BIDI_STREAMING, "Echo");
    /** Ends with the status that its message names, and no message. */
    static final MethodDescriptor<String, String> FAIL = method(MethodType.UNARY, "Fail");
    /** Never responds. */
    static final MethodDescriptor<String, String> HANG = method(MethodType.UNARY, "Hang");
    /** Sends messages of 64 KiB as long as the client reads. */
    static final MethodDescriptor<String, String> FLOOD = method(MethodType.SERVER_STREAMING, "Flood");
    /** Unknown to the server. */
    static final MethodDescriptor<String, String> UNKNOWN = method(MethodType.UNARY, "Unknown");

    static final Metadata.Key<String> TEXT = Metadata.Key.of("x-text", Metadata.ASCII_STRING_MARSHALLER);
    static final Metadata.Key<byte[]> BYTES = Metadata.Key.of("x-bytes-bin", Metadata.BINARY_BYTE_MARSHALLER);

    /** Received calls of {@link #HANG}. */
    final CountDownLatch hanging = new CountDownLatch(1);
    /** Calls that were cancelled. */
    final CountDownLatch cancelled = new CountDownLatch(1);
    /** Messages of {@link #FLOOD} that were sent. */
    final AtomicInteger flooded = new AtomicInteger();
    /** Whether the last call had a deadline. */
    volatile boolean hadDeadline;

    /** Its health service. The whole server is healthy by default. */
    final HealthStatusManager health = new HealthStatusManager();
    /** Calls of {@link #UNARY}. */
    final AtomicInteger asked = new AtomicInteger();

    private final Server server;

    private GrpcOrigin(@Nullable X509Bundle certificate) throws IOException {
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        if (certificate != null) {
            builder.sslContext(GrpcSslContexts.forServer(
                            stream(certificate.getCertificatePathPEM()), stream(certificate.getPrivateKeyPEM()))
                    .build());
        }
        server = builder.maxInboundMessageSize(64 << 20)
                .intercept(new Mirror())
                .addService(service())
                .addService(health.getHealthService())
                .build()
                .start();
    }

    /** A server; with TLS if there is a certificate. */
    static GrpcOrigin start(@Nullable X509Bundle certificate) throws IOException {
        return new GrpcOrigin(certificate);
    }

    /** A server that has a certificate of {@code authority} for localhost. */
    static GrpcOrigin overTls(Certificates authority) throws IOException {
        return start(authority.issue("localhost"));
    }

    private static InputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(UTF_8));
    }

    int port() {
        return server.getPort();
    }

    private static MethodDescriptor<String, String> method(MethodType type, String name) {
        return MethodDescriptor.<String, String>newBuilder(new Text(), new Text())
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .build();
    }

    private ServerServiceDefinition service() {
        return ServerServiceDefinition.builder(SERVICE)
                .addMethod(UNARY, ServerCalls.asyncUnaryCall((message, to) -> {
                    asked.incrementAndGet();
                    to.onNext(message.toUpperCase(java.util.Locale.ROOT));
                    to.onCompleted();
                }))
                .addMethod(COLLECT, ServerCalls.asyncClientStreamingCall(Collecting::new))
                .addMethod(COUNT, ServerCalls.asyncServerStreamingCall((message, to) -> {
                    for (int i = 1; i <= Integer.parseInt(message); i++) {
                        to.onNext(Integer.toString(i));
                    }
                    to.onCompleted();
                }))
                .addMethod(ECHO, ServerCalls.asyncBidiStreamingCall(Echoing::new))
                .addMethod(
                        FAIL,
                        ServerCalls.asyncUnaryCall(
                                (message, to) -> to.onError(Status.fromCode(Status.Code.valueOf(message))
                                        .withDescription("as you wish: 100 %, \u00e4")
                                        .asRuntimeException(trailers("sorry")))))
                .addMethod(HANG, ServerCalls.asyncUnaryCall((message, to) -> {
                    hadDeadline = Context.current().getDeadline() != null;
                    ((ServerCallStreamObserver<String>) to).setOnCancelHandler(cancelled::countDown);
                    hanging.countDown();
                }))
                .addMethod(FLOOD, ServerCalls.asyncServerStreamingCall((message, to) -> {
                    ServerCallStreamObserver<String> flow = (ServerCallStreamObserver<String>) to;
                    String piece = "x".repeat(64 << 10);
                    int most = Integer.parseInt(message);
                    flow.setOnCancelHandler(cancelled::countDown);
                    flow.setOnReadyHandler(() -> {
                        while (flow.isReady() && flooded.get() < most) {
                            flow.onNext(piece);
                            if (flooded.incrementAndGet() == most) {
                                flow.onCompleted();
                            }
                        }
                    });
                }))
                .build();
    }

    static Metadata trailers(String text) {
        Metadata trailers = new Metadata();
        trailers.put(TEXT, text);
        return trailers;
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    /** Sends the client's metadata back: as headers, and as trailers of calls that end well. */
    private static final class Mirror implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            Metadata seen = new Metadata();
            String text = headers.get(TEXT);
            byte[] bytes = headers.get(BYTES);
            if (text != null) {
                seen.put(TEXT, text);
            }
            if (bytes != null) {
                seen.put(BYTES, bytes);
            }
            ServerCall<Q, A> mirrored = new io.grpc.ForwardingServerCall.SimpleForwardingServerCall<>(call) {
                @Override
                public void sendHeaders(Metadata out) {
                    out.merge(seen);
                    super.sendHeaders(out);
                }

                @Override
                public void close(Status status, Metadata trailers) {
                    if (status.isOk()) {
                        trailers.merge(seen);
                    }
                    super.close(status, trailers);
                }
            };
            return Contexts.interceptCall(Context.current(), mirrored, headers, next);
        }
    }

    private static final class Collecting implements StreamObserver<String> {
        private final StreamObserver<String> to;
        private final List<String> all = new ArrayList<>();

        private Collecting(StreamObserver<String> to) {
            this.to = to;
        }

        @Override
        public void onNext(String message) {
            all.add(message);
        }

        @Override
        public void onError(Throwable cause) {}

        @Override
        public void onCompleted() {
            to.onNext(String.join("+", all));
            to.onCompleted();
        }
    }

    private static final class Echoing implements StreamObserver<String> {
        private final StreamObserver<String> to;

        private Echoing(StreamObserver<String> to) {
            this.to = to;
        }

        @Override
        public void onNext(String message) {
            to.onNext("re: " + message);
        }

        @Override
        public void onError(Throwable cause) {}

        @Override
        public void onCompleted() {
            to.onCompleted();
        }
    }

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String message) {
            return GrpcOrigin.stream(message);
        }

        @Override
        public String parse(InputStream bytes) {
            try {
                return new String(bytes.readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
