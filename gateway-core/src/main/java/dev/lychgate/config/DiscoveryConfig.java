package dev.lychgate.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sources of endpoints, and the rules for the endpoints that the sources report.
 *
 * @param sources the sources by name
 * @param state the directory in which the gateway keeps the last known endpoints of each service; null = none
 * @param maxRemoval the largest share by which the number of ready endpoints of a service may fall in {@code
 *     removalPeriod}
 * @param removalPeriod the period to which {@code maxRemoval} applies
 */
public record DiscoveryConfig(
        Map<String, SourceConfig> sources, @Nullable String state, Percent maxRemoval, Duration removalPeriod) {
    private static final Key<Map<String, SourceConfig>> SOURCES = Key.typed(
                    "sources", Form.mapping(Form.section(SourceConfig::read), "name"), Map.of())
            .about("the sources, by name; items of `upstreams.*.endpoints` refer to these names in `from`");
    private static final Key<String> STATE = Key.file("state")
            .absent("not kept")
            .about("the directory in which the gateway keeps the last known endpoints of each service; after a "
                    + "restart, these endpoints are in use until the source responds");
    private static final Key<Percent> MAX_REMOVAL = Key.percent("max-removal", "50%")
            .between("1%", "100%")
            .about("the largest share by which the number of ready endpoints of a service may fall in "
                    + "`removal-period`; beyond this share, removed endpoints stay in use");
    private static final Key<Duration> REMOVAL_PERIOD =
            Key.duration("removal-period", "1m").between("1s", "1h").about("the period to which `max-removal` applies");

    static final Keys<DiscoveryConfig> KEYS =
            Keys.of(DiscoveryConfig::new, SOURCES, STATE, MAX_REMOVAL, REMOVAL_PERIOD);

    public static final DiscoveryConfig DEFAULT = KEYS.defaults();

    public DiscoveryConfig {
        KEYS.check(sources, state, maxRemoval, removalPeriod);
        sources = Expect.copy(sources);
        sources.keySet().forEach(name -> Form.NAMED.check("sources", name));
        Expect.that(state == null || !state.isBlank(), "state", String.valueOf(state), "a directory");
    }

    /** Creates settings with these sources and the defaults of all other components. */
    public static DiscoveryConfig of(Map<String, SourceConfig> sources) {
        return new DiscoveryConfig(sources, null, DEFAULT.maxRemoval, DEFAULT.removalPeriod);
    }

    /**
     * Returns the upstreams, each with the settings of the sources that it names.
     *
     * @throws ConfigException if an upstream names an unknown source
     */
    static Map<String, UpstreamConfig> bind(
            Map<String, UpstreamConfig> upstreams, @Nullable DiscoveryConfig discovery) {
        Map<String, SourceConfig> known = discovery == null ? Map.of() : discovery.sources;
        Map<String, UpstreamConfig> bound = new LinkedHashMap<>();
        upstreams.forEach((name, upstream) -> bound.put(name, bind(name, upstream, known)));
        return bound;
    }

    private static UpstreamConfig bind(String name, UpstreamConfig upstream, Map<String, SourceConfig> known) {
        if (upstream.discovered().isEmpty()) {
            return upstream;
        }
        for (DiscoveredConfig item : upstream.discovered()) {
            Expect.that(
                    known.containsKey(item.from()),
                    "upstreams." + name + ".endpoints",
                    item.from(),
                    "one of the discovery.sources " + known.keySet());
        }
        List<DiscoveredConfig> bound = upstream.discovered().stream()
                .map(item -> item.at(Objects.requireNonNull(known.get(item.from()))))
                .toList();
        return bound.equals(upstream.discovered()) ? upstream : upstream.withDiscovered(bound);
    }
}
