package dev.lychgate.dns;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.resolver.dns.DnsCache;
import io.netty.resolver.dns.DnsCacheEntry;
import io.netty.resolver.dns.DnsCnameCache;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the shortest time to live that a lookup has received. Implements the caches of the resolver, because the
 * resolver reports the times to live of addresses and aliases only to its caches. Stores no results, so that each
 * lookup receives a current time to live from the server. Used only on the resolver's event loop.
 */
final class SeenTtl implements DnsCache, DnsCnameCache {
    /** The value for results without a time to live, such as results from the hosts file. */
    static final long NONE = Long.MAX_VALUE;

    private long seconds = NONE;

    /**
     * Returns the shortest time to live since the last {@link #clear()}, in seconds; {@link #NONE} if no time to live
     * was received.
     */
    long seconds() {
        return seconds;
    }

    void see(long ttl) {
        // RFC 2181, section 8: a value with the highest bit set counts as 0.
        seconds = Math.min(seconds, ttl > Integer.MAX_VALUE ? 0 : ttl);
    }

    @Override
    public void clear() {
        seconds = NONE;
    }

    @Override
    public boolean clear(String hostname) {
        return false;
    }

    @Override
    public List<? extends DnsCacheEntry> get(String hostname, DnsRecord[] additionals) {
        return List.of();
    }

    @Override
    public DnsCacheEntry cache(
            String hostname, DnsRecord[] additionals, InetAddress address, long originalTtl, EventLoop loop) {
        see(originalTtl);
        return new Entry(address, null);
    }

    @Override
    public DnsCacheEntry cache(String hostname, DnsRecord[] additionals, Throwable cause, EventLoop loop) {
        return new Entry(null, cause);
    }

    @Override
    public @Nullable String get(String hostname) {
        return null;
    }

    @Override
    public void cache(String hostname, String cname, long originalTtl, EventLoop loop) {
        see(originalTtl);
    }

    private record Entry(
            @Nullable InetAddress address, @Nullable Throwable cause) implements DnsCacheEntry {}
}
