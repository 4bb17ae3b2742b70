package dev.lychgate.dns;

import dev.lychgate.config.DnsConfig;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Asks for the addresses of a host: the hosts file first, then DNS, with the search domains of the system. */
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
