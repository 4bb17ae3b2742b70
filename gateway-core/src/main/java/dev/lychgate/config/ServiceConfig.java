package dev.lychgate.config;

import java.util.Map;

/**
 * A service whose endpoints come from DNS: each IP address of each target in the SRV records is an endpoint. The
 * records determine the weights and priorities of the endpoints.
 *
 * @param name the name that has the SRV records, such as {@code _http._tcp.api.example}
 * @param zone the zone of the endpoints; empty (the default) = their zone is unknown
 * @param priority a number from 0 to 100; default 0. The priority of an endpoint is the sum of this number and the rank
 *     of the endpoint's SRV record. The rank is the position of the record's priority among the distinct priorities of
 *     all records, from 0
 * @param metadata the metadata by which routes can select a subset; default none
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2782">RFC 2782, SRV</a>
 */
public record ServiceConfig(String name, String zone, int priority, Map<String, String> metadata) {
    static final Key<String> NAME = Key.text("srv")
            .matching(
                    "(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*\\.?",
                    "a name that has SRV records, such as _http._tcp.api.example")
            .absent("-")
            .about("a name with SRV records, which contain targets, ports, weights and priorities");

    static final Key<String> ZONE = EndpointKeys.ZONE;
    static final Key<Integer> PRIORITY = EndpointKeys.PRIORITY;
    static final Key<Map<String, String>> METADATA = EndpointKeys.METADATA;

    public ServiceConfig {
        NAME.check(name);
        ZONE.check(zone);
        PRIORITY.check(priority);
        metadata = Expect.copy(metadata);
    }

    /** Creates a service with this name and the defaults of all other components. */
    public ServiceConfig(String name) {
        this(name, "", 0, Map.of());
    }

    @Override
    public String toString() {
        return "srv " + name;
    }
}
