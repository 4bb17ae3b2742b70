package dev.lychgate.listener;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;

/**
 * Decides what follows a response on an HTTP/1.1 client connection: its next request, the rest of its request, or its close, in
 * the way that does not lose the last response.
 */
abstract class KeepAlive {
    /** Unparsed bytes of further requests from which reading pauses. */
    private static final int PIPELINED_BYTES = 16 * 1024;

    final Channel channel;
    final ConnectionProgress progress;
    final ReadControl reading;
    final ResponseWriter writer;
    final ClientWatch watch;
    final UnparsedBytes unparsed;
    /** Idle, but no request is read: the client does not read its responses. */
    private boolean heldBack;

    KeepAlive(
            Channel channel,
            ConnectionProgress progress,
            ReadControl reading,
            ResponseWriter writer,
            ClientWatch watch,
            UnparsedBytes unparsed) {
        this.channel = channel;
        this.progress = progress;
        this.reading = reading;
        this.writer = writer;
        this.watch = watch;
        this.unparsed = unparsed;
    }

    /** The response is complete. @param requestDone whether the exchange has read the request to its end */
    public void onExchangeEnd(boolean requestDone) {
        boolean paused = reading.isBodyPaused();
        reading.forgetBody();
        if (progress.is(ServerState.CLOSED)) {
            return;
        }
        // "Done" without having been received: a bodyless request whose end has not been reported yet.
        boolean received = progress.is(ServerState.RECEIVED) || requestDone;
        if (!writer.isPersistent()) {
            if (received && reading.buffered() == 0) {
                closeWhenWritten();
            } else {
                linger();
            }
        } else if (received) {
            becomeIdle();
        } else {
            progress.become(ServerState.DISCARDING);
            watch.awaitBody();
            if (paused) {
                resume();
            }
        }
    }

    /** The next request may begin. */
    final void becomeIdle() {
        if (!progress.is(ServerState.IDLE)) {
            progress.become(ServerState.IDLE);
        }
        if (channel.isWritable()) {
            watch.awaitRequest();
            resume();
        } else {
            // Pauses reading from a client that does not read its responses.
            heldBack = true;
            reading.hold();
            watch.awaitReader();
        }
    }

    /** The channel is writable again. */
    final void onWritable() {
        if (heldBack && progress.is(ServerState.IDLE)) {
            heldBack = false;
            becomeIdle();
        }
    }

    /** Bytes that waited may become a request, or a part of one, with no read, and so no end of a read, behind them. */
    private void resume() {
        if (reading.resume()) {
            onReadComplete();
        }
    }

    final void onReadComplete() {
        unparsed.count();
        Exchange current = progress.exchange();
        if (current != null) {
            current.onDownstreamReadComplete();
            if (progress.is(ServerState.RECEIVED) && reading.buffered() > PIPELINED_BYTES) {
                reading.stopChannel();
            }
        } else if (progress.is(ServerState.IDLE) && reading.buffered() > 0) {
            watch.awaitHead();
        } else if (progress.is(ServerState.CLOSED) && reading.buffered() > PIPELINED_BYTES) {
            // These are never parsed: a client that reads its last response slowly can't fill our memory meanwhile.
            reading.stopChannel();
        }
    }

    // ---- the close

    /** Closes as soon as the response has left: the client has nothing more to send. */
    private void closeWhenWritten() {
        progress.become(ServerState.CLOSED);
        watch.awaitLastBytes();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Closes our side as soon as the response has left, and discards input for a moment: the client may still be sending. */
    final void linger() {
        progress.become(ServerState.LINGERING);
        watch.awaitLastBytes();
        reading.resume();
        TlsChannels.shutdownOutput(channel, watch::awaitFarewell);
    }

    final void close() {
        progress.become(ServerState.CLOSED);
        TlsChannels.close(channel);
    }

    /**
     * As {@link #cut}, within a response.
     *
     * @param untilClose whether it ends with the connection: only a reset tells the client that it is not complete
     */
    final void cutResponse(boolean untilClose) {
        if (untilClose) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        cut();
    }

    /** Closes without waiting for anything, and without close_notify inside TLS. */
    final void cut() {
        progress.become(ServerState.CLOSED);
        TlsChannels.cut(channel);
    }
}
