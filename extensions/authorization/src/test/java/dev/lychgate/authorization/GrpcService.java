package dev.lychgate.authorization;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gRPC server with {@code envoy.service.auth.v3.Authorization}, whose responses a test supplies. */
final class GrpcService implements AutoCloseable {
    /** Responds to a request. */
    interface Responses {
        void respond(DynamicMessage request, StreamObserver<byte[]> to);
    }

    /** The received requests. */
    final List<DynamicMessage> requests = new CopyOnWriteArrayList<>();

    private final Server server;

    private GrpcService(Responses responses) throws IOException {
        MethodDescriptor<byte[], byte[]> check = MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
                .setType(MethodType.UNARY)
                .setFullMethodName("envoy.service.auth.v3.Authorization/Check")
                .build();
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerServiceDefinition.builder("envoy.service.auth.v3.Authorization")
                        .addMethod(check, ServerCalls.asyncUnaryCall((bytes, to) -> {
                            DynamicMessage request = parsed(bytes);
                            requests.add(request);
                            responses.respond(request, to);
                        }))
                        .build())
                .build()
                .start();
    }

    private static DynamicMessage parsed(byte[] bytes) {
        try {
            return DynamicMessage.parseFrom(EnvoyApi.message("CheckRequest"), bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    static GrpcService responding(Responses responses) throws IOException {
        return new GrpcService(responses);
    }

    static GrpcService responding(byte[] response) throws IOException {
        return new GrpcService((request, to) -> {
            to.onNext(response);
            to.onCompleted();
        });
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort());
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
