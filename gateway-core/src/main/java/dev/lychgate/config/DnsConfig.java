package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/** The settings for resolving the endpoint names of an upstream by DNS. */
public record DnsConfig(
        List<EndpointAddress> servers,
        AddressFamily family,
        Duration minTtl,
        Duration maxTtl,
        Duration timeout,
        AddressScope addresses) {

    private static final int PORT = 53;

    private static final Key<List<EndpointAddress>> SERVERS = Key.list(
                    "servers", Form.text("address", DnsConfig::parseServer).printed(EndpointAddress::authority))
            .called("list of addresses")
            .absent("the system's")
            .about("the name servers, in the order in which they are queried: IP addresses, with a port "
                    + "unless it is 53; by default the name servers of the system");

    private static final Key<AddressFamily> FAMILY = Key.choice("family", AddressFamily.EITHER)
            .about("the addresses of a name that are endpoints; `either`: the IPv4 addresses of the name, or its "
                    + "IPv6 addresses if it has no IPv4 address");
    private static final Key<Duration> MIN_TTL = Key.duration("min-ttl", "1s")
            .atLeast("100ms")
            .about("the shortest time for which a DNS response is cached, even if the TTL of its records is shorter");
    private static final Key<Duration> MAX_TTL = Key.duration("max-ttl", "5m")
            .about("the longest time for which a DNS response is cached, even if the TTL of its records is longer");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "2s")
            .atLeast("10ms")
            .about("the timeout of a query to one name server; after this time, the next name server is queried");

    private static final Key<AddressScope> ADDRESSES = Key.choice("addresses", AddressScope.ANY)
            .about("the addresses of a name that are endpoints: `public` ignores private, loopback, link-local and "
                    + "other special-purpose addresses");

    static final Keys<DnsConfig> KEYS = Keys.of(DnsConfig::new, SERVERS, FAMILY, MIN_TTL, MAX_TTL, TIMEOUT, ADDRESSES);

    public static final DnsConfig DEFAULT = KEYS.defaults();

    public DnsConfig {
        KEYS.check(servers, family, minTtl, maxTtl, timeout, addresses);
        servers = Expect.copy(servers);
        Expect.that(maxTtl.compareTo(minTtl) >= 0, "max-ttl", Durations.print(maxTtl), ">= min-ttl");
    }

    /** Creates settings that permit all addresses. */
    public DnsConfig(
            List<EndpointAddress> servers, AddressFamily family, Duration minTtl, Duration maxTtl, Duration timeout) {
        this(servers, family, minTtl, maxTtl, timeout, AddressScope.ANY);
    }

    /** Returns these settings with other permitted addresses. */
    public DnsConfig with(AddressScope other) {
        return new DnsConfig(servers, family, minTtl, maxTtl, timeout, other);
    }

    /**
     * Reads the address of a DNS server, such as {@code 10.0.0.2}, {@code 127.0.0.1:8600} or {@code [::1]:53}.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static EndpointAddress parseServer(String text) {
        boolean alone = IpLiteral.address(text) != null;
        BindAddress address = alone ? new BindAddress(text, PORT) : BindAddress.parse(text);
        if (address.port() == 0) {
            throw new IllegalArgumentException("a port from 1 to 65535");
        }
        return new EndpointAddress(address.host(), address.port());
    }
}
