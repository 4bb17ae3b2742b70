package dev.lychgate.exchange.tunnel;

import io.netty.buffer.ByteBuf;

/** The exchange, as its tunnel needs it. Called on the exchange's event loop. */
public interface TunnelOwner {
    /** Writes bytes to the client and counts them; owns them from here on. */
    void writeTunnel(ByteBuf bytes);

    /** Both directions have ended: the exchange is over. */
    void finishTunnel();
}
