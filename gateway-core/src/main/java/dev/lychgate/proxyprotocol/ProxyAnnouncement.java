package dev.lychgate.proxyprotocol;

import dev.lychgate.config.ProxyVersion;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * What the gateway says first on a connection to an origin.
 *
 * @param version how it is written
 * @param header whom it says to speak for
 */
public record ProxyAnnouncement(ProxyVersion version, ProxyHeader header) {
    /** As it goes over the wire. */
    public ByteBuf write(ByteBufAllocator allocator) {
        return version == ProxyVersion.V1 ? TextHeader.write(header, allocator) : BinaryHeader.write(header, allocator);
    }
}
