package dev.lychgate.server.metrics;

import static dev.lychgate.server.metrics.Families.each;
import static dev.lychgate.server.metrics.Families.one;
import static dev.lychgate.server.metrics.Families.word;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.FilterStats;
import dev.lychgate.dns.NameStatus;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.listener.Listener;
import dev.lychgate.listener.ListenerCounters;
import dev.lychgate.proxyprotocol.ProxyFault;
import dev.lychgate.resilience.AttemptTally;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.CircuitBreaker.Hold;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.RetryDecision;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.Site;
import dev.lychgate.tls.TlsFault;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointSet;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.Upstream;
import io.prometheus.metrics.model.snapshots.Exemplars;

/** The families that are read from a running gateway: its listeners, upstreams, endpoints and filters. For one thread. */
final class GatewayFamilies {
    private static final ErrorKind[] REFUSALS = {
        ErrorKind.CIRCUIT_OPEN, ErrorKind.BULKHEAD_FULL, ErrorKind.CONCURRENCY_LIMITED
    };
    private static final DurationBuckets FILTER_BUCKETS = new DurationBuckets(FilterStats.bounds());

    private final Families.Group<Generation> generations;
    private final Families.Group<ListenerCounters> listeners;
    private final Families.Group<SecureListener> secureListeners;
    private final Families.Group<Upstream> upstreams;
    private final Families.Group<CircuitBreaker> breakers;
    private final Families.Group<EndpointNow> endpoints;
    private final Families.Group<NameStatus> names;
    private final Families.Group<FilterSlot> filters;

