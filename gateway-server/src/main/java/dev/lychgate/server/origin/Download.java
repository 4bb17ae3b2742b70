package dev.lychgate.server.origin;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** Sends any number of bytes as fast as they are taken, from one block that is never copied. */
final class Download implements Answer {
    private static final String TYPE = "application/octet-stream";

    /** After this many bytes the loop's other connections get their turn. */
    private static final long AT_A_STRETCH = 4 << 20;

    private final Turn turn;
    private final Desk desk;
    private long sent;
    private boolean pumping;
    private boolean over;

    Download(Turn turn, Desk desk) {
        this.turn = turn;
        this.desk = desk;
    }

    @Override
    public void onEnd() {
        long length = turn.ask.length();
        ByteBuf ready = turn.isPlain() ? desk.ready(length) : null;
        if (ready != null) {
            over = true;
            turn.ready(ready);
            return;
        }
        turn.begin(TYPE, length);
        if (turn.isBodiless()) {
            over = true;
            turn.finish();
        } else {
            pump();
        }
    }

    @Override
    public void onWritable() {
        pump();
    }

    @Override
    public void onGone() {
        over = true;
    }

    /** Flushing may find the connection writable again and call us from below: the loop is the one that goes on. */
    private void pump() {
        if (pumping || over) {
            return;
        }
        pumping = true;
        Channel channel = turn.channel();
        long stop = sent + AT_A_STRETCH;
        while (!over && sent < turn.ask.length() && sent < stop && channel.isWritable()) {
            while (sent < turn.ask.length() && channel.isWritable()) {
                ByteBuf part = desk.content(sent, turn.ask.length() - sent);
                sent += part.readableBytes();
                turn.body(part);
            }
            channel.flush();
        }
        pumping = false;
        if (!over && sent == turn.ask.length()) {
            over = true;
            turn.finish();
            channel.flush();
        } else if (!over && channel.isWritable()) {
            channel.eventLoop().execute(this::pump);
        }
    }
}
