package dev.lychgate.config;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/** Determines to which IP addresses of a host name the gateway connects. */
public enum AddressScope {
    /** All addresses that a host can have. */
    ANY,
    /**
     * Only addresses of hosts on the public internet. Addresses of private networks, of this host and for special use
     * are excluded.
     */
    PUBLIC;

    /** Returns whether the gateway may connect to {@code address}. */
    public boolean admits(InetAddress address) {
        return this == ANY || Blocks.isPublic(address);
    }

    /**
     * The address blocks that are not public. The class is loaded at the first check.
     *
     * @see <a href="https://www.iana.org/assignments/iana-ipv4-special-registry">IANA IPv4 Special-Purpose Address Registry</a>
     * @see <a href="https://www.iana.org/assignments/iana-ipv6-special-registry">IANA IPv6 Special-Purpose Address Registry</a>
     */
    private static final class Blocks {
        /**
         * The block of all public IPv6 addresses. It excludes NAT64, IPv4-compatible, link-local and unique local
         * addresses.
         */
        private static final Cidr GLOBAL_UNICAST = Cidr.parse("2000::/3");

        private static final List<Cidr> SPECIAL = Stream.of(
                        "0.0.0.0/8",
                        "10.0.0.0/8",
                        "100.64.0.0/10",
                        "127.0.0.0/8",
                        // The address of Azure's services for virtual machines, such as metadata.
                        "168.63.129.16",
                        "169.254.0.0/16",
                        "172.16.0.0/12",
                        "192.0.0.0/24",
                        "192.0.2.0/24",
                        "192.88.99.0/24",
                        "192.168.0.0/16",
                        "198.18.0.0/15",
                        "198.51.100.0/24",
                        "203.0.113.0/24",
                        "224.0.0.0/3",
                        "2001::/23",
                        "2001:db8::/32",
                        // 6to4: these addresses embed arbitrary IPv4 addresses.
                        "2002::/16",
                        "3fff::/20")
                .map(Cidr::parse)
                .toList();

        static boolean isPublic(InetAddress address) {
            boolean four = address.getAddress().length == 4;
            return (four || GLOBAL_UNICAST.contains(address))
                    && SPECIAL.stream().noneMatch(b -> b.contains(address));
        }
    }
}
