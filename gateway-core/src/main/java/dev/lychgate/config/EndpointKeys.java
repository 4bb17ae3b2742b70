package dev.lychgate.config;

import java.util.Map;

/** The keys that every item in {@code endpoints} may contain, whatever its kind. */
final class EndpointKeys {
    static final int MAX_PRIORITY = 100;

    static final Key<String> ZONE = Key.typed("zone", Form.NAMED_OR_NONE, "")
            .absent("none")
            .about("the zone of the endpoint, such as the name of a data center; see `balance.zone`");
    static final Key<Integer> PRIORITY = Key.number("priority", 0)
            .between(0, MAX_PRIORITY)
            .about("the priority of the endpoint: endpoints with lower numbers are used first; endpoints with higher "
                    + "numbers are used if too few endpoints with lower numbers are available");
    static final Key<Map<String, String>> METADATA =
            Key.texts("metadata", "key").about("the metadata by which routes select a `subset` of the endpoints");

    private EndpointKeys() {}
}
