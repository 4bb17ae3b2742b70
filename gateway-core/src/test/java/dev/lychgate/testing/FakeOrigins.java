package dev.lychgate.testing;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ConnectionOwner;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.origin.OriginConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Origins without sockets: the test completes connects, and connections are embedded channels. */
public final class FakeOrigins implements Connector, AutoCloseable {
    private record Connect(ConnectionOwner owner, Outcome outcome) {}

    private final Loop loop;
    private final ArrayDeque<Connect> underWay = new ArrayDeque<>();
    private final List<EmbeddedChannel> channels = new ArrayList<>();
    private final StringBuilder received = new StringBuilder();

    /**
     * No connection completes yet.
     *
     * @param loop the loop of the pools
     */
    public FakeOrigins(Loop loop) {
        this.loop = loop;
    }

    @Override
    public void connect(Destination to, long timeout, ConnectionOwner owner, Outcome outcome) {
        underWay.add(new Connect(owner, outcome));
    }

    /** Accepts the oldest pending connect. */
    public void accept() {
        Connect first = underWay.remove();
        EmbeddedChannel channel = new EmbeddedChannel();
        channels.add(channel);
        first.outcome().onConnected(OriginConnection.on(channel, loop, first.owner()));
    }

    /** Refuses the oldest pending connect. */
    public void refuse() {
        underWay.remove()
                .outcome()
                .onConnectFailed(GatewayError.upstream(ErrorKind.CONNECT_REFUSED, Retry.UNPROCESSED, "refused"));
    }

    /** The number of pending connects. */
    public int connecting() {
        return underWay.size();
    }

    /** The connection accepted last. */
    public EmbeddedChannel newest() {
        return channels.get(channels.size() - 1);
    }

    /** Whether the newest connection is being read. */
    public boolean isRead() {
        return newest().config().isAutoRead();
    }

    /** Sends text over the newest connection. */
    public void says(String text) {
        says(channels.size() - 1, text);
    }

    /**
     * Sends text over one connection.
     *
     * @param index which one, in the order in which they were accepted, from 0
     */
    public void says(int index, String text) {
        EmbeddedChannel channel = channels.get(index);
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        channel.runPendingTasks();
    }

    /** Closes the newest connection. */
    public void hangsUp() {
        newest().close();
        newest().runPendingTasks();
    }

    /** Sets whether the newest connection accepts more writes. */
    public void takes(boolean more) {
        newest().unsafe().outboundBuffer().setUserDefinedWritability(1, more);
        newest().runPendingTasks();
    }

    /** All that all connections were sent so far. */
    public String received() {
        for (EmbeddedChannel channel : channels) {
            for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
                received.append(sent.toString(StandardCharsets.US_ASCII));
                sent.release();
            }
        }
        return received.toString();
    }

    /** Returns the number of open connections. */
    public int open() {
        return (int) channels.stream().filter(EmbeddedChannel::isActive).count();
    }

    /** Ends all connections. */
    @Override
    public void close() {
        received();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }
}
