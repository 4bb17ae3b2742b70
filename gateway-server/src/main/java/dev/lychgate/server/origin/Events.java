package dev.lychgate.server.origin;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Sends a line each 200 ms: a stream that is slow by nature and must not be held back by anyone on its way. */
final class Events implements Answer {
    static final int INTERVAL_MILLIS = 200;

    private final Turn turn;
    private int sent;
    private @Nullable Future<?> next;

    Events(Turn turn) {
        this.turn = turn;
    }

    @Override
    public void onEnd() {
        turn.begin("text/event-stream", -1);
        if (turn.isBodiless() || turn.ask.count() == 0) {
            turn.finish();
        } else {
            send();
        }
    }

    @Override
    public void onGone() {
        if (next != null) {
            next.cancel(false);
        }
    }

    private void send() {
        Channel channel = turn.channel();
        sent++;
        turn.body(ByteBufUtil.writeAscii(channel.alloc(), "data: event " + sent + " of " + turn.ask.count() + "\n\n"));
        if (sent == turn.ask.count()) {
            turn.finish();
        } else {
            next = channel.eventLoop().schedule(this::send, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
        }
        channel.flush();
    }
}
