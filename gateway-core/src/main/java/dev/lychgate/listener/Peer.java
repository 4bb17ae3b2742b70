package dev.lychgate.listener;

import dev.lychgate.tls.TlsSession;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the other end of a connection, and where he believes to have connected to.
 *
 * @param address the client's address
 * @param port the port that it has connected to
 * @param tls what the TLS handshake has come to; null if TLS is not spoken
 */
record Peer(InetAddress address, int port, @Nullable TlsSession tls) {
    /** As the socket says. */
    static Peer of(Channel channel) {
        return new Peer(
                ((InetSocketAddress) channel.remoteAddress()).getAddress(),
                ((InetSocketAddress) channel.localAddress()).getPort(),
                null);
    }

    /** The same, and what TLS says of him. */
    Peer with(TlsSession session) {
        return new Peer(address, port, session);
    }
}
