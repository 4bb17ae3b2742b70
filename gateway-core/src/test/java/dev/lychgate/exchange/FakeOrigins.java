package dev.lychgate.exchange;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ConnectionOwner;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.OriginConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Origins without sockets: connects end when the test says so, and connections are embedded channels. */
final class FakeOrigins implements Connector {
    private record Connect(ConnectionOwner owner, Outcome outcome) {}

    private final Loop loop;
    private final ArrayDeque<Connect> underWay = new ArrayDeque<>();
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final StringBuilder received = new StringBuilder();

    FakeOrigins(Loop loop) {
        this.loop = loop;
    }

    @Override
    public void connect(EndpointConfig endpoint, long timeout, ConnectionOwner owner, Outcome outcome) {
        underWay.add(new Connect(owner, outcome));
    }

    void accept() {
        Connect first = underWay.remove();
        EmbeddedChannel channel = new EmbeddedChannel();
        channels.add(channel);
        first.outcome().onConnected(OriginConnection.on(channel, loop, first.owner()));
    }

    void refuse() {
        underWay.remove()
                .outcome()
                .onConnectFailed(GatewayError.upstream(ErrorKind.CONNECT_REFUSED, Retry.UNPROCESSED, "refused"));
    }

    int connecting() {
        return underWay.size();
    }

    EmbeddedChannel newest() {
        return channels.get(channels.size() - 1);
    }

    /** Whether the newest connection is being read. */
    boolean isRead() {
        return newest().config().isAutoRead();
    }

    void says(String text) {
        newest().writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        newest().runPendingTasks();
    }

    void hangsUp() {
        newest().close();
        newest().runPendingTasks();
    }

    void takes(boolean more) {
        newest().unsafe().outboundBuffer().setUserDefinedWritability(1, more);
        newest().runPendingTasks();
    }

    /** All that all connections were sent so far. */
    String received() {
        for (EmbeddedChannel channel : channels) {
            for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
                received.append(sent.toString(StandardCharsets.US_ASCII));
                sent.release();
            }
        }
        return received.toString();
    }

    int open() {
        return (int) channels.stream().filter(EmbeddedChannel::isActive).count();
    }

    void close() {
        received();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }
}