    GatewayFamilies(Families families) {
        generations = families.<Generation>by()
                .gauge("lychgate_generation", "Number of the generation in use", Generation::number)
                .gauge(
                        "lychgate_generation_start_time_seconds",
                        "When the generation in use was built, in seconds since 1970",
                        generation -> generation.since().toEpochMilli() / 1e3);
        listeners = families.<ListenerCounters>by("listener")
                .gauge("lychgate_listener_connections", "Client connections open now", ListenerCounters::open)
                .gauge(
                        "lychgate_listener_protocol_connections",
                        "Client connections open now, by what is spoken on them",
                        (listener, row) -> {
                            row.set(listener.openHttp1(), "http/1.1");
                            row.set(listener.openHttp2(), "h2");
                            row.set(listener.openWebSockets(), "websocket");
                        },
                        "protocol")
                .counter("lychgate_listener_accepted", "Client connections accepted", ListenerCounters::accepted)
                .counter(
                        "lychgate_listener_idle_timeouts",
                        "Client connections closed because they were silent between requests, or did not send one in time",
                        ListenerCounters::idleTimeouts)
                .counter(
                        "lychgate_listener_accept_pauses",
                        "How often accepting was suspended at the limit of connections",
                        ListenerCounters::acceptPauses)
                .counter(
                        "lychgate_listener_http2_connections",
                        "Client connections on which HTTP/2 was spoken",
                        ListenerCounters::http2Connections)
                .counter(
                        "lychgate_listener_client_address_failures",
                        "Headers of trusted proxies that led to no client address, or named another client",
                        (listener, row) -> {
                            row.set(listener.unusableClients(), "unusable");
                            row.set(listener.conflictingClients(), "conflict");
                        },
                        "reason")
                .counter(
                        "lychgate_listener_http2_faults",
                        "Streams and connections of HTTP/2 that had to end because of something their client did",
                        each(Http2Error.values(), Http2Error::label, ListenerCounters::http2Faults),
                        "error")
                .counter(
                        "lychgate_listener_proxy_failures",
                        "Connections of trusted proxies closed for want of a header of the PROXY protocol",
                        each(ProxyFault.values(), ProxyFault::label, ListenerCounters::proxyFaults),
                        "reason");
        secureListeners = families.<SecureListener>by("listener")
                .counter(
                        "lychgate_tls_handshakes",
                        "TLS handshakes with clients that were done",
                        (listener, row) -> {
                            for (boolean newest : new boolean[] {true, false}) {
                                for (boolean resumed : new boolean[] {true, false}) {
                                    long done = listener.counters.handshakes().done(newest, resumed);
                                    row.set(done, newest ? "TLSv1.3" : "TLSv1.2", Boolean.toString(resumed));
                                }
                            }
                        },
                        "protocol",
                        "resumed")
                .counter(
                        "lychgate_tls_handshake_failures",
                        "TLS handshakes with clients that came to nothing, by reason",
                        (listener, row) -> {
                            for (TlsFault fault : TlsFault.values()) {
                                setIfAny(row, listener.counters.handshakes().failed(fault), fault.label());
                            }
                        },
                        "reason")
                .gauge(
                        "lychgate_tls_certificate_expiry_seconds",
                        "When a certificate ends, in seconds since 1970",
                        (listener, row) -> {
                            for (Site site : listener.tls.sites()) {
                                row.set(site.notAfter().getEpochSecond(), site.name());
                            }
                        },
                        "certificate");
        upstreams = families.<Upstream>by("upstream")
                .counter(
                        "lychgate_attempts",
                        "Attempts that ended, by what that says of the origin",
                        each(
                                Ending.values(),
                                Families::word,
                                (upstream, ending) -> tally(upstream).ended(ending)),
                        "ending")
                .counter(
                        "lychgate_attempts_refused",
                        "Attempts that a guard refused",
                        each(
                                REFUSALS,
                                ErrorKind::label,
                                (upstream, kind) -> tally(upstream).refused(kind)),
                        "reason")
                .gauge(
                        "lychgate_attempts_under_way",
                        "Attempts under way",
                        upstream -> tally(upstream).underWay())
                .counter(
                        "lychgate_retries",
                        "Requests sent again, by why",
                        each(
                                SentAgain.values(),
                                Families::word,
                                (upstream, why) -> tally(upstream).again(why)),
                        "kind")
                .counter(
                        "lychgate_retries_refused",
                        "Failed and slow attempts after which nothing was sent again",
                        (upstream, row) -> {
                            for (RetryDecision decision : RetryDecision.values()) {
                                if (!decision.sendsAgain()) {
                                    AttemptTally tally = tally(upstream);
                                    String reason = decision.label();
                                    setIfAny(row, tally.retriesDecided(decision), word(SentAgain.RETRY), reason);
                                    setIfAny(row, tally.hedgesDecided(decision), word(SentAgain.HEDGE), reason);
                                }
                            }
                        },
                        "kind",
                        "reason")
                .counter(
                        "lychgate_hedges_won",
                        "Second attempts whose answer was taken",
                        upstream -> tally(upstream).hedgesWon())
                .counter(
                        "lychgate_retry_budget",
                        "Attempts that the retry budget was asked for",
                        (upstream, row) -> {
                            row.set(tally(upstream).budgetSpent(), "spent");
                            row.set(tally(upstream).budgetRefused(), "refused");
                        },
                        "result")
                .gauge(
                        "lychgate_limit",
                        "Attempts that the adaptive limit lets be under way, over all event loops",
                        (upstream, row) -> upstream.protection().limit().ifPresent(row::set))
                .gauge(
                        "lychgate_bulkhead_in_use",
                        "Places of the bulkhead that are taken",
                        (upstream, row) -> upstream.protection().bulkheadInUse().ifPresent(row::set));
        breakers = families.<CircuitBreaker>by("upstream", "endpoint")
                .gauge(
                        "lychgate_breaker_position",
                        "1 for what the circuit does, else 0",
                        one(CircuitBreaker.Position.values(), CircuitBreaker::position),
                        "position")
                .gauge(
                        "lychgate_breaker_held",
                        "1 if an operator holds the circuit in that position, else 0",
                        one(new Hold[] {Hold.OPEN, Hold.CLOSED}, CircuitBreaker::hold),
                        "position")
                .counter("lychgate_breaker_openings", "How often the circuit has opened", CircuitBreaker::openings);
        endpoints = families.<EndpointNow>by("upstream", "endpoint")
                .gauge("lychgate_endpoint_share", "Share of its upstream's traffic, 0 to 1", EndpointNow::share)
                .gauge(
                        "lychgate_endpoint_ejected",
                        "1 while it is left out since it failed under traffic",
                        endpoint -> endpoint.ejected ? 1 : 0)
                .gauge(
                        "lychgate_endpoint_health",
                        "1 for what active checks say of it, else 0",
                        one(EndpointState.Health.values(), endpoint -> endpoint.state.health()),
                        "health")
                .gauge(
                        "lychgate_endpoint_admin",
                        "1 for what the operator says of it, else 0",
                        one(EndpointState.AdminState.values(), endpoint -> endpoint.state.admin()),
                        "admin");
        names = families.<NameStatus>by("upstream", "name")
                .counter(
                        "lychgate_dns_lookups",
                        "Lookups of endpoints' names, by result",
                        (name, row) -> {
                            row.set(name.answered(), "answered");
                            row.set(name.failed(), "failed");
                        },
                        "result")
                .gauge(
                        "lychgate_dns_failing",
                        "1 while the last lookup of the name has failed",
                        name -> name.fault() == null ? 0 : 1);
        // Filters of one phase and name on several routes are counted together.
        filters = families.<FilterSlot>by("phase", "filter")
                .counter(
                        "lychgate_filter_runs",
                        "Runs of the filter that ended, however they did",
                        slot -> slot.stats().runs())
                .counter(
                        "lychgate_filter_seconds",
                        "How long all its runs together took, waiting included",
                        slot -> slot.stats().nanos() / 1e9)
                .counter(
                        "lychgate_filter_failures",
                        "Runs that failed, those that took too long included",
                        slot -> slot.stats().failures())
                .counter(
                        "lychgate_filter_timeouts",
                        "Runs that took longer than they may",
                        slot -> slot.stats().timeouts())
                .counter(
                        "lychgate_filter_skipped",
                        "Exchanges it would have met if it had not been ejected or disabled",
                        slot -> slot.stats().skipped())
                .counter(
                        "lychgate_filter_strikes",
                        "How often it has held an event loop for too long",
                        slot -> slot.stats().strikes())
                .gauge(
                        "lychgate_filter_lingering",
                        "Blocking calls that were given up, do not return and keep their threads",
                        slot -> slot.stats().lingering())
                .histogram(
                        "lychgate_filter_duration_seconds",
                        "How long a run of the filter took, waiting included",
                        (slot, row) -> {
                            FilterStats stats = slot.stats();
                            row.set(
                                    new DurationCells(FILTER_BUCKETS, stats.durations(), stats.nanos()),
                                    Exemplars.EMPTY);
                        })
                .gauge(
                        "lychgate_filter_disabled",
                        "1 while an operator has it left out, else 0",
                        slot -> slot.isDisabled() ? 1 : 0);
    }

