package dev.lychgate.config;

import io.netty.util.NetUtil;
import java.time.Duration;
import java.util.List;

/**
 * How the names of an upstream's endpoints are looked up.
 *
 * @param servers whom to ask, in this order, each an IP address and a port; empty = those of the system, the default
 * @param family which of a name's addresses count; default {@link AddressFamily#EITHER}
 * @param minTtl how long an answer is good at least, whatever its records say; default 1s
 * @param maxTtl how long it is good at most; default 5m
 * @param timeout longest wait for a server's answer, after which the next one is asked; default 2s
 */
public record DnsConfig(
        List<EndpointAddress> servers, AddressFamily family, Duration minTtl, Duration maxTtl, Duration timeout) {
    public static final DnsConfig DEFAULT = new DnsConfig(
            List.of(), AddressFamily.EITHER, Duration.ofSeconds(1), Duration.ofMinutes(5), Duration.ofSeconds(2));

    private static final int PORT = 53;

    public DnsConfig {
        servers = Expect.copy(servers);
        Expect.that(minTtl.toMillis() >= 100, "min-ttl", Durations.print(minTtl), ">= 100ms");
        Expect.that(maxTtl.compareTo(minTtl) >= 0, "max-ttl", Durations.print(maxTtl), ">= min-ttl");
        Expect.that(timeout.toMillis() >= 10, "timeout", Durations.print(timeout), ">= 10ms");
    }

    /**
     * Reads the address of a server: {@code 10.0.0.2}, {@code 127.0.0.1:8600}, {@code [::1]:53}.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static EndpointAddress parseServer(String text) {
        boolean alone = NetUtil.isValidIpV4Address(text) || NetUtil.isValidIpV6Address(text);
        BindAddress address = alone ? new BindAddress(text, PORT) : BindAddress.parse(text);
        if (address.port() == 0) {
            throw new IllegalArgumentException("a port from 1 to 65535");
        }
        return new EndpointAddress(address.host(), address.port());
    }
}
