package dev.lychgate.listener;

import dev.lychgate.exchange.Exchange;
import io.netty.channel.Channel;

/** Decides what follows a response on an HTTP/1.1 client connection: its next request, the rest of its request, or its close. */
final class KeepAlive {
    /** Unparsed bytes of further requests from which reading pauses. */
    private static final int PIPELINED_BYTES = 16 * 1024;

    private final Channel channel;
    private final ConnectionProgress progress;
    private final ReadControl reading;
    private final ResponseWriter writer;
    private final ClientWatch watch;
    private final UnparsedBytes unparsed;
    private final ConnectionCloser closer;
    /** Idle, but no request is read: the client does not read its responses. */
    private boolean heldBack;

    KeepAlive(
            Channel channel,
            ConnectionProgress progress,
            ReadControl reading,
            ResponseWriter writer,
            ClientWatch watch,
            UnparsedBytes unparsed,
            ConnectionCloser closer) {
        this.channel = channel;
        this.progress = progress;
        this.reading = reading;
        this.writer = writer;
        this.watch = watch;
        this.unparsed = unparsed;
        this.closer = closer;
    }

    /** The response is complete. @param requestDone whether the exchange has read the request to its end */
    void onExchangeEnd(boolean requestDone) {
        boolean paused = reading.isBodyPaused();
        reading.forgetBody();
        if (progress.is(ServerState.CLOSED)) {
            return;
        }
        // "Done" without having been received: a bodyless request whose end has not been reported yet.
        boolean received = progress.is(ServerState.RECEIVED) || requestDone;
        if (!writer.isPersistent()) {
            if (received && reading.buffered() == 0) {
                closer.closeWhenWritten();
            } else {
                closer.linger();
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
    void becomeIdle() {
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
    void onWritable() {
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

    void onReadComplete() {
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
}
