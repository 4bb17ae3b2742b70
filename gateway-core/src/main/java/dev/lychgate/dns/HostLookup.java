package dev.lychgate.dns;

import dev.lychgate.config.DnsConfig;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Resolves the addresses of a host: by the hosts file, then by DNS with the system's search domains. */
final class HostLookup extends NettyLookup<List<String>> {
    private final String host;

    HostLookup(Network network, DnsConfig config, String host) {
        super(network, config);
        this.host = host;
    }

    @Override
    CompletionStage<List<String>> find() {
        return addresses(host);
    }
}
