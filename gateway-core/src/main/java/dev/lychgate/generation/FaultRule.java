package dev.lychgate.generation;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.DelayRange;
import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.config.FaultScope;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.RequestGroups;
import dev.lychgate.route.Route;
import dev.lychgate.upstream.Hash;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A compiled fault: selects the requests that it hits, and contains its effects. Immutable and thread-safe.
 *
 * <p>The share of a fault may depend on the client address, a cookie or a header. In this case, a hash of this value
 * decides whether the fault hits a request. The only salt of the hash is the name of the fault. Therefore, all event
 * loops, generations and gateways select the same clients, even after a restart.
 */
public final class FaultRule {
    /** The kinds of effects that a fault can have. */
    public enum Kind {
        DELAY,
        ABORT,
        RESET,
        BANDWIDTH;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** Returns the name of this kind in metrics and logs. */
        public String label() {
            return label;
        }
    }

    /** The source of a fault: the configuration or an operator. */
    public enum Source {
        /** The configuration declares the fault. Reloads apply changes. */
        CONFIGURATION,
        /**
         * An operator injects the fault on the admin listener. The fault outlives generations and ends with the
         * process.
         */
        OPERATOR
    }

    private final FaultConfig config;
    private final Source source;
    private final String author;
    private final Set<String> routes;
    private final RequestGroups match;
    private final Split split;

    private FaultRule(FaultConfig config, Source source, String author, RequestGroups match) {
        FaultScope scope = config.scope();
        this.config = config;
        this.source = source;
        this.author = author;
        this.routes = Set.copyOf(scope.routes());
        this.match = match;
        this.split = new Split(scope.share().fraction(), Hash.of(config.name()), scope.by(), RequestGroups.NONE);
    }

    /**
     * Compiles a fault: parses its predicates and effects.
     *
     * @param key the key of the fault's section, for messages: {@code faults.rules[0]}
     * @throws ConfigException if a predicate is malformed
     */
    public static FaultRule compile(String key, FaultConfig config, Source source) {
        return compile(key, config, source, new RegexBudget(key));
    }

    /**
     * Compiles one of several faults.
     *
     * @param budget limits the regular expressions of all faults that are compiled together
     */
    static FaultRule compile(String key, FaultConfig config, Source source, RegexBudget budget) {
        return compile(key, config, source, "", budget);
    }

    /**
     * Compiles a fault of an operator.
     *
     * @param author the name of the operator, or another description of the client
     * @throws ConfigException if a predicate is malformed
     */
    public static FaultRule injected(FaultConfig config, String author) {
        return compile("fault", config, Source.OPERATOR, author, new RegexBudget("fault"));
    }

    private static FaultRule compile(String key, FaultConfig config, Source source, String author, RegexBudget budget) {
        return new FaultRule(
                config,
                source,
                author,
                RequestGroups.compile(key + ".match", config.scope().match(), budget));
    }

    public String name() {
        return config.name();
    }

    public Source source() {
        return source;
    }

    /** Returns the author of an injected fault; empty for a fault of the configuration. */
    public String author() {
        return author;
    }

    public FaultEffects effects() {
        return config.effects();
    }

    /**
     * Returns the ids of the routes that the fault affects, in the order of the configuration; empty if it affects all
     * routes.
     */
    public List<String> routes() {
        return config.scope().routes();
    }

    /** Returns the settings of the fault. */
    public FaultConfig config() {
        return config;
    }

    /** Returns the time at which the fault expires. */
    public Instant until() {
        return config.until();
    }

    public boolean isOver(Instant now) {
        return !now.isBefore(config.until());
    }

    /** Returns whether the fault can hit requests of a route. */
    public boolean concerns(Route route) {
        return routes.isEmpty() || routes.contains(route.id());
    }

    /**
     * Returns whether a request matches the conditions of the fault. Ignores the share of the fault.
     *
     * @param ingress facts about the client's connection
     */
    public boolean matches(RequestHead head, Ingress ingress) {
        return config.scope().match().equals(MatchConfig.ANY) || match.contain(head, ingress);
    }

    /**
     * Decides whether the fault hits a request of a route.
     *
     * @param random decides about the request if the share is a random selection; owned by the calling thread
     */
    boolean hits(Route route, RequestHead head, Ingress ingress, RandomGenerator random) {
        return concerns(route)
                && matches(head, ingress)
                && split.takes(split.place(head, ingress, random), head, ingress);
    }

    /** Returns the delay for one request, in nanoseconds; 0 if the fault delays no requests. */
    public long delay(RandomGenerator random) {
        DelayRange delay = config.effects().delay();
        if (delay == null) {
            return 0;
        }
        long least = delay.least().toNanos();
        long most = delay.most().toNanos();
        return least == most ? least : random.nextLong(least, most + 1);
    }

    /** Describes the fault for the log: {@code slow-db: 10% of route api, delay 200ms, until 2026-12-01T12:00:00Z}. */
    @Override
    public String toString() {
        FaultScope scope = config.scope();
        String by = scope.share().isAll() ? "" : " by " + scope.by().describe();
        String where = routes.isEmpty() ? "all routes" : "routes " + String.join(", ", scope.routes());
        String which = scope.match().equals(MatchConfig.ANY) ? "" : " with " + match;
        return config.name() + ": " + scope.share() + by + " of " + where + which + ", " + config.effects() + ", until "
                + config.until();
    }
}
