package dev.lychgate.http;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientAddressConfig;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Determines the client of a request that a trusted proxy sent, from the configured header that the proxies maintain.
 * Each proxy appends the address of its peer to this header. The gateway reads the entries from right to left:
 *
 * <ul>
 *   <li>If an entry is the address of a trusted proxy, the search continues with the next entry to the left.
 *   <li>Otherwise, the entry is the client. Entries to its left are ignored, because the client may have sent them.
 *   <li>If an entry is not an address, the search ends. The proxy that wrote the entry counts as the client.
 * </ul>
 *
 * <p>If the configuration fixes the number of hops as N, the Nth entry from the right is the client. If the list has
 * fewer than N entries, the peer counts as the client.
 *
 * <p>Other headers that record the client ({@link ClientRecords}) may have passed through the proxies unchecked. If
 * such a header names another client, the gateway removes the header, so that origins cannot read it.
 *
 * <p>There is one instance per listener. Thread-safe.
 *
 * @param proxies the trusted proxies
 * @param config the header that the trusted proxies maintain, and the number of hops
 * @param records the headers in which proxies of any listener record the client
 * @param unusable counts requests from trusted proxies for which the search failed: the list is too short, or an entry
 *     is malformed
 * @param conflicts counts headers that are removed because they name a different client than the configured header
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239#section-8.1">RFC 7239, 8.1 Header Validity and Integrity</a>
 */
public record ForwardedClient(
        List<Cidr> proxies,
        ClientAddressConfig config,
        ClientRecords records,
        LongAdder unusable,
        LongAdder conflicts) {
    /**
     * The maximum number of entries that are read. A client outside the trusted blocks cannot cause a long search,
     * because the search ends at the address of this client.
     */
    static final int MOST_ENTRIES = 64;

    /** Returns whether a request has the configured header in which proxies record the client. */
    boolean namesClient(HttpHeaders headers) {
        return headers.contains(config.header());
    }

    /** Returns whether {@code address} is in one of the trusted blocks. */
    public boolean trusts(InetAddress address) {
        for (Cidr block : proxies) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the client of a request, and removes the headers that name a different client.
     *
     * @param headers the headers of the request
     * @param peer the trusted proxy that sent the request
     * @return the client, with port 0 unless the header has a port; {@code peer} if the header names no client
     */
    InetSocketAddress settle(HttpHeaders headers, InetSocketAddress peer) {
        InetSocketAddress client = peer;
        if (headers.contains(config.header())) {
            Search search = search(config.header(), headers, peer);
            client = search.client();
            if (search.failed()) {
                unusable.increment();
            }
        }
        for (String other : records.all()) {
            if (!other.equals(config.header()) && headers.contains(other) && conflicts(other, headers, peer, client)) {
                headers.remove(other);
                conflicts.increment();
            }
        }
        return client;
    }

    private boolean conflicts(String other, HttpHeaders headers, InetSocketAddress peer, InetSocketAddress client) {
        if (!namesAny(other, headers)) {
            return false;
        }
        InetSocketAddress named = search(other, headers, peer).client();
        return named.equals(peer) || !named.getAddress().equals(client.getAddress());
    }

    private static boolean namesAny(String name, HttpHeaders headers) {
        HopList entries = entries(name, headers);
        for (int i = 0; i < MOST_ENTRIES; i++) {
            String entry = entries.previous();
            if (entry == null) {
                return false;
            }
            if (address(name, entry) != null) {
                return true;
            }
        }
        return true;
    }

    private Search search(String name, HttpHeaders headers, InetSocketAddress peer) {
        HopList entries = entries(name, headers);
        if (config.hops() == 0) {
            return lastUntrusted(name, entries, peer);
        }
        int position = isList(name) ? config.hops() : 1;
        String entry = entries.previous();
        for (int i = 1; i < position && entry != null; i++) {
            entry = entries.previous();
        }
        InetSocketAddress client = entry == null ? null : address(name, entry);
        return client == null ? new Search(peer, true) : new Search(client, false);
    }

    /**
     * Returns whether a header is a list, to which each proxy appends an entry. For other headers, a proxy replaces the
     * value. X-Real-IP, and headers that are configured only for a different listener, are not lists.
     */
    private boolean isList(String name) {
        return !name.equals(ClientRecords.REAL_IP)
                && (name.equals(config.header())
                        || name.equals(ClientAddressConfig.FORWARDED_FOR)
                        || isForwarded(name));
    }

    private Search lastUntrusted(String name, HopList entries, InetSocketAddress peer) {
        InetSocketAddress client = peer;
        for (int i = 0; i < MOST_ENTRIES; i++) {
            String entry = entries.previous();
            if (entry == null) {
                break;
            }
            InetSocketAddress next = address(name, entry);
            if (next == null) {
                return new Search(client, true);
            }
            client = next;
            if (!trusts(client.getAddress())) {
                break;
            }
        }
        return new Search(client, false);
    }

    private static HopList entries(String name, HttpHeaders headers) {
        return new HopList(headers.getAll(name), isForwarded(name));
    }

    private static @Nullable InetSocketAddress address(String name, String entry) {
        String node = isForwarded(name) ? ForwardedElement.node(entry) : entry;
        return node == null ? null : HopAddress.parse(node);
    }

    private static boolean isForwarded(String name) {
        return name.equals(ClientAddressConfig.FORWARDED);
    }

    /**
     * The result of a search in the list.
     *
     * @param failed whether the list is too short or the search has ended at an entry that is not an address
     */
    private record Search(InetSocketAddress client, boolean failed) {}
}
