package dev.lychgate.proxyprotocol;

import dev.lychgate.config.ProxyVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * A PROXY protocol header that the gateway sends to an origin before all other data of a connection.
 *
 * @param version version of the protocol
 * @param header the announced addresses
 */
public record ProxyAnnouncement(ProxyVersion version, ProxyHeader header) {
    /** Encodes the PROXY protocol header into a new buffer, which the caller owns. */
    public ByteBuf write(ByteBufAllocator allocator) {
        return version == ProxyVersion.V1 ? TextHeader.write(header, allocator) : BinaryHeader.write(header, allocator);
    }
}
