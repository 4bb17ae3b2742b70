package dev.lychgate.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Fault injection for rehearsals.
 *
 * @param enabled whether faults can be injected, by {@code rules} or through the admin listener
 * @param rules the faults that the file configures
 */
public record FaultsConfig(boolean enabled, List<FaultConfig> rules) {
    /** The maximum number of faults in a file. */
    public static final int MOST = 64;

    private static final Key<Boolean> ENABLED = Key.flag("enabled", false)
            .about("permits faults, both from `rules` and from operators on the admin listener");
    private static final Key<List<FaultConfig>> RULES = Key.list("rules", Form.section(FaultConfig::read))
            .called("list")
            .between(0, MOST)
            .about("the faults; each has effects and an end");

    static final Keys<FaultsConfig> KEYS = Keys.of(FaultsConfig::new, ENABLED, RULES);

    /** No faults. */
    public static final FaultsConfig OFF = KEYS.defaults();

    public FaultsConfig {
        KEYS.check(enabled, rules);
        rules = Expect.copy(rules);
        Expect.that(enabled || rules.isEmpty(), "enabled", enabled, "true, because rules are configured");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < rules.size(); i++) {
            String name = rules.get(i).name();
            Expect.that(names.add(name), "rules[" + i + "].name", name, "a name that no other fault has");
        }
    }

    /**
     * Requires that every route and every listener to which a fault refers exists.
     *
     * @throws ConfigException if a referenced route or listener does not exist; the message names the key by its path
     *     from the top of the file
     */
    void refersTo(Set<String> routes, Set<String> listeners) {
        for (int i = 0; i < rules.size(); i++) {
            FaultScope scope = rules.get(i).scope();
            String key = "faults.rules[" + i + "]";
            for (int j = 0; j < scope.routes().size(); j++) {
                String id = scope.routes().get(j);
                Expect.that(routes.contains(id), key + ".routes[" + j + "]", id, "the id of a route");
            }
            List<String> unknown = scope.match()
                    .listenersNamed()
                    .filter(name -> !listeners.contains(name))
                    .toList();
            Expect.that(
                    unknown.isEmpty(),
                    key + ".match.listeners",
                    unknown,
                    "only names of configured listeners: " + listeners);
        }
    }
}
