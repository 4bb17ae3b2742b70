package dev.lychgate.server.yaml;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamConfig;

/** Reads one value of {@code upstreams}; its name is its key. */
final class UpstreamReader {
    private UpstreamReader() {}

    static UpstreamConfig read(Element element) {
        String name = element.trail.last();
        return element.section(s -> s.build(
                () -> {
                    s.later("tls");
                    return new UpstreamConfig(
                            name,
                            EndpointReader.list(s.required("endpoints", "a list of URLs")),
                            s.get("pool").section(UpstreamReader::pool),
                            s.get("timeouts").section(TimeoutsReader::read),
                            s.get("balance").section(BalanceReader::read),
                            s.get("health").section(HealthReader::read),
                            ProtectionReader.read(s),
                            PersistenceReader.read(s.get("persistence")));
                },
                UpstreamConfig.of("none", EndpointReader.NOWHERE)));
    }

    private static PoolConfig pool(Section s) {
        PoolConfig d = PoolConfig.DEFAULT;
        return s.build(
                () -> new PoolConfig(
                        s.number("connections", d.connections()),
                        s.number("pending", d.pending()),
                        s.duration("idle", d.idle()),
                        s.duration("lifetime", d.lifetime()),
                        s.number("requests", d.requests())),
                d);
    }
}
