package dev.lychgate.listener;

import static java.util.Objects.requireNonNull;

import dev.lychgate.http2.Http2Error;
import dev.lychgate.proxyprotocol.ProxyFault;
import io.netty.channel.Channel;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What one listener has seen. Written by its connections' event loops, read by anybody. */
public final class ListenerCounters {
    final LongAdder accepted = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder idleTimeouts = new LongAdder();
    final LongAdder acceptPauses = new LongAdder();
    final LongAdder unusableClients = new LongAdder();
    final LongAdder conflictingClients = new LongAdder();

    final LongAdder http2Connections = new LongAdder();
    private final LongAdder http2Closed = new LongAdder();
    private final LongAdder upgraded = new LongAdder();
    private final LongAdder upgradedClosed = new LongAdder();
    private final Map<Http2Error, LongAdder> http2Faults = new EnumMap<>(Http2Error.class);
    private final Map<ProxyFault, LongAdder> proxyFaults = new EnumMap<>(ProxyFault.class);

    ListenerCounters() {
        for (Http2Error error : Http2Error.values()) {
            http2Faults.put(error, new LongAdder());
        }
        for (ProxyFault fault : ProxyFault.values()) {
            proxyFaults.put(fault, new LongAdder());
        }
    }

    /** HTTP/2 is spoken on the connection. */
    void speaksHttp2(Channel channel) {
        http2Connections.increment();
        channel.closeFuture().addListener(gone -> http2Closed.increment());
    }

    /** The connection of HTTP/1.1 has become a WebSocket. */
    void becameWebSocket(Channel channel) {
        upgraded.increment();
        channel.closeFuture().addListener(gone -> upgradedClosed.increment());
    }

    void http2Fault(Http2Error error) {
        requireNonNull(http2Faults.get(error)).increment();
    }

    void proxyFault(ProxyFault fault) {
        requireNonNull(proxyFaults.get(fault)).increment();
    }

    /** Connections of trusted proxies that were closed because they did not begin with a header as they must. */
    public long proxyFaults(ProxyFault fault) {
        return requireNonNull(proxyFaults.get(fault)).sum();
    }

    /** Returns the number of requests from trusted proxies that named no usable client address. */
    public long unusableClients() {
        return unusableClients.sum();
    }

    /** Returns the number of headers that were removed because they named another client than the configured header. */
    public long conflictingClients() {
        return conflictingClients.sum();
    }

    /** Connections on which HTTP/2 was spoken. */
    public long http2Connections() {
        return http2Connections.sum();
    }

    /** Connections open now on which HTTP/2 is spoken. */
    public long openHttp2() {
        return http2Connections.sum() - http2Closed.sum();
    }

    /** Connections open now that were of HTTP/1.1 and have become WebSockets. */
    public long openWebSockets() {
        return upgraded.sum() - upgradedClosed.sum();
    }

    /** All others that are open now: of HTTP/1.1, or nothing has been said as yet. */
    public long openHttp1() {
        // Counted one after the other while connections come and go.
        return Math.max(0, open() - openHttp2() - openWebSockets());
    }

    /** Streams and connections of HTTP/2 that had to end by {@code error}, because of something their client did. */
    public long http2Faults(Http2Error error) {
        return requireNonNull(http2Faults.get(error)).sum();
    }

    final HandshakeCounters handshakes = new HandshakeCounters();

    /** What TLS handshakes have come to. */
    public HandshakeCounters handshakes() {
        return handshakes;
    }

    /** Connections accepted. */
    public long accepted() {
        return accepted.sum();
    }

    /** Connections open now. */
    public long open() {
        return accepted.sum() - closed.sum();
    }

    /** Connections closed because they were silent between requests, or never sent one. */
    public long idleTimeouts() {
        return idleTimeouts.sum();
    }

    /** How often accepting was suspended because the limit of connections was reached. */
    public long acceptPauses() {
        return acceptPauses.sum();
    }
}
