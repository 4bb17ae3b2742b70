package dev.lychgate.listener;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.tls.TlsChannels;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;

/**
 * Decides what follows a response on an HTTP/1.1 client connection: the next request, the rest of the current request,
 * or a close that does not lose the response.
 */
abstract class KeepAlive {
    /** Maximum number of unparsed bytes of pipelined requests. While there are more, reading is paused. */
    private static final int PIPELINED_BYTES = 16 * 1024;

    final Channel channel;
    final ConnectionProgress progress;
    final ReadControl reading;
    final ResponseWriter writer;
    final ClientWatch watch;
    final UnparsedBytes unparsed;
    /** True if reading from the idle connection is paused, because the client does not read its responses. */
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

    /**
     * Handles a complete response.
     *
     * @param requestDone whether the exchange has read the complete request
     */
    public void onExchangeEnd(boolean requestDone) {
        boolean paused = reading.isBodyPaused();
        reading.forgetBody();
        if (progress.is(ServerState.CLOSED)) {
            return;
        }
        // The end of a request without a body may not have been reported yet. In this case, the state is not RECEIVED
        // yet.
        boolean received = progress.is(ServerState.RECEIVED) || requestDone;
        if (!writer.isPersistent()) {
            if (received && !reading.mayHaveInput()) {
                closeWhenWritten();
            } else {
                // A plain close with unread input resets the connection, and the client could lose the response.
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

    /** Starts waiting for the next request. */
    final void becomeIdle() {
        reading.forgetBody();
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

    /** Resumes reading when the channel has become writable again. */
    final void onWritable() {
        if (heldBack && progress.is(ServerState.IDLE)) {
            heldBack = false;
            becomeIdle();
        }
    }

    /**
     * Resumes parsing. During this call, buffered bytes may be parsed as a request or a part of a request. No
     * read-complete event follows.
     */
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
            // These bytes are never parsed. Without a limit, a client that reads its last response slowly could fill
            // the memory.
            reading.stopChannel();
        }
    }

    // ---- close

    /** Closes the connection as soon as the response has been sent. No more input is expected. */
    private void closeWhenWritten() {
        progress.become(ServerState.CLOSED);
        watch.awaitLastBytes();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /**
     * Closes the output after the response and discards input for {@code LINGER}, because the client may still be
     * sending.
     */
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
     * Closes the connection immediately within a response, like {@link #cut}.
     *
     * @param untilClose whether the response ends with the connection, so that only a reset shows that the response is
     *         incomplete
     */
    final void cutResponse(boolean untilClose) {
        if (untilClose) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        cut();
    }

    /** Closes the connection immediately. A TLS connection is closed without a close_notify. */
    final void cut() {
        progress.become(ServerState.CLOSED);
        TlsChannels.cut(channel);
    }
}
