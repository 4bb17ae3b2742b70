package dev.lychgate.listener;

import java.util.List;

/**
 * The sockets that {@link Listener#prepare} has bound for changed settings. Either {@link Listener#change} uses them, or
 * {@link #close} closes them.
 */
public final class BoundSockets implements AutoCloseable {
    private final List<Acceptor> acceptors;

    BoundSockets(List<Acceptor> acceptors) {
        this.acceptors = acceptors;
    }

    List<Acceptor> acceptors() {
        return acceptors;
    }

    @Override
    public void close() {
        acceptors.forEach(acceptor -> acceptor.channel().close());
    }
}
