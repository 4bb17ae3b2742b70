package dev.lychgate.server.admin;

import dev.lychgate.config.Algorithm;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.dns.NameStatus;
import dev.lychgate.generation.Generation;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.resilience.Protection;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import dev.lychgate.server.metrics.RecentAttempts.Attempts;
import dev.lychgate.server.metrics.RecentAttempts.OfEndpoint;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointSet;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.EndpointState.Health;
import dev.lychgate.upstream.SourceStatus;
import dev.lychgate.upstream.Upstream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** {@code /upstreams}: every upstream with its endpoints, their state, and the counters of their pools. */
final class UpstreamsPage {
    /**
     * @param pools the counters of pools, by {@code upstream/endpoint}
     * @param attempts the rates of the attempts in the last seconds
     */
    record Shown(
            Generation generation,
            Map<String, PoolCounters> pools,
            List<NameStatus> names,
            List<SourceStatus> sources,
            Attempts attempts) {}

    /**
     * An upstream.
     *
     * @param set the endpoints of the upstream that are in use
     */
    private record Row(Shown shown, Upstream upstream, EndpointSet set) {
        private Algorithm algorithm() {
            return upstream.config().balance().algorithm();
        }
    }

    /**
     * An endpoint and its state.
     *
     * @param share the endpoint's share of the traffic, 0 to 1
     */
    record Known(Upstream upstream, Endpoint endpoint, EndpointState state, double share) {
        static Known of(Upstream upstream, Endpoint endpoint, EndpointSet set) {
            return new Known(upstream, endpoint, upstream.state().of(endpoint.address()), set.share(endpoint));
        }

        private EndpointConfig config() {
            return endpoint.config();
        }

        private int weight() {
            return state.weight() > 0 ? state.weight() : endpoint.config().weight();
        }
    }

    /** An endpoint and its counters. */
    private record Used(Shown shown, Known known) {
        private RecentRates recent() {
            OfEndpoint recent = shown.attempts.of(known.endpoint);
            return new RecentRates(
                    recent.ended(), recent.failed(), shown.attempts.seconds(), recent.p50(), recent.p99());
        }

        private PoolCounters pool() {
            return shown.pools.getOrDefault(known.endpoint.toString(), PoolCounters.ZERO);
        }
    }

    private static final JsonType<AdminState> ADMIN = Json.words(AdminState.values());

    static final Parameter<String> ITS_UPSTREAM =
            Parameter.needed("upstream", "the name of the upstream of the endpoint");
    static final Parameter<String> ITS_ADDRESS =
            Parameter.needed("endpoint", "the HOST:PORT of the endpoint, as in /upstreams");
    static final Parameter<AdminState> STATE = Parameter.optional("state", ADMIN, "the new state of the endpoint");
    static final Parameter<Long> WEIGHT = Parameter.optional(
            "weight",
            Json.integer(0, EndpointConfig.MAX_WEIGHT),
            "the new weight of the endpoint; 0 restores the configured weight");

    private static final Shape<Known> KNOWN = new Shape<Known>("EndpointState")
            .text("endpoint", "Host and port.", known -> known.endpoint.authority())
            .integer("weight", "The weight in use.", Known::weight)
            .text(
                    "zone",
                    "The zone of the endpoint; empty if the endpoint has none.",
                    known -> known.config().zone())
            .integer(
                    "priority",
                    "The priority of the endpoint.",
                    known -> known.config().priority())
            .field("admin", ADMIN, "The state that an operator set.", known -> known.state.admin())
            .field("health", Json.words(Health.values()), "The result of the checks.", known -> known.state.health())
            .optionalText("fault", "The reason for the last failed check.", known -> known.state.fault())
            .flag(
                    "ejected",
                    "Whether the endpoint is ejected because it failed.",
                    known -> known.state.ejectedUntil() > System.nanoTime())
            .number("share", "The share of the traffic that the endpoint gets, 0 to 1.", Known::share);

    /** An endpoint with its upstream, but without the counters of its pools. */
    static final Shape<Known> ENDPOINT = new Shape<Known>("Endpoint", "An endpoint of an upstream.")
            .text("upstream", "The name of the upstream.", known -> known.upstream.name())
            .include(KNOWN, known -> known);

    private static final Shape<Used> USED = new Shape<Used>("UpstreamEndpoint")
            .include(KNOWN, Used::known)
            .include(RecentRates.SHAPE, Used::recent)
            .include(PoolsPage.COUNTERS, Used::pool);

    private static final Shape<NameStatus> NAME = new Shape<NameStatus>("NameStatus")
            .text("name", "The host name or the name of the service.", NameStatus::name)
            .integer("answered", "Lookups that succeeded.", NameStatus::answered)
            .integer("failed", "Lookups that failed.", NameStatus::failed)
            .optionalText(
                    "fault", "The reason why the last lookup failed; missing if it succeeded.", NameStatus::fault);

    private static final Shape<SourceStatus> SOURCE = new Shape<SourceStatus>("SourceStatus")
            .text("source", "The name of the source.", SourceStatus::source)
            .text("service", "The name of the service at the source.", SourceStatus::service)
            .optional(
                    "age_seconds",
                    Json.NUMBER,
                    "Seconds since the source last reported or confirmed the endpoints; missing before a report.",
                    UpstreamsPage::age)
            .flag(
                    "stored",
                    "Whether the endpoints are from an earlier process, because the source has not responded yet.",
                    SourceStatus::stored)
            .integer("ready", "Ready endpoints in use.", SourceStatus::ready)
            .integer("draining", "Draining endpoints in use.", SourceStatus::draining)
            .integer("retained", "Ready endpoints that the source no longer reports as ready.", SourceStatus::retained)
            .integer("answered", "Reports with endpoints.", SourceStatus::answered)
            .integer("empty", "Reports without a ready endpoint.", SourceStatus::empty)
            .integer("failed", "Failures of the source.", SourceStatus::failed)
            .optionalText(
                    "fault",
                    "Why the source failed last or its last report was refused; missing if the report was accepted.",
                    SourceStatus::fault);

