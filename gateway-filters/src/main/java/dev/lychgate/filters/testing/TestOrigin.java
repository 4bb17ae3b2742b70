package dev.lychgate.filters.testing;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ConnectionOwner;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.origin.OriginConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The simulated origins of a test. Connections to them are embedded channels, which {@link #step} accepts and serves.
 */
final class TestOrigin implements Connector, AutoCloseable {
    /**
     * The domain of the endpoints. The host name of an endpoint consists of the name of its upstream and this suffix.
     */
    static final String DOMAIN = ".invalid";

    private record Connect(String upstream, ConnectionOwner owner, Outcome outcome) {}

    /** The requests that an upstream received. */
    private record Received(String upstream, SentRequest request) {}

    /** A connection to an origin, and the received part of an incomplete request. */
    private static final class Connection {
        private final String upstream;
        private final EmbeddedChannel channel = new EmbeddedChannel();
        private final EmbeddedChannel decoder = new EmbeddedChannel(new HttpRequestDecoder());
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable HttpRequest head;

        private Connection(String upstream) {
            this.upstream = upstream;
        }

        /** Returns the next complete request; null if no request is complete. */
        private @Nullable SentRequest read() {
            for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
                decoder.writeInbound(sent);
            }
            for (Object part = decoder.readInbound(); part != null; part = decoder.readInbound()) {
                if (part instanceof HttpRequest request) {
                    head = request;
                }
                if (part instanceof HttpContent content) {
                    body.writeBytes(ByteBufUtil.getBytes(content.content()));
                    content.release();
                }
                if (part instanceof LastHttpContent && head != null) {
                    SentRequest whole = new SentRequest(head, body.toByteArray());
                    body.reset();
                    return whole;
                }
            }
            return null;
        }

        private void close() {
            channel.finishAndReleaseAll();
            decoder.finishAndReleaseAll();
        }
    }

    private final SimulatedOrigins origins;
    private final ArrayDeque<Connect> connects = new ArrayDeque<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<Received> received = new ArrayList<>();
    private boolean silent;

    /**
     * Creates the origins of a test.
     *
     * @param others returns the responses of the upstreams that the test has added, by the name of the upstream
     * @param failure the error of every connect to an upstream that is not in {@code others}; null if connects succeed
     */
    TestOrigin(
            Function<SentRequest, OriginResponse> answers,
            Map<String, Function<SentRequest, OriginResponse>> others,
            @Nullable ErrorKind failure) {
        this(new Described(answers, others, failure));
    }

    TestOrigin(SimulatedOrigins origins) {
        this.origins = origins;
    }

    private record Described(
            Function<SentRequest, OriginResponse> answers,
            Map<String, Function<SentRequest, OriginResponse>> others,
            @Nullable ErrorKind failure)
            implements SimulatedOrigins {
        @Override
        public @Nullable GatewayError refusal(String upstream) {
            return failure == null || others.containsKey(upstream) ? null : error(failure);
        }

        @Override
        public @Nullable OriginResponse answer(String upstream, SentRequest request) {
            return others.getOrDefault(upstream, answers).apply(request);
        }
    }

    @Override
    public void connect(Destination to, long timeout, ConnectionOwner owner, Outcome outcome) {
        String host = to.address().host();
        String upstream = host.endsWith(DOMAIN)
                ? host.substring(0, host.length() - DOMAIN.length())
                : to.address().toString();
        connects.add(new Connect(upstream, owner, outcome));
    }

    /**
     * Performs the next pending step of an origin.
     *
     * @return whether there was a pending step
     */
    boolean step(Loop loop) {
        Connect connect = connects.poll();
        if (connect != null) {
            GatewayError refusal = origins.refusal(connect.upstream());
            if (refusal != null) {
                connect.outcome().onConnectFailed(refusal);
                return true;
            }
            Connection connection = new Connection(connect.upstream());
            connections.add(connection);
            connect.outcome().onConnected(OriginConnection.on(connection.channel, loop, connect.owner()));
            return true;
        }
        boolean busy = false;
        for (Connection connection : List.copyOf(connections)) {
            connection.channel.runPendingTasks();
            SentRequest request = connection.read();
            if (request != null) {
                received.add(new Received(connection.upstream, request));
                answer(connection, request);
                busy = true;
            }
        }
        return busy;
    }

    private void answer(Connection connection, SentRequest request) {
        EmbeddedChannel channel = connection.channel;
        OriginResponse answer = origins.answer(connection.upstream, request);
        if (answer == null) {
            silent = true;
            return;
        }
        if (answer.isHangUp()) {
            channel.close();
        } else {
            for (byte[] read : answer.onTheWire(request.getMethod().equals("HEAD"))) {
                // The gateway may have aborted the exchange during the response.
                if (channel.isOpen()) {
                    channel.writeInbound(Unpooled.wrappedBuffer(read));
                }
            }
        }
        channel.runPendingTasks();
    }

    private static GatewayError error(ErrorKind kind) {
        String detail = "the test raised this error";
        return switch (kind) {
            case INTERNAL, NO_ENDPOINT, ACQUIRE_TIMEOUT, POOL_EXHAUSTED, DRAINING -> GatewayError.local(kind, detail);
            default -> GatewayError.upstream(kind, Retry.NEVER, detail);
        };
    }

    /** Returns the host name for an upstream, or for the origin of a URL. */
    static String name(String upstreamOrUrl) {
        return upstreamOrUrl.contains("://")
                ? EndpointAddress.parse(upstreamOrUrl).toString()
                : upstreamOrUrl;
    }

    /** Returns the requests that the origin of {@code upstream} has received, in their order. */
    List<SentRequest> received(String upstream) {
        return received.stream()
                .filter(one -> one.upstream().equals(name(upstream)))
                .map(Received::request)
                .toList();
    }

    /** Returns whether an origin has received a request to which it never responds. */
    boolean isSilent() {
        return silent;
    }

    @Override
    public void close() {
        connections.forEach(Connection::close);
    }
}
