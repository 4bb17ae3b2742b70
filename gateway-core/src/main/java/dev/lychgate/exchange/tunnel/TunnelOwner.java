package dev.lychgate.exchange.tunnel;

import io.netty.buffer.ByteBuf;

/** The callbacks with which a tunnel reports to its exchange. Called on the exchange's event loop. */
public interface TunnelOwner {
    /** Writes bytes to the client and counts them. This method owns {@code bytes}. */
    void writeTunnel(ByteBuf bytes);

    /** Ends the exchange, because the tunnel has ended. */
    void finishTunnel();
}
