package dev.lychgate.listener;

import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.exchange.Worker;
import dev.lychgate.tls.ServerTls;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a connection between its being accepted and its first request: it is found out who is there, and what is
 * spoken on it.
 */
record ConnectionStart(ListenerContext listener, Worker worker, Channel channel) {
    void begin() {
        Peer peer = Peer.of(channel);
        if (listener.announces(peer.address())) {
            ProxyStart.on(listener, worker.loop(), channel, header -> encrypted(peer.told(header)));
        } else {
            encrypted(peer);
        }
    }

    private void encrypted(Peer peer) {
        // Of the newest generation: connections that are open keep what they have agreed on.
        ServerTls tls = worker.generation().serverTls(listener.config().name());
        if (tls == null) {
            plain(peer);
        } else {
            TlsStart.on(listener, worker.loop(), channel, tls, (session, agreed) -> agreed(peer.with(session), agreed));
        }
    }

    /** @param protocol what the handshake has come to; null if the client had nothing to offer that is spoken here */
    private void agreed(Peer peer, @Nullable String protocol) {
        boolean http2 = ListenerProtocol.H2.alpn().equals(protocol);
        if (http2 || !listener.config().speaks(ListenerProtocol.HTTP_1_1)) {
            http2(peer);
        } else {
            http1(peer);
        }
    }

    /** Nothing has been agreed on: HTTP/2 is known by its first bytes. */
    private void plain(Peer peer) {
        if (!listener.config().speaks(ListenerProtocol.HTTP_1_1)) {
            http2(peer);
            return;
        }
        ServerConnection connection = http1(peer);
        if (listener.config().speaks(ListenerProtocol.H2)) {
            channel.pipeline().addFirst(new PrefaceSniffer(connection::onHeadBegun, () -> {
                connection.leave();
                http2(peer);
            }));
        }
    }

    private ServerConnection http1(Peer peer) {
        ServerConnection connection = new ServerConnection(listener, worker, channel, peer);
        ClientConnection.put(channel, connection);
        return connection;
    }

    private void http2(Peer peer) {
        ClientConnection.put(channel, new Http2ServerConnection(ClientContext.of(listener, peer), worker, channel));
    }
}
