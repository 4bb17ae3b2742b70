package dev.lychgate.listener;

import static java.util.Objects.requireNonNull;

import dev.lychgate.http2.Http2Error;
import dev.lychgate.proxyprotocol.ProxyFault;
import io.netty.channel.Channel;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of one listener. Written by the event loops of its connections, read by any thread. */
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

    void speaksHttp2(Channel channel) {
        http2Connections.increment();
        channel.closeFuture().addListener(gone -> http2Closed.increment());
    }

    /** Counts an HTTP/1.1 connection that has become a WebSocket. */
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

    /**
     * Returns the number of connections from trusted proxies that were closed because of a missing or malformed header.
     */
    public long proxyFaults(ProxyFault fault) {
        return requireNonNull(proxyFaults.get(fault)).sum();
    }

    /** Returns the number of requests from trusted proxies that named no usable client address. */
    public long unusableClients() {
        return unusableClients.sum();
    }

    /**
     * Returns the number of headers that were removed because they named a different client than the header that the
     * configuration selects.
     */
    public long conflictingClients() {
        return conflictingClients.sum();
    }

    /** Returns the number of HTTP/2 connections since the start. */
    public long http2Connections() {
        return http2Connections.sum();
    }

    /** Returns the number of open HTTP/2 connections. */
    public long openHttp2() {
        return http2Connections.sum() - http2Closed.sum();
    }

    /** Returns the number of open HTTP/1.1 connections that have become WebSockets. */
    public long openWebSockets() {
        return upgraded.sum() - upgradedClosed.sum();
    }

    /**
     * Returns the number of open connections that are neither HTTP/2 connections nor WebSockets. These are connections
     * with HTTP/1.1, and connections on which no bytes have arrived yet.
     */
    public long openHttp1() {
        // The counters are read one after the other, while connections open and close, so the difference may be
        // negative.
        return Math.max(0, open() - openHttp2() - openWebSockets());
    }

    /** Returns the number of HTTP/2 streams and connections that ended with {@code error} because of their client. */
    public long http2Faults(Http2Error error) {
        return requireNonNull(http2Faults.get(error)).sum();
    }

    final HandshakeCounters handshakes = new HandshakeCounters();

    /** Returns the counters of TLS handshakes. */
    public HandshakeCounters handshakes() {
        return handshakes;
    }

    /** Returns the number of accepted connections. */
    public long accepted() {
        return accepted.sum();
    }

    /** Returns the number of open connections. */
    public long open() {
        return accepted.sum() - closed.sum();
    }

    /** Returns the number of connections that were closed while idle, or before their first request was complete. */
    public long idleTimeouts() {
        return idleTimeouts.sum();
    }

    /** Returns how often the listener paused accepting because the limit of open connections was reached. */
    public long acceptPauses() {
        return acceptPauses.sum();
    }
}
