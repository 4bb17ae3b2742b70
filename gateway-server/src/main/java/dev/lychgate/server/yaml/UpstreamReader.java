package dev.lychgate.server.yaml;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.UpstreamConfig;
import java.util.List;
import java.util.Optional;

/** Reads one value of {@code upstreams}; its name is its key. */
final class UpstreamReader {
    private static final EndpointConfig NOWHERE = new EndpointConfig("127.0.0.1", 1);

    private UpstreamReader() {}

    static UpstreamConfig read(Element element) {
        String name = element.trail.last();
        return element.section(s -> s.build(
                () -> {
                    s.later("balance", "persistence", "health", "tls");
                    return new UpstreamConfig(
                            name,
                            endpoints(s.required("endpoints", "a list of URLs")),
                            s.get("pool").section(UpstreamReader::pool),
                            s.get("timeouts").section(TimeoutsReader::read),
                            ProtectionReader.read(s));
                },
                UpstreamConfig.of("none", NOWHERE)));
    }

    /** What was refused is left out; a stand-in for each would look like an endpoint said several times. */
    private static List<EndpointConfig> endpoints(Element element) {
        List<Optional<EndpointConfig>> said = element.list("URLs", UpstreamReader::endpoint);
        List<EndpointConfig> taken = said.stream().flatMap(Optional::stream).toList();
        return taken.isEmpty() && !said.isEmpty() ? List.of(NOWHERE) : taken;
    }

    private static Optional<EndpointConfig> endpoint(Element element) {
        if (!element.isMapping()) {
            return url(element);
        }
        return element.section(s -> {
            s.later("weight", "zone");
            return url(s.required("url", "a URL such as http://10.0.0.1:9000"));
        });
    }

    private static Optional<EndpointConfig> url(Element element) {
        return element.parsed(Optional.empty(), text -> Optional.of(EndpointConfig.parse(text)));
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