    private static final Shape<Protection> GUARDS = new Shape<Protection>("")
            .optional(
                    "bulkhead_in_use",
                    Json.INTEGER,
                    "Attempts that the bulkhead counts now.",
                    it -> value(it.bulkheadInUse()))
            .optional("limit", Json.INTEGER, "The limit of running attempts.", it -> value(it.limit()))
            .integer("retry_budget_left", "The approximate number of retries allowed now.", UpstreamsPage::budget);

    private static final Shape<Upstream> PROTECTION = new Shape<Upstream>("Protection")
            .integer("under_way", "Running attempts.", UpstreamsPage::underWay)
            .list("breakers", BreakersPage.CIRCUIT, "The circuit breakers of the upstream.", BreakersPage::of)
            .include(GUARDS, Upstream::protection);

    private static final JsonType<Algorithm> ALGORITHM = Json.words(Algorithm.values(), Algorithm::label);

    private static final Shape<Row> UPSTREAM = new Shape<Row>("Upstream")
            .text("name", "The name of the upstream.", row -> row.upstream.name())
            .field("algorithm", ALGORITHM, "How endpoints are selected.", Row::algorithm)
            .optionalText("tls", "Whether certificates are verified; missing without TLS.", UpstreamsPage::tls)
            .flag("panic", "Whether unhealthy endpoints are also used.", row -> row.set.isPanic())
            .list("endpoints", USED, "The endpoints of the upstream.", UpstreamsPage::endpoints)
            .optional("names", Json.list(NAME), "Names that are looked up in DNS, if any.", UpstreamsPage::names)
            .optional(
                    "sources",
                    Json.list(SOURCE),
                    "Services that are discovered at sources, if any.",
                    UpstreamsPage::sources)
            .field(
                    "protection",
                    PROTECTION,
                    "The limits and circuit breakers of attempts at this upstream.",
                    Row::upstream);

    static final Shape<Shown> SHAPE = new Shape<Shown>(
                    "Upstreams", "The upstreams in use, with their endpoints and pools.")
            .integer("generation", "The number of the generation.", shown -> shown.generation.number())
            .number("seconds", "Length of the window; 0 for the first request.", shown -> shown.attempts.seconds())
            .list("upstreams", UPSTREAM, "Every upstream.", UpstreamsPage::rows);

    private UpstreamsPage() {}

    private static long underWay(Upstream upstream) {
        return upstream.protection().tally().underWay();
    }

    private static long budget(Protection protection) {
        return protection.budget().left(System.nanoTime());
    }

    private static List<Row> rows(Shown shown) {
        return shown.generation.upstreams().stream()
                .map(upstream -> new Row(shown, upstream, upstream.whole().current(System.nanoTime())))
                .toList();
    }

    private static List<Used> endpoints(Row row) {
        return row.upstream.endpoints().stream()
                .map(endpoint -> new Used(row.shown, Known.of(row.upstream, endpoint, row.set)))
                .toList();
    }

    private static @Nullable String tls(Row row) {
        return row.upstream.tls() == null ? null : row.upstream.tls().verifies() ? "verified" : "NOT VERIFIED";
    }

    private static @Nullable List<NameStatus> names(Row row) {
        List<NameStatus> names = row.shown.names.stream()
                .filter(name -> name.upstream().equals(row.upstream.name()))
                .toList();
        return names.isEmpty() ? null : names;
    }

    private static @Nullable List<SourceStatus> sources(Row row) {
        List<SourceStatus> sources = row.shown.sources.stream()
                .filter(source -> source.upstream().equals(row.upstream.name()))
                .toList();
        return sources.isEmpty() ? null : sources;
    }

    private static @Nullable Double age(SourceStatus of) {
        Instant confirmed = of.confirmed();
        return confirmed == null
                ? null
                : (Double) (Duration.between(confirmed, Instant.now()).toMillis() / 1000.0);
    }

    private static @Nullable Integer value(OptionalInt value) {
        return value.isPresent() ? (Integer) value.getAsInt() : null;
    }

    /**
     * Drains, disables or enables an endpoint, or changes its weight. The change also applies to all later generations
     * that name the endpoint, until the process ends.
     *
     * @return the endpoint after the change
     * @throws Rejection with 404 if the endpoint is unknown; with 400 if the request names neither a state nor a weight
     */
    static Known change(Generation generation, Parameters given) throws Rejection {
        AdminState state = given.optional(STATE);
        Long weight = given.optional(WEIGHT);
        if (state == null && weight == null) {
            throw Rejection.malformed("the parameter state, the parameter weight, or both are required");
        }
        Upstream upstream = generation.upstream(given.needed(ITS_UPSTREAM));
        String address = given.needed(ITS_ADDRESS);
        Endpoint endpoint = upstream == null
                ? null
                : upstream.endpoints().stream()
                        .filter(one -> one.authority().equals(address))
                        .findFirst()
                        .orElse(null);
        if (upstream == null || endpoint == null) {
            throw Rejection.notFound("unknown endpoint; see /upstreams");
        }
        if (state != null) {
            upstream.state().admin(endpoint.address(), state);
        }
        if (weight != null) {
            upstream.state().weight(endpoint.address(), weight.intValue());
        }
        return Known.of(upstream, endpoint, upstream.whole().current(System.nanoTime()));
    }
}
