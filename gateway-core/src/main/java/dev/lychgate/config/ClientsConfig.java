package dev.lychgate.config;

/**
 * Defines the networks whose addresses count as one client, and how many clients the gateway keeps in memory.
 *
 * @param ipv4Prefix the prefix length of the IPv4 network that counts as one client
 * @param ipv6Prefix the prefix length of the IPv6 network that counts as one client
 * @param maxClients the number of clients that each limit of a listener counts separately; each further client shares a
 *     count with other clients
 * @param maxBans the maximum number of banned clients
 */
public record ClientsConfig(int ipv4Prefix, int ipv6Prefix, int maxClients, int maxBans) {
    private static final Key<Integer> IPV4_PREFIX = Key.number("ipv4-prefix", 32)
            .unit("bits")
            .between(8, 32)
            .about("the prefix length of the IPv4 network that counts as one client");
    private static final Key<Integer> IPV6_PREFIX = Key.number("ipv6-prefix", 64)
            .unit("bits")
            .between(16, 128)
            .about("the prefix length of the IPv6 network that counts as one client; the default is 64, because a host "
                    + "chooses the other bits of its address itself");
    private static final Key<Integer> MAX_CLIENTS = Key.number("max-clients", 65_536)
            .unit("clients")
            .between(1024, 1_048_576)
            .about("the number of clients that are counted separately at the same time, for each limit of a listener; "
                    + "each count takes 9 bytes; further clients share counts");
    private static final Key<Integer> MAX_BANS = Key.number("max-bans", 100_000)
            .unit("clients")
            .between(0, 1_000_000)
            .about("the maximum number of banned clients; further clients are not banned, but the gateway counts them; "
                    + "`0` = no client is banned");

    static final Keys<ClientsConfig> KEYS =
            Keys.of(ClientsConfig::new, IPV4_PREFIX, IPV6_PREFIX, MAX_CLIENTS, MAX_BANS);

    public static final ClientsConfig DEFAULT = KEYS.defaults();

    /**
     * The defaults, but without bans. Used for replays. If a filter bans a client in one replayed exchange, the ban
     * must not affect later exchanges of the replay.
     */
    public static final ClientsConfig WITHOUT_BANS =
            new ClientsConfig(DEFAULT.ipv4Prefix, DEFAULT.ipv6Prefix, DEFAULT.maxClients, 0);

    public ClientsConfig {
        KEYS.check(ipv4Prefix, ipv6Prefix, maxClients, maxBans);
    }

    /** Returns whether {@code other} has the same prefix lengths. */
    public boolean identifiesLike(ClientsConfig other) {
        return ipv4Prefix == other.ipv4Prefix && ipv6Prefix == other.ipv6Prefix;
    }
}
