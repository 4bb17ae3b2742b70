package dev.lychgate.listener;

import io.netty.channel.Channel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the open connections of a listener. At the limit, the listener stops accepting until a connection closes.
 * Until then, further connections wait in the kernel's backlog and use no file descriptors. Thread-safe.
 */
final class AcceptGate {
    private volatile int limit;
    private final ListenerCounters counters;
    private final AtomicInteger open = new AtomicInteger();
    private final List<Acceptor> acceptors = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private volatile boolean stopped;
    private volatile boolean heldBack = InheritedSockets.isHeldBack();

    AcceptGate(int limit, ListenerCounters counters) {
        this.limit = limit;
        this.counters = counters;
    }

    int limit() {
        return limit;
    }

    ListenerCounters counters() {
        return counters;
    }

    /** Changes the limit of open connections. If the new limit is lower, all open connections stay open. */
    void limit(int changed) {
        if (changed != limit && !stopped) {
            limit = changed;
            adjust();
        }
    }

    /** Accepts connections from now on, also from adopted sockets; see {@link InheritedSockets#holdBack}. */
    void release() {
        heldBack = false;
        adjust();
    }

    void guard(Acceptor acceptor) {
        acceptors.add(acceptor);
    }

    /** Replaces the sockets of the listener, and lets the new sockets accept connections. */
    void replace(List<Acceptor> before, List<Acceptor> next) {
        acceptors.addAll(next);
        acceptors.removeAll(before);
        adjust();
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

    /**
     * Stops accepting permanently.
     *
     * @return completes when the last connection has closed
     */
    CompletableFuture<Void> stop() {
        stopped = true;
        completeIfEmpty();
        return empty;
    }

    /**
     * Starts or stops accepting, depending on whether the number of open connections is below the limit. Several loops
     * may change this number at the same time. Each acceptor therefore reads the current number on its own loop, so
     * that its last update uses the latest number and no acceptor stays paused below the limit.
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

    void adjust(Channel acceptor) {
        acceptor.config().setAutoRead(!heldBack && open.get() < limit);
    }

    boolean isStopped() {
        return stopped;
    }
}
