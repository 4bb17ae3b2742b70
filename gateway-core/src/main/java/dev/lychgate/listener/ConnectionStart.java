package dev.lychgate.listener;

import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.exchange.Worker;
import io.netty.channel.Channel;

/** What happens to a connection between its being accepted and its first request: it is found out what is spoken on it. */
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
        Peer peer = Peer.of(channel);
        if (listener.config().speaks(ListenerProtocol.HTTP_1_1)) {
            http1(peer);
        } else {
            http2(peer);
        }
    }

    private void http1(Peer peer) {
        ServerConnection connection = new ServerConnection(listener, worker, channel, peer);
        ClientConnection.put(channel, connection);
        if (listener.config().speaks(ListenerProtocol.H2)) {
            channel.pipeline().addFirst(new PrefaceSniffer(connection::onHeadBegun, () -> {
                connection.leave();
                http2(peer);
            }));
        }
    }

    private void http2(Peer peer) {
        ClientConnection.put(channel, new Http2ServerConnection(listener, worker, channel, peer));
    }
}
