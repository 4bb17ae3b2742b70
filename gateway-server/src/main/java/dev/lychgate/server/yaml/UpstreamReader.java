package dev.lychgate.server.yaml;

import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.ProxyVersion;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamProtocol;
import org.jspecify.annotations.Nullable;

/** Reads one value of {@code upstreams}; its name is its key. */
final class UpstreamReader {
    private static final EndpointAddress NO_SERVER = new EndpointAddress("127.0.0.1", 53);

    private final TlsReader tls;

    UpstreamReader(TlsReader tls) {
        this.tls = tls;
    }

    UpstreamConfig read(Element element) {
        String name = element.trail.last();
        return element.section(s -> s.build(
                () -> {
                    EndpointReader.Named named = EndpointReader.list(s.required("endpoints", "a list of URLs"));
                    return new UpstreamConfig(
                            name,
                            named.endpoints(),
                            named.services(),
                            s.get("dns").section(DnsConfig.DEFAULT, UpstreamReader::dns),
                            s.get("pool")
                                    .section(PoolConfig.DEFAULT, UpstreamReader::pool)
                                    .speaking(protocol(s.get("protocol"))),
                            s.get("timeouts").section(RouteTimeouts.UNSET, TimeoutsReader::read),
                            s.get("balance").section(BalanceConfig.DEFAULT, BalanceReader::read),
                            s.get("health").section(HealthConfig.NONE, HealthReader::read),
                            ProtectionReader.read(s),
                            PersistenceReader.read(s.get("persistence")),
                            tls.origin(s.get("tls")),
                            proxyProtocol(s.get("proxy-protocol")));
                },
                UpstreamConfig.of("none", EndpointReader.NOWHERE)));
    }

    private static DnsConfig dns(Section s) {
        DnsConfig d = DnsConfig.DEFAULT;
        return s.build(
                () -> new DnsConfig(
                        s.get("servers").list("of addresses", e -> e.parsed(NO_SERVER, DnsConfig::parseServer)),
                        s.get("family").choice(d.family(), AddressFamily.values()),
                        s.duration("min-ttl", d.minTtl()),
                        s.duration("max-ttl", d.maxTtl()),
                        s.duration("timeout", d.timeout())),
                d);
    }

    private static UpstreamProtocol protocol(Element element) {
        return element.parsed(UpstreamProtocol.HTTP_1_1, UpstreamProtocol::parse);
    }

    private static @Nullable ProxyVersion proxyProtocol(Element element) {
        ProxyVersion said = element.choice(ProxyVersion.V2, ProxyVersion.values());
        return element.present() ? said : null;
    }

    private static PoolConfig pool(Section s) {
        PoolConfig d = PoolConfig.DEFAULT;
        return s.build(
                () -> new PoolConfig(
                        s.number("connections", d.connections()),
                        s.number("pending", d.pending()),
                        s.duration("idle", d.idle()),
                        s.duration("lifetime", d.lifetime()),
                        s.number("requests", d.requests()),
                        s.duration("reclaim", d.reclaim()),
                        d.protocol(),
                        s.number("streams", d.streams())),
                d);
    }
}
