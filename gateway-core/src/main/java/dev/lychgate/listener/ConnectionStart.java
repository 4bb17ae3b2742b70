package dev.lychgate.listener;

import dev.lychgate.client.ClientPermit;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.client.ClientRefusal;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.exchange.Worker;
import dev.lychgate.tls.ServerTls;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares an accepted connection for its first request: determines the client address and the application protocol.
 */
record ConnectionStart(ListenerContext listener, Worker worker, Channel channel) {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionStart.class);

    void begin() {
        Peer peer = Peer.of(channel);
        if (listener.announces(peer.address())) {
            ProxyStart.on(listener, worker.loop(), channel, header -> encrypted(peer.told(header)));
        } else {
            encrypted(peer);
        }
    }

    private void encrypted(Peer peer) {
        if (!isAdmitted(peer)) {
            channel.close();
            return;
        }
        // Uses the settings of the latest generation. Open connections keep the settings with which they were
        // negotiated.
        ServerTls tls = worker.generation().serverTls(listener.config().name());
        if (listener.isRemoved() || (tls == null) != (listener.config().tls() == null)) {
            // The connection was accepted with settings that a reload has just replaced.
            channel.close();
        } else if (tls == null) {
            plain(peer);
        } else {
            TlsStart.on(listener, worker.loop(), channel, tls, (session, agreed) -> agreed(peer.with(session), agreed));
        }
    }

    /**
     * Returns whether the client may open one more connection. A trusted proxy is always admitted, because its
     * connections carry requests of many clients.
     */
    private boolean isAdmitted(Peer peer) {
        ClientProtections protections = worker.generation().clients();
        if (protections.isIdle() || peer.isProxy() || listener.isProxy(peer.address())) {
            return true;
        }
        String name = listener.config().name();
        ClientPermit permit = protections.of(name).connect(peer.address());
        ClientRefusal refusal = permit.refusal();
        if (refusal != null) {
            LOG.debug("listener {}: connection from {} refused and closed: {}", name, peer.client(), refusal.label());
        }
        if (permit != ClientPermit.UNLIMITED) {
            channel.closeFuture().addListener(closed -> permit.end());
        }
        return refusal == null;
    }

    /**
     * Starts HTTP/2 or HTTP/1.1 on a TLS connection.
     *
     * @param protocol the negotiated ALPN protocol; null if there is none
     */
    private void agreed(Peer peer, @Nullable String protocol) {
        boolean http2 = ListenerProtocol.H2.alpn().equals(protocol);
        if (http2 || !listener.config().speaks(ListenerProtocol.HTTP_1_1)) {
            http2(peer);
        } else {
            http1(peer);
        }
    }

    /** Starts a connection without negotiation; HTTP/2 is detected by its first bytes. */
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
