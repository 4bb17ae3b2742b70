package dev.lychgate.listener;

import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.tls.TlsSession;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of a connection, as reported by the socket or by a trusted proxy.
 *
 * @param client address of the client
 * @param local address to which the client connected
 * @param tls the TLS session; null without TLS
 * @param isProxy whether the client is a proxy that opened the connection for itself, so that its PROXY protocol header
 *     names no client
 */
record Peer(
        InetSocketAddress client,
        InetSocketAddress local,
        @Nullable TlsSession tls,
        boolean isProxy) {
    static Peer of(Channel channel) {
        return new Peer(
                (InetSocketAddress) channel.remoteAddress(), (InetSocketAddress) channel.localAddress(), null, false);
    }

    InetAddress address() {
        return client.getAddress();
    }

    /** Returns the port to which the client connected. */
    int port() {
        return local.getPort();
    }

    /**
     * Returns the peer with the addresses in {@code header}. If the header has no addresses, the client is the proxy
     * itself.
     */
    Peer told(ProxyHeader header) {
        InetSocketAddress source = header.source();
        InetSocketAddress destination = header.destination();
        return source == null || destination == null
                ? new Peer(client, local, tls, true)
                : new Peer(source, destination, tls, false);
    }

    Peer with(TlsSession session) {
        return new Peer(client, local, session, isProxy);
    }

    /** Returns the PROXY protocol header that describes the client to origins. */
    ProxyHeader header() {
        return new ProxyHeader(client, local);
    }
}