    private record SecureListener(ListenerCounters counters, ServerTls tls) {}

    private record EndpointNow(EndpointState state, double share, boolean ejected) {}

    /** Most reasons never happen at most subjects. */
    private static void setIfAny(Families.Row row, long count, String... further) {
        if (count > 0) {
            row.set(count, further);
        }
    }

    private static AttemptTally tally(Upstream upstream) {
        return upstream.protection().tally();
    }

    void read(Gateway running) {
        Generation generation = running.generation();
        generations.read(generation);
        for (Listener listener : running.listeners()) {
            String name = listener.config().name();
            listeners.read(listener.counters(), name);
            ServerTls tls = generation.serverTls(name);
            if (tls != null) {
                secureListeners.read(new SecureListener(listener.counters(), tls), name);
            }
        }
        generation.upstreams().forEach(this::read);
        running.nameStatuses().forEach(name -> names.read(name, name.upstream(), name.name()));
        generation.filters().slots().forEach(slot -> filters.read(slot, word(slot.phase()), slot.name()));
    }

    private void read(Upstream upstream) {
        upstreams.read(upstream, upstream.name());
        // Under no name: the circuit that all endpoints share.
        upstream.protection()
                .breakers()
                .forEach((endpoint, breaker) ->
                        breakers.read(breaker, upstream.name(), endpoint.isEmpty() ? "-" : endpoint));
        long now = System.nanoTime();
        EndpointSet set = upstream.whole().current(now);
        for (Endpoint endpoint : upstream.endpoints()) {
            EndpointState state = upstream.state().of(endpoint.address());
            boolean ejected = state.ejectedUntil() > now;
            endpoints.read(
                    new EndpointNow(state, set.share(endpoint), ejected), endpoint.upstream(), endpoint.authority());
        }
    }
}
