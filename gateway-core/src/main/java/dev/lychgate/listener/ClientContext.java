package dev.lychgate.listener;

import dev.lychgate.http.ForwardingHeaders;

/**
 * The client of a connection, and the listener that accepted it.
 *
 * @param listener the listener that accepted the connection
 * @param peer the client, as the socket or a trusted proxy reports it
 * @param forwarding the headers that describe the client to origins
 */
record ClientContext(ListenerContext listener, Peer peer, ForwardingHeaders forwarding) {
    static ClientContext of(ListenerContext listener, Peer peer) {
        return new ClientContext(listener, peer, listener.forwarding(peer));
    }
}
