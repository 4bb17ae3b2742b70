package dev.lychgate.server.metrics;

import static dev.lychgate.server.metrics.Families.each;
import static dev.lychgate.server.metrics.Families.eachCounted;
import static dev.lychgate.server.metrics.Families.one;
import static dev.lychgate.server.metrics.Families.word;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.FilterStats;
import dev.lychgate.dns.NameStatus;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.listener.HandshakeCounters;
import dev.lychgate.listener.Listener;
import dev.lychgate.listener.ListenerCounters;
import dev.lychgate.proxyprotocol.ProxyFault;
import dev.lychgate.resilience.AttemptTally;
import dev.lychgate.resilience.CallEnd;
import dev.lychgate.resilience.CircuitBreaker;
import dev.lychgate.resilience.CircuitBreaker.Hold;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.Protection;
import dev.lychgate.resilience.RetryDecision;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.server.metrics.Families.Group;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.Site;
import dev.lychgate.tls.TlsFault;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointSet;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.Upstream;
import io.prometheus.metrics.model.snapshots.Exemplars;

/** The metric families of a running gateway: its listeners, upstreams, endpoints and filters. Not thread-safe. */
final class GatewayFamilies {
    private static final ErrorKind[] REFUSALS = {
        ErrorKind.CIRCUIT_OPEN, ErrorKind.BULKHEAD_FULL, ErrorKind.CONCURRENCY_LIMITED
    };
    private static final DurationBuckets FILTER_BUCKETS = new DurationBuckets(FilterStats.bounds());

    private final Group<Generation> generations;
    private final Group<ListenerCounters> listeners;
    private final Group<HandshakeCounters> handshakes;
    private final Group<Site> certificates;
    private final Group<AttemptTally> attempts;
    private final Group<Protection> guards;
    private final Group<CircuitBreaker> breakers;
    private final Group<EndpointNow> endpoints;
    private final Group<NameStatus> names;
    private final DiscoveryFamilies sources;
    /** The runs of filters. Filters with the same phase and name on several routes are counted together. */
    private final Group<FilterSlot> filters;

    private final Group<FilterStats> runs;

    private record EndpointNow(EndpointState state, double share, boolean ejected) {}

