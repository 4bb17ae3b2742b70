package dev.lychgate.config;

import java.time.Duration;
import java.util.List;

/**
 * How the names of an upstream's endpoints are looked up.
 */
public record DnsConfig(
        List<EndpointAddress> servers, AddressFamily family, Duration minTtl, Duration maxTtl, Duration timeout) {

    private static final int PORT = 53;

    private static final Key<List<EndpointAddress>> SERVERS = Key.list(
                    "servers", Form.text("address", DnsConfig::parseServer).printed(EndpointAddress::authority))
            .called("list of addresses")
            .absent("the system's")
            .about("whom to ask, in this order: IP addresses, with a port unless it is 53; otherwise those of the"
                    + " system");

    private static final Key<AddressFamily> FAMILY = Key.choice("family", AddressFamily.EITHER)
            .about("which addresses of a name are endpoints; `either`: its IPv4 addresses, or the others if it has"
                    + " none");
    private static final Key<Duration> MIN_TTL = Key.duration("min-ttl", "1s")
            .atLeast("100ms")
            .about("how long an answer is good at least, whatever its records say");
    private static final Key<Duration> MAX_TTL = Key.duration("max-ttl", "5m").about("how long it is good at most");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "2s")
            .atLeast("10ms")
            .about("longest wait for a server's answer, after which the next one is asked");

    static final Keys<DnsConfig> KEYS = Keys.of(DnsConfig::new, SERVERS, FAMILY, MIN_TTL, MAX_TTL, TIMEOUT);

    public static final DnsConfig DEFAULT = KEYS.defaults();

    public DnsConfig {
        KEYS.check(servers, family, minTtl, maxTtl, timeout);
        servers = Expect.copy(servers);
        Expect.that(maxTtl.compareTo(minTtl) >= 0, "max-ttl", Durations.print(maxTtl), ">= min-ttl");
    }

    /**
     * Reads the address of a server: {@code 10.0.0.2}, {@code 127.0.0.1:8600}, {@code [::1]:53}.
     *
     * @throws IllegalArgumentException with what was expected
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
