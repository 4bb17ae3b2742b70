package dev.lychgate.upstream;

import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.ProxyVersion;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.origin.Destination;
import dev.lychgate.proxyprotocol.ProxyAnnouncement;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.tls.OriginTls;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint of an upstream, in one generation. Compared by identity: what must outlive a generation (its connections,
 * its state, its load) is kept by {@link #address()} and the upstream's name.
 */
public final class Endpoint {
    private final String upstream;
    private final EndpointConfig config;
    private final EndpointOutcomes outcomes;
    private final String authority;
    private final String hostField;
    private final long seed;
    private final Destination destination;

    /** @param tls how TLS is spoken there, if it is; @param protocol what else is; @param proxy the PROXY protocol, if that is; @param dns how a host name is resolved */
    Endpoint(
            String upstream,
            EndpointConfig config,
            EndpointOutcomes outcomes,
            @Nullable OriginTls tls,
            UpstreamProtocol protocol,
            @Nullable ProxyVersion proxy,
            DnsConfig dns) {
        this.upstream = upstream;
        this.config = config;
        this.outcomes = outcomes;
        this.authority = config.authority();
        this.hostField = config.hostField();
        this.seed = Hash.of(authority);
        ProxyAnnouncement announcement = proxy == null ? null : new ProxyAnnouncement(proxy, ProxyHeader.NOBODY);
        @Nullable DnsConfig ofName = config.address().isName() ? dns : null;
        this.destination = tls == null || !config.address().secure()
                ? new Destination(config.address(), null, "", protocol, announcement, ofName)
                : new Destination(config.address(), tls, tls.nameOf(config.tlsHost()), protocol, announcement, ofName);
    }

    /** The name of the upstream it belongs to. */
    public String upstream() {
        return upstream;
    }

    public EndpointConfig config() {
        return config;
    }

    /** What it is known by from one generation to the next. */
    public EndpointAddress address() {
        return config.address();
    }

    /** Where connections to it lead. */
    public Destination destination() {
        return destination;
    }

    /** How attempts at it end, also those of other generations. */
    public EndpointOutcomes outcomes() {
        return outcomes;
    }

    /** Host and port of its address: what it is called in logs, metrics and the admin listener. */
    public String authority() {
        return authority;
    }

    /** What stands in a Host field that is to name the origin. */
    public String hostField() {
        return hostField;
    }

    /** What hashes place it by: the same in every process, wherever it stands in the list. */
    long seed() {
        return seed;
    }

    @Override
    public String toString() {
        return upstream + "/" + authority;
    }
}