    GatewayFamilies(Families families) {
        generations = families.<Generation>group("lychgate_generation")
                .gauge("", "Number of the generation in use", Generation::number)
                .gauge(
                        "_start_time_seconds",
                        "When the generation in use was built, in seconds since 1970",
                        generation -> generation.since().toEpochMilli() / 1e3);
        listeners = families.<ListenerCounters>group("lychgate_listener_", "listener")
                .gauge("connections", "Client connections open now", ListenerCounters::open)
                .gauge("protocol_connections{protocol}", "Client connections open now, by protocol", (of, row) -> {
                    row.set(of.openHttp1(), "http/1.1");
                    row.set(of.openHttp2(), "h2");
                    row.set(of.openWebSockets(), "websocket");
                })
                .counter("accepted", "Client connections accepted", ListenerCounters::accepted)
                .counter(
                        "idle_timeouts",
                        "Client connections closed because they were idle, or did not send a request in time",
                        ListenerCounters::idleTimeouts)
                .counter(
                        "accept_pauses",
                        "How often accepting was suspended at the limit of connections",
                        ListenerCounters::acceptPauses)
                .counter("http2_connections", "Client connections that used HTTP/2", ListenerCounters::http2Connections)
                .counter(
                        "client_address_failures{reason}",
                        "Headers of trusted proxies that led to no client address, or named another client",
                        (of, row) -> {
                            row.set(of.unusableClients(), "unusable");
                            row.set(of.conflictingClients(), "conflict");
                        })
                .counter(
                        "http2_faults{error}",
                        "HTTP/2 streams and connections that were reset or closed because of a violation by the client",
                        each(Http2Error.values(), Http2Error::label, ListenerCounters::http2Faults))
                .counter(
                        "proxy_failures{reason}",
                        "Connections of trusted proxies closed because of a missing header of the PROXY protocol",
                        each(ProxyFault.values(), ProxyFault::label, ListenerCounters::proxyFaults));
        handshakes = families.<HandshakeCounters>group("lychgate_tls_", "listener")
                .counter("handshakes{protocol, resumed}", "Completed TLS handshakes with clients", (of, row) -> {
                    for (boolean resumed : new boolean[] {true, false}) {
                        row.set(of.done(true, resumed), "TLSv1.3", Boolean.toString(resumed));
                        row.set(of.done(false, resumed), "TLSv1.2", Boolean.toString(resumed));
                    }
                })
                .counter(
                        "handshake_failures{reason}",
                        "Failed TLS handshakes with clients, by reason",
                        eachCounted(TlsFault.values(), TlsFault::label, HandshakeCounters::failed));
        certificates = families.<Site>group("lychgate_tls_certificate_", "listener", "certificate")
                .gauge(
                        "expiry_seconds",
                        "When a certificate expires, in seconds since 1970",
                        site -> site.notAfter().getEpochSecond());
        attempts = families.<AttemptTally>group("lychgate_", "upstream")
                .counter(
                        "attempts{ending}",
                        "Attempts that ended, by outcome for the origin",
                        each(Ending.values(), Families::word, AttemptTally::ended))
                .counter(
                        "attempts_refused{reason}",
                        "Attempts that a guard refused",
                        each(REFUSALS, ErrorKind::label, AttemptTally::refused))
                .counter(
                        "calls{result}",
                        "Call-outs of filters that ended, by their result",
                        each(CallEnd.values(), Families::word, AttemptTally::calls))
                .gauge("attempts_under_way", "Running attempts", AttemptTally::underWay)
                .counter(
                        "retries{kind}",
                        "Retried requests, by reason",
                        each(SentAgain.values(), Families::word, AttemptTally::again))
                .counter(
                        "retries_refused{kind, reason}",
                        "Failed and slow attempts that were not retried",
                        GatewayFamilies::readRefusals)
                .counter("hedges_won", "Second attempts that supplied the response", AttemptTally::hedgesWon)
                .counter("retry_budget{result}", "Attempts that were checked against the retry budget", (of, row) -> {
                    row.set(of.budgetSpent(), "spent");
                    row.set(of.budgetRefused(), "refused");
                });
        guards = families.<Protection>group("lychgate_", "upstream")
                .gauge(
                        "limit",
                        "Limit of concurrent attempts by the adaptive limit, over all event loops",
                        (of, row) -> of.limit().ifPresent(row::set))
                .gauge(
                        "bulkhead_in_use",
                        "Attempts that the bulkhead counts now",
                        (of, row) -> of.bulkheadInUse().ifPresent(row::set));
        breakers = families.<CircuitBreaker>group("lychgate_breaker_", "upstream", "endpoint")
                .gauge(
                        "position{position}",
                        "1 for the state of the circuit, else 0",
                        one(CircuitBreaker.Position.values(), CircuitBreaker::position))
                .gauge(
                        "held{position}",
                        "1 if an operator holds the circuit in that position, else 0",
                        one(new Hold[] {Hold.OPEN, Hold.CLOSED}, CircuitBreaker::hold))
                .counter("openings", "How often the circuit opened", CircuitBreaker::openings);
        endpoints = families.<EndpointNow>group("lychgate_endpoint_", "upstream", "endpoint")
                .gauge("share", "Share of the endpoint in the traffic of its upstream, 0 to 1", EndpointNow::share)
                .gauge(
                        "ejected",
                        "1 while the endpoint is ejected because it failed under traffic",
                        of -> of.ejected ? 1 : 0)
                .gauge(
                        "health{health}",
                        "1 for the state found by active checks, else 0",
                        one(EndpointState.Health.values(), of -> of.state.health()))
                .gauge(
                        "admin{admin}",
                        "1 for the state set by the operator, else 0",
                        one(EndpointState.AdminState.values(), of -> of.state.admin()));
        names = families.<NameStatus>group("lychgate_dns_", "upstream", "name")
                .counter("lookups{result}", "Lookups of endpoints' names, by result", (of, row) -> {
                    row.set(of.answered(), "answered");
                    row.set(of.failed(), "failed");
                })
                .gauge("failing", "1 while the last lookup of the name has failed", of -> of.fault() == null ? 0 : 1);
        sources = new DiscoveryFamilies(families);
        filters = families.<FilterSlot>group("lychgate_filter_", "phase", "filter")
                .gauge(
                        "disabled",
                        "1 while an operator disables the filter, else 0",
                        slot -> slot.isDisabled() ? 1 : 0);
        runs = families.<FilterStats>group("lychgate_filter_", "phase", "filter")
                .counter("runs", "Runs of the filter that ended, with any result", FilterStats::runs)
                .counter("seconds", "Duration of all runs of the filter, waits included", of -> of.nanos() / 1e9)
                .counter("failures", "Runs that failed, timeouts included", FilterStats::failures)
                .counter("timeouts", "Runs that exceeded the timeout", FilterStats::timeouts)
                .counter(
                        "skipped",
                        "Exchanges that skipped the filter, because it was ejected or disabled",
                        of -> of.skipped())
                .counter("refused", "Exchanges beyond the filter's concurrency", of -> of.refused())
                .counter(
                        "over_budget",
                        "Windows in which the filter exceeded its budget",
                        FilterStats::windowsOverBudget)
                .counter("strikes", "How often the filter blocked an event loop for too long", FilterStats::strikes)
                .gauge(
                        "lingering",
                        "Blocking calls that were abandoned, do not return and keep their threads",
                        FilterStats::lingering)
                .histogram(
                        "duration_seconds",
                        "How long a run of the filter took, waiting included",
                        (of, row) -> row.set(
                                new DurationCells(FILTER_BUCKETS, of.durations(), of.nanos()), Exemplars.EMPTY));
    }

    private static void readRefusals(AttemptTally tally, Families.Row row) {
        for (RetryDecision refusal : RetryDecision.values()) {
            if (refusal.sendsAgain()) {
                continue;
            }
            long retries = tally.retriesDecided(refusal);
            long hedges = tally.hedgesDecided(refusal);
            if (retries > 0) {
                row.set(retries, word(SentAgain.RETRY), refusal.label());
            }
            if (hedges > 0) {
                row.set(hedges, word(SentAgain.HEDGE), refusal.label());
            }
        }
    }

    void read(Gateway running) {
        Generation generation = running.generation();
        generations.read(generation);
        for (Listener listener : running.listeners()) {
            String name = listener.config().name();
            listeners.read(listener.counters(), name);
            ServerTls tls = generation.serverTls(name);
            if (tls != null) {
                handshakes.read(listener.counters().handshakes(), name);
                tls.sites().forEach(site -> certificates.read(site, name, site.name()));
            }
        }
        generation.upstreams().forEach(this::read);
        running.nameStatuses().forEach(name -> names.read(name, name.upstream(), name.name()));
        running.sourceStatuses().forEach(sources::read);
        for (FilterSlot slot : generation.filters().slots()) {
            filters.read(slot, word(slot.phase()), slot.name());
            runs.read(slot.stats(), word(slot.phase()), slot.name());
        }
    }

    private void read(Upstream upstream) {
        attempts.read(upstream.protection().tally(), upstream.name());
        guards.read(upstream.protection(), upstream.name());
        // A circuit that all endpoints share has an empty name, so its label is a dash.
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
