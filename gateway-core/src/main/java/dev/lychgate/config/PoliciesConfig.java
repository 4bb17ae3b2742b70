package dev.lychgate.config;

import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policies and sources to which routes, listeners and upstreams refer by name. Each component is a separate section
 * in the file.
 *
 * @param rateLimits the rate limits by name
 * @param addressLists the lists of addresses by name
 * @param clients the rule that determines which addresses count as one client
 * @param access the authentication of all listeners, and the authorization of all routes
 * @param cache the limits for stored responses, which apply to all routes together
 * @param discovery the sources of endpoints; null = none
 */
public record PoliciesConfig(
        Map<String, RateLimitConfig> rateLimits,
        Map<String, AddressListConfig> addressLists,
        ClientsConfig clients,
        AccessConfig access,
        CacheMemoryConfig cache,
        @Nullable DiscoveryConfig discovery) {
    private static final Key<Map<String, RateLimitConfig>> RATE_LIMITS = Key.typed(
                    "rate-limits",
                    Form.mapping(Form.<RateLimitConfig>section(values -> RateLimitConfig.KEYS.read(values)), "name"),
                    Map.of())
            .about("the [rate limits](rate-limits.md), by name; routes and listeners refer to these names in "
                    + "`rate-limit`");

    private static final Key<Map<String, AddressListConfig>> ADDRESS_LISTS = Key.typed(
                    "address-lists",
                    Form.mapping(
                            Form.<AddressListConfig>section(values -> AddressListConfig.KEYS.read(values)), "name"),
                    Map.of())
            .about("the [lists of addresses](client-protection.md#address-lists), by name; `client-protection` of "
                    + "listeners refers to these names");
    private static final Key<ClientsConfig> CLIENTS = Key.section("clients", ClientsConfig.KEYS)
            .about("the prefix lengths of the networks that count as one client for [client "
                    + "protection](client-protection.md), and the number of clients that are kept in memory");

    private static final Key<CacheMemoryConfig> CACHE = Key.section("cache", CacheMemoryConfig.KEYS)
            .about("the bounds of the [stored responses](cache.md#memory) of all routes together");

    private static final Key<DiscoveryConfig> DISCOVERY = Key.section("discovery", null, () -> DiscoveryConfig.KEYS)
            .absent("no sources")
            .about("the [sources of endpoints](discovery.md) other than DNS, and the rules for the endpoints that "
                    + "these sources report");

    static PoliciesConfig read(Key.Values values) {
        return new PoliciesConfig(
                values.get(RATE_LIMITS),
                values.get(ADDRESS_LISTS),
                values.get(CLIENTS),
                AccessConfig.KEYS.read(values),
                values.get(CACHE),
                values.get(DISCOVERY));
    }

    public static final PoliciesConfig NONE = new PoliciesConfig(Map.of());

    public PoliciesConfig {
        rateLimits = Expect.copy(rateLimits);
        rateLimits.keySet().forEach(name -> Form.NAMED.check("rate-limits", name));
        addressLists = Expect.copy(addressLists);
        addressLists.keySet().forEach(name -> Form.NAMED.check("address-lists", name));
    }

    /** Creates policies that contain only rate limits. */
    public PoliciesConfig(Map<String, RateLimitConfig> rateLimits) {
        this(rateLimits, Map.of(), ClientsConfig.DEFAULT);
    }

    /** Creates policies without authentication and authorization, and with the default limits for stored responses. */
    public PoliciesConfig(
            Map<String, RateLimitConfig> rateLimits,
            Map<String, AddressListConfig> addressLists,
            ClientsConfig clients) {
        this(rateLimits, addressLists, clients, AccessConfig.NONE, CacheMemoryConfig.DEFAULT, null);
    }

    /** Returns these policies with other authentication and authorization. */
    public PoliciesConfig with(AccessConfig other) {
        return Copy.of(this, "access", other);
    }

    /** Returns these policies with other sources of endpoints; null = none. */
    public PoliciesConfig withDiscovery(@Nullable DiscoveryConfig other) {
        return Copy.of(this, "discovery", other);
    }

    /** Returns the paths of all files that contain address lists. */
    public Stream<String> addressFiles() {
        return addressLists.values().stream().flatMap(list -> list.files().stream());
    }
}
