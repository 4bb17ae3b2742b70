package dev.lychgate.proxyprotocol;

import dev.lychgate.config.ProxyVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * PROXY protocol header that precedes all other data on a connection to an origin.
 *
 * @param version version of the protocol
 * @param header the announced addresses
 */
public record ProxyAnnouncement(ProxyVersion version, ProxyHeader header) {
    /** Encodes the header. */
    public ByteBuf write(ByteBufAllocator allocator) {
        return version == ProxyVersion.V1 ? TextHeader.write(header, allocator) : BinaryHeader.write(header, allocator);
    }
}
