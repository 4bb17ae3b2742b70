package dev.lychgate.listener;

import java.util.concurrent.atomic.LongAdder;

/** What one listener has seen. Written by its connections' event loops, read by anybody. */
public final class ListenerCounters {
    final LongAdder accepted = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder idleTimeouts = new LongAdder();
    final LongAdder acceptPauses = new LongAdder();

    final HandshakeCounters handshakes = new HandshakeCounters();

    /** What TLS handshakes have come to. */
    public HandshakeCounters handshakes() {
        return handshakes;
    }

    /** Connections accepted. */
    public long accepted() {
        return accepted.sum();
    }

    /** Connections open now. */
    public long open() {
        return accepted.sum() - closed.sum();
    }

    /** Connections closed because they were silent between requests, or never sent one. */
    public long idleTimeouts() {
        return idleTimeouts.sum();
    }

    /** How often accepting was suspended because the limit of connections was reached. */
    public long acceptPauses() {
        return acceptPauses.sum();
    }
}
