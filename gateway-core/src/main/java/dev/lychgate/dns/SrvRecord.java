package dev.lychgate.dns;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRawRecord;

/**
 * One SRV record.
 *
 * @param priority 0 to 65535; lower is preferred
 * @param weight 0 to 65535
 * @param port 0 to 65535
 * @param target a host name without the dot at the end; empty = the service is not to be had
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2782">RFC 2782, SRV</a>
 */
record SrvRecord(int priority, int weight, int port, String target) {
    /** @throws CorruptedFrameException or IndexOutOfBoundsException if it is none */
    static SrvRecord of(DnsRawRecord record) {
        ByteBuf content = record.content().duplicate();
        int priority = content.readUnsignedShort();
        int weight = content.readUnsignedShort();
        int port = content.readUnsignedShort();
        // A name may be compressed, though it should not: what it points to stands elsewhere in the same buffer.
        String name = DefaultDnsRecordDecoder.decodeName(content);
        return new SrvRecord(priority, weight, port, name.endsWith(".") ? name.substring(0, name.length() - 1) : name);
    }
}
