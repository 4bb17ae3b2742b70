package dev.lychgate.exchange.tunnel;

import io.netty.buffer.ByteBuf;

/** The exchange's callbacks for its tunnel, called on the exchange's event loop. */
public interface TunnelOwner {
    /** Writes bytes to the client and counts them. Owns {@code bytes}. */
    void writeTunnel(ByteBuf bytes);

    /** Ends the exchange after both directions have ended. */
    void finishTunnel();
}
