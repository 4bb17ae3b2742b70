package dev.lychgate.listener;

import dev.lychgate.exchange.Worker;
import dev.lychgate.tls.ServerTls;
import io.netty.channel.Channel;

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
            TlsStart.on(listener, worker.loop(), channel, tls, (session, protocol) -> spoken(peer.with(session)));
        }
    }

    /** All that TLS offers is HTTP/1.1 at present, see {@link dev.lychgate.tls.Alpn}. */
    private void spoken(Peer peer) {
        http1(peer);
    }

    private void http1(Peer peer) {
        ClientConnection.put(channel, new ServerConnection(listener, worker, channel, peer));
    }
}
