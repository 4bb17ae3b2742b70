package dev.lychgate.listener;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.Http2Config;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.ProxyProtocolConfig;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ClientRecords;
import dev.lychgate.http.ForwardedClient;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.Via;
import dev.lychgate.http2.Http2Limits;
import dev.lychgate.loop.QuietPeriod;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The immutable settings of one listener, and the state that all connections share that were accepted with these
 * settings. Times are in nanoseconds.
 */
final class ListenerContext {
    /** Replaces the TLS settings of a listener in comparisons. */
    private static final TlsConfig ANY_TLS = TlsConfig.of(CertificateConfig.pem("any", "any"));

    private final ListenerConfig config;
    private final Via via;
    final DecoderLimits decoderLimits;
    final WriteBufferWaterMark watermarks;
    private final AcceptGate gate;
    final ListenerCounters counters;
    final long requestHead;
    final long requestBody;
    final long idle;
    final long write;
    final long tlsHandshake;
    final RequestAdmission admission;
    private final ClientRecords clientRecords;
    private final @Nullable ForwardedClient forwardedClient;
    /** Limits log messages about HTTP/2 protocol errors of clients. */
    final QuietPeriod faults = new QuietPeriod();

    final Http2Limits http2Limits;
    private volatile boolean draining;
    private volatile boolean retired;
    private volatile boolean removed;

    ListenerContext(ListenerConfig config, AcceptGate gate, Via via, ClientRecords clientRecords) {
        this.config = config;
        this.via = via;
        this.clientRecords = clientRecords;
        this.counters = gate.counters();
        this.gate = gate;
        this.decoderLimits = new DecoderLimits(
                config.limits().startLine().asInt(),
                config.limits().headerBytes().asInt(),
                config.limits().headerCount());
        this.watermarks = new WriteBufferWaterMark(
                config.socket().lowWatermark().asInt(),
                config.socket().highWatermark().asInt());
        ListenerTimeouts timeouts = config.timeouts();
        this.requestHead = timeouts.requestHead().toNanos();
        this.requestBody = timeouts.requestBody().toNanos();
        this.idle = timeouts.idle().toNanos();
        this.write = timeouts.write().toNanos();
        this.tlsHandshake = timeouts.tlsHandshake().toNanos();
        this.admission = new RequestAdmission(config);
        this.forwardedClient = config.trustedProxies().isEmpty()
                ? null
                : new ForwardedClient(
                        config.trustedProxies(),
                        config.clientAddress(),
                        clientRecords,
                        counters.unusableClients,
                        counters.conflictingClients);
        Http2Config http2 = config.http2();
        this.http2Limits = new Http2Limits(
                decoderLimits,
                http2.streams(),
                http2.streamWindow().asInt(),
                http2.connectionWindow().asInt(),
                http2.resets());
    }

    /** Returns whether connections with this context also comply with changed settings. */
    boolean serves(ListenerConfig changed, ClientRecords records) {
        return withoutPolicies(changed).equals(withoutPolicies(config)) && records.equals(clientRecords);
    }

    /** Returns the settings without the settings that connections read from the generation in force. */
    static ListenerConfig withoutPolicies(ListenerConfig settings) {
        return settings.withTls(settings.tls() == null ? null : ANY_TLS)
                .redirectingTo(0)
                .withRateLimit()
                .withClientProtection(null)
                .withAuthenticate(null);
    }

    /** Returns the context of connections that are accepted after a change of the settings. */
    ListenerContext with(ListenerConfig changed, ClientRecords records) {
        return new ListenerContext(changed, gate, via, records);
    }

    ListenerConfig config() {
        return config;
    }

    /** Returns whether the listener stops. */
    boolean isDraining() {
        return draining;
    }

    void drain() {
        draining = true;
        retired = true;
    }

    /** Returns whether connections must close after their current response, even if the gateway does not stop. */
    boolean isRetired() {
        return retired;
    }

    /** Makes connections close after their next response, because the settings of the listener have changed. */
    void retire() {
        retired = true;
    }

    /**
     * Refuses all further requests and connections, because the generation in force will have no policies for this
     * listener.
     */
    void remove() {
        removed = true;
        retired = true;
    }

    /** Returns whether the listener has been removed. */
    boolean isRemoved() {
        return removed;
    }

    /** Checks a request head; see {@link RequestAdmission#check}. */
    @Nullable
    GatewayError check(RequestHead head) {
        return removed
                ? GatewayError.local(ErrorKind.DRAINING, "the listener has been removed")
                : admission.check(head);
    }

    ForwardingHeaders forwarding(Peer peer) {
        return new ForwardingHeaders(
                peer.client(),
                peer.port(),
                forwardedClient,
                clientRecords,
                config.forwarded(),
                via,
                peer.tls() != null);
    }

    /**
     * Returns whether {@code address} belongs to a trusted proxy. Requests of a trusted proxy have header fields that
     * name the client.
     */
    boolean isProxy(InetAddress address) {
        return forwardedClient != null && forwardedClient.trusts(address);
    }

    /** Returns whether connections from {@code address} must begin with a PROXY protocol header. */
    boolean announces(InetAddress address) {
        ProxyProtocolConfig announced = config.proxyProtocol();
        return announced != null && isIn(announced.from(), address);
    }

    private static boolean isIn(List<Cidr> blocks, InetAddress address) {
        for (Cidr block : blocks) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
