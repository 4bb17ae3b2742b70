package dev.lychgate.listener;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds the connections of a listener: at the limit it stops accepting, so that further ones wait in the kernel's
 * backlog instead of taking descriptors, and goes on as soon as one closes. Any thread.
 */
final class AcceptGate {
    private volatile int limit;
    private final ListenerCounters counters;
    private final AtomicInteger open = new AtomicInteger();
    private final List<Acceptor> acceptors = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private volatile boolean stopped;

    AcceptGate(int limit, ListenerCounters counters) {
        this.limit = limit;
        this.counters = counters;
    }

    /** Returns how many connections may be open. */
    int limit() {
        return limit;
    }

    /** Changes how many connections may be open. Those beyond a lower limit stay until they close. */
    void limit(int changed) {
        if (changed != limit && !stopped) {
            limit = changed;
            adjust();
        }
    }

    void guard(Acceptor acceptor) {
        acceptors.add(acceptor);
    }

    void opened() {
        counters.accepted.increment();
        if (open.incrementAndGet() == limit && !stopped) {
            counters.acceptPauses.increment();
            adjust();
        }
    }

    void closed() {
        counters.closed.increment();
        int before = open.getAndDecrement();
        if (stopped) {
            completeIfEmpty();
        } else if (before == limit) {
            adjust();
        }
    }

    private void completeIfEmpty() {
        if (open.get() == 0) {
            empty.complete(null);
        }
    }

    /** Never accepts again. @return completes when the last connection has closed */
    CompletableFuture<Void> stop() {
        stopped = true;
        completeIfEmpty();
        return empty;
    }

    /**
     * Accepts if, and only if, there is room. Loops may cross the limit at the same time in opposite directions, and NIO
     * takes orders from other threads out of turn; so each acceptor looks for itself, on its own loop, at the count as it
     * is then. Whoever looks last sees what all crossings have left: acceptors never stay paused below the limit.
     */
    private void adjust() {
        for (Acceptor acceptor : acceptors) {
            Channel channel = acceptor.channel();
            if (channel.eventLoop().inEventLoop()) {
                adjust(channel);
            } else {
                channel.eventLoop().execute(() -> adjust(channel));
            }
        }
    }

    /** As above, for one listening socket, on its loop. */
    void adjust(Channel acceptor) {
        acceptor.config().setAutoRead(open.get() < limit);
    }

    boolean isStopped() {
        return stopped;
    }
}
