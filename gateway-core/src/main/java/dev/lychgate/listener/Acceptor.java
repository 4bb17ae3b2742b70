package dev.lychgate.listener;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listening socket of a listener. If the event loop that accepts from it stands still, the socket is taken off that loop and
 * bound again: to a loop that makes progress, or to the same one when it does again, if the socket belongs to one loop for good
 * ({@code reuse-port}). With NIO only the loop itself could take the socket off, so there it stays.
 *
 * <p>Used by the thread that starts the listener, then by the one that watches event loops; {@link #channel()} by any.
 */
final class Acceptor {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

    private final ServerBootstrap bootstrap;
    private final InetSocketAddress address;
    private final Consumer<Channel> opened;
    private volatile Channel channel;
    private volatile State state = State.LISTENING;

    private enum State {
        LISTENING,
        /** Its loop stands still: it is off that loop, and to be bound again. */
        OFF,
        /** It is being bound again. */
        BINDING
    }

    /**
     * @param bootstrap makes the socket, and has made {@code channel}
     * @param channel the socket, bound
     * @param opened hears of each later channel, on the loop that it was bound to
     */
    Acceptor(ServerBootstrap bootstrap, Channel channel, Consumer<Channel> opened) {
        this.bootstrap = bootstrap;
        this.channel = channel;
        this.address = (InetSocketAddress) channel.localAddress();
        this.opened = opened;
    }

    /** The socket that listens, or did last. */
    Channel channel() {
        return channel;
    }

    InetSocketAddress address() {
        return address;
    }

    /**
     * Takes the socket off a loop that stands still, and binds it to one that does not. Returns at once; to be called again and
     * again while any loop stands still, as both may fail.
     *
     * @param stalled whether a loop stands still, while another one does not
     */
    void settle(Predicate<EventLoop> stalled) {
        if (state == State.LISTENING && stalled.test(channel.eventLoop()) && stopListening()) {
            state = State.OFF;
        }
        if (state == State.OFF && !(bootstrap.config().group() instanceof EventLoop own && stalled.test(own))) {
            state = State.BINDING;
            bootstrap.bind(address).addListener((ChannelFuture bound) -> onBound(bound));
        }
    }

    /**
     * From outside, as the loop can't: no connection waits in the backlog for it any more. Those that wait are reset, and their
     * clients may try again. The channel is closed when the loop goes on.
     */
    private boolean stopListening() {
        if (!(channel instanceof UnixChannel unix) || !(unix.fd() instanceof Socket socket)) {
            return false;
        }
        try {
            socket.shutdown(true, false);
        } catch (IOException e) {
            LOG.error("{} can't be taken off an event loop that stands still: {}", address, e.toString());
            return false;
        }
        channel.close();
        return true;
    }

    private void onBound(ChannelFuture bound) {
        if (bound.isSuccess()) {
            channel = bound.channel();
            state = State.LISTENING;
            opened.accept(channel);
        } else {
            LOG.error("{} can't be bound to another event loop: {}", address, BindFailure.reason(bound.cause()));
            state = State.OFF;
        }
    }
}
