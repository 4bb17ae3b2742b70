package dev.lychgate.listener;

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
        http1(Peer.of(channel));
    }

    private void http1(Peer peer) {
        ClientConnection.put(channel, new ServerConnection(listener, worker, channel, peer));
    }
}
