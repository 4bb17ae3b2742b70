package dev.lychgate.listener;

import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.tls.TlsSession;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a connection, and where he believes to have connected to: as the socket says, or as a trusted
 * proxy does.
 *
 * @param client the client
 * @param local where it has connected to
 * @param tls what the TLS handshake has come to; null if TLS is not spoken
 */
record Peer(
        InetSocketAddress client,
        InetSocketAddress local,
        @Nullable TlsSession tls) {
    /** As the socket says. */
    static Peer of(Channel channel) {
        return new Peer((InetSocketAddress) channel.remoteAddress(), (InetSocketAddress) channel.localAddress(), null);
    }

    /** The client's address. */
    InetAddress address() {
        return client.getAddress();
    }

    /** The port that it has connected to. */
    int port() {
        return local.getPort();
    }

    /** Whom {@code header} speaks of; the same if it speaks of nobody. */
    Peer told(ProxyHeader header) {
        InetSocketAddress source = header.source();
        InetSocketAddress destination = header.destination();
        return source == null || destination == null ? this : new Peer(source, destination, tls);
    }

    /** The same, and what TLS says of him. */
    Peer with(TlsSession session) {
        return new Peer(client, local, session);
    }

    /** What is said of him to origins that want to hear it first. */
    ProxyHeader header() {
        return new ProxyHeader(client, local);
    }
}
