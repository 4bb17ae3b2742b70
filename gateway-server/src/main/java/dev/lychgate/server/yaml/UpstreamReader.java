package dev.lychgate.server.yaml;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamConfig;

/** Reads one value of {@code upstreams}; its name is its key. */
final class UpstreamReader {
    private static final EndpointConfig NOWHERE = new EndpointConfig("127.0.0.1", 1);

    private UpstreamReader() {}

    static UpstreamConfig read(Element element) {
        String name = element.trail.last();
        return element.section(s -> s.build(
                () -> {
                    s.later("balance", "persistence", "health", "breaker", "bulkhead", "tls");
                    Element endpoints = s.required("endpoints", "a list of URLs");
                    return new UpstreamConfig(
                            name,
                            endpoints.list("URLs", UpstreamReader::endpoint),
                            s.get("pool").section(UpstreamReader::pool),
                            s.get("timeouts").section(TimeoutsReader::read));
                },
                UpstreamConfig.of("none", NOWHERE)));
    }

    private static EndpointConfig endpoint(Element element) {
        if (!element.isMapping()) {
            return element.parsed(NOWHERE, EndpointConfig::parse);
        }
        return element.section(s -> {
            s.later("weight", "zone");
            return s.required("url", "a URL such as http://10.0.0.1:9000").parsed(NOWHERE, EndpointConfig::parse);
        });
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
