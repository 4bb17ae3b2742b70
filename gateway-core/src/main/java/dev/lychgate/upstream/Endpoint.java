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
 * One endpoint of an upstream in one generation. Compared by identity. Connections, state and load of an endpoint
 * outlive the generation, so they are identified by {@link #address()} and the name of the upstream.
 */
public final class Endpoint {
    private final String upstream;
    private final EndpointConfig config;
    private final EndpointOutcomes outcomes;
    private final String authority;
    private final String hostField;
    private final long seed;
    private final Destination destination;

    /**
     * Creates an endpoint from its settings.
     *
     * @param tls the TLS settings; null without TLS
     * @param protocol the version of HTTP
     * @param proxy the version of the PROXY protocol; null if it is not used
     * @param dns the settings for resolving the host name
     */
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

    /** Returns the name of the endpoint's upstream. */
    public String upstream() {
        return upstream;
    }

    public EndpointConfig config() {
        return config;
    }

    /** Returns the address, which identifies the endpoint across generations. */
    public EndpointAddress address() {
        return config.address();
    }

    /** Returns the destination of connections to the endpoint. */
    public Destination destination() {
        return destination;
    }

    /** Returns the outcomes of attempts, including attempts of other generations. */
    public EndpointOutcomes outcomes() {
        return outcomes;
    }

    /** Returns host and port of the address: the endpoint's name in logs, in metrics and on the admin listener. */
    public String authority() {
        return authority;
    }

    /** Returns the value of the header Host for requests that name this endpoint as their host. */
    public String hostField() {
        return hostField;
    }

    /**
     * Returns the endpoint's hash seed, which is equal in all processes and independent of the endpoint's position in
     * the list.
     */
    long seed() {
        return seed;
    }

    @Override
    public String toString() {
        return upstream + "/" + authority;
    }
}
