package dev.lychgate.listener;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Who is at the other end of a connection, and where he believes to have connected to.
 *
 * @param address the client's address
 * @param port the port that it has connected to
 */
record Peer(InetAddress address, int port) {
    /** As the socket says. */
    static Peer of(Channel channel) {
        return new Peer(
                ((InetSocketAddress) channel.remoteAddress()).getAddress(),
                ((InetSocketAddress) channel.localAddress()).getPort());
    }
}
