package dev.lychgate.listener;

import dev.lychgate.exchange.Worker;
import dev.lychgate.tls.Alpn;
import dev.lychgate.tls.ServerTls;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a connection between its being accepted and its first request: it is found out who is there, and what is
 * spoken on it.
 */
final class ConnectionStart {
    private final ListenerContext listener;
    private final Worker worker;
    private final Channel channel;

    ConnectionStart(ListenerContext listener, Worker worker, Channel channel) {
        this.listener = listener;
        this.worker = worker;
        this.channel = channel;
    }

    void begin() {
        encrypted(Peer.of(channel));
    }

    private void encrypted(Peer peer) {
        // Of the newest generation: connections that are open keep what they have agreed on.
        ServerTls tls = worker.generation().serverTls(listener.config().name());
        if (tls == null) {
            http1(peer);
        } else {
            TlsStart.on(
                    listener, worker.loop(), channel, tls, (session, protocol) -> spoken(peer.with(session), protocol));
        }
    }

    /** @param protocol what ALPN has come to, one of {@link Alpn#LISTENER}; null if the client offers nothing */
    private void spoken(Peer peer, @Nullable String protocol) {
        if (ApplicationProtocolNames.HTTP_2.equals(protocol)) {
            http2(peer);
        } else {
            http1(peer);
        }
    }

    /** Never comes, as {@link Alpn#LISTENER} does not offer it yet. */
    private void http2(Peer peer) {
        throw new IllegalStateException("HTTP/2 with " + peer.address() + ", to whom it was not offered");
    }

    private void http1(Peer peer) {
        ClientConnection.put(channel, new ServerConnection(listener, worker, channel, peer));
    }
}
