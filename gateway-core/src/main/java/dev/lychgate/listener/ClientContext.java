package dev.lychgate.listener;

import dev.lychgate.http.ForwardingHeaders;

/**
 * What a client connection knows of its client.
 *
 * @param listener the listener that accepted the connection
 * @param peer the client, as the socket or a trusted proxy states it
 * @param forwarding the client, as origins shall see it
 */
record ClientContext(ListenerContext listener, Peer peer, ForwardingHeaders forwarding) {
    static ClientContext of(ListenerContext listener, Peer peer) {
        return new ClientContext(listener, peer, listener.forwarding(peer));
    }
}
