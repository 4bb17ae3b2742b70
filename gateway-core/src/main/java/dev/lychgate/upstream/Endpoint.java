package dev.lychgate.upstream;

import dev.lychgate.config.EndpointConfig;

/**
 * One address of an upstream, in one generation. Compared by identity: what must outlive a generation (its connections)
 * is kept by {@link #config()} and the upstream's name.
 */
public final class Endpoint {
    private final String upstream;
    private final EndpointConfig config;
    private final String authority;

    Endpoint(String upstream, EndpointConfig config) {
        this.upstream = upstream;
        this.config = config;
        this.authority = config.authority();
    }

    /** The name of the upstream it belongs to. */
    public String upstream() {
        return upstream;
    }

    public EndpointConfig config() {
        return config;
    }

    /** Host and port as they stand in a Host field. */
    public String authority() {
        return authority;
    }

    @Override
    public String toString() {
        return upstream + "/" + authority;
    }
}
