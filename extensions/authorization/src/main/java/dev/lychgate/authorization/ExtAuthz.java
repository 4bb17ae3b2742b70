package dev.lychgate.authorization;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterServices;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.http.FieldNames;
import dev.lychgate.http.FieldSyntax;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Admits requests that an authorization service admits. A check is a call-out to the service's upstream. Like other
 * call-outs, it uses a connection pool and a circuit breaker, and has a deadline and a trace. If the service returns no
 * verdict, {@code on-failure} applies.
 */
final class ExtAuthz implements InboundFilter, AsyncFilter {
    private static final byte[] NOTHING = {};
    private static final int FORBIDDEN = 403;
    /**
     * The difference between the timeout of the filter and the timeout of the call-out. The call-out must end first. A
     * very short difference would not ensure this, because the gateway checks timeouts only every 100 ms.
     */
    private static final Duration SLACK = Duration.ofSeconds(5);
    /**
     * The shortest time between two log lines about failures. The log would otherwise contain a line for each request
     * while the service is down.
     */
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

    private final ExtAuthzSettings settings;
    private final String name;
    private final AuthorizationCheck check;
    private final @Nullable VerdictCache cache;
    private final Tally tally = new Tally("ext-authz");
    private final AtomicLong complained = new AtomicLong(System.nanoTime() - QUIET_NANOS);
    /** The names of the request fields that the service may set, in the form that {@code FieldNames.fold} returns. */
    private final Set<String> owned;

    ExtAuthz(ExtAuthzSettings settings, String name) {
        this.settings = settings;
        this.name = name;
        this.check = settings.protocol() == ExtAuthzSettings.Protocol.GRPC
                ? new GrpcCheck(settings)
                : new HttpCheck(settings);
        this.cache = settings.cacheBy().isEmpty()
                ? null
                : new VerdictCache(settings.cacheBy(), settings.cacheTime(), settings.cacheEntries(), System::nanoTime);
        this.owned = settings.upstreamHeaders().stream().map(FieldNames::fold).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int order() {
        return settings.order();
    }

    @Override
    public Duration timeout() {
        return settings.timeout().plus(SLACK);
    }

    @Override
    public BodyNeed body() {
        return settings.body();
    }

    @Override
    public String remark() {
        String open = settings.onFailure() == ExtAuthzSettings.OnFailure.OPEN ? ", open on failure" : "";
        return "upstream " + settings.upstream() + open + (settings.mode() == Mode.SHADOW ? ", shadow" : "");
    }

    @Override
    public void onLoad(FilterServices services) {
        tally.load(services);
    }

    @Override
    public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
        if (settings.mode() == Mode.ENFORCE) {
            removeOwned(exchange.getRequest().getHeaders());
            // The response of the origin may depend on these fields, and an origin that relies on the gateway may not
            // send Vary.
            settings.upstreamHeaders().forEach(exchange::varyBy);
        }
        VerdictCache.Digest key = cache == null ? null : cache.key(exchange);
        Verdict known = cache == null || key == null ? null : cache.find(key);
        if (known != null) {
            return CompletableFuture.completedFuture(outcome(exchange, known, "cached-"));
        }
        FilterCall call;
        try {
            call = call(exchange);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(uncheckable(exchange, String.valueOf(e.getMessage())));
        }
        return call.send().handle((response, failure) -> decided(exchange, key, response, failure));
    }

    /**
     * Rejects a request that cannot be described to the service. The rejection is not treated as a failure of the
     * service. Otherwise, a client could avoid the check with such a request if {@code on-failure} is {@code open}.
     */
    private FilterOutcome uncheckable(FilterExchange exchange, String reason) {
        boolean enforces = settings.mode() == Mode.ENFORCE;
        tally.count(enforces ? "denied" : "shadow-denied");
        exchange.getLog().info("{} without a check: {}", enforces ? "denied" : "would be denied", reason);
        return enforces ? Denials.of(exchange, FORBIDDEN, "the request cannot be checked") : FilterOutcome.proceed();
    }

    private FilterCall call(FilterExchange exchange) {
        if (settings.withRequestBody().bytes() == 0) {
            return check.call(exchange, NOTHING, false);
        }
        byte[] body = exchange.getRequest().getBody();
        int most = settings.withRequestBody().asInt();
        return body.length > most
                ? check.call(exchange, Arrays.copyOf(body, most), true)
                : check.call(exchange, body, false);
    }

    private FilterOutcome decided(
            FilterExchange exchange,
            VerdictCache.@Nullable Digest key,
            @Nullable CallResponse response,
            @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (response == null || cause instanceof CancellationException) {
            if (cause instanceof CancellationException) {
                // The exchange has ended, so this outcome is ignored.
                return FilterOutcome.respond(settings.failureStatus());
            }
            return outcome(
                    exchange, new Verdict.Missing(String.valueOf(cause == null ? null : cause.getMessage())), "");
        }
        Verdict verdict = check.read(response);
        if (cache != null && key != null) {
            cache.add(key, verdict);
        }
        return outcome(exchange, verdict, "");
    }

    /**
     * Removes the fields that the service may set, in every spelling that an origin may interpret as the same name.
     * Calls {@code remove} for absent fields, too: the gateway then removes trailers with these names.
     */
    private void removeOwned(Headers headers) {
        if (!owned.isEmpty()) {
            settings.upstreamHeaders().forEach(headers::remove);
            headers.getNames().stream()
                    .filter(field -> owned.contains(FieldNames.fold(field)) && FieldSyntax.isSettable(field))
                    .forEach(headers::remove);
        }
    }

    /**
     * Counts a verdict, and returns its outcome.
     *
     * @param prefix the beginning of the label in the metric
     */
    private FilterOutcome outcome(FilterExchange exchange, Verdict verdict, String prefix) {
        if (verdict instanceof Verdict.Allowed allowed) {
            tally.count(prefix + "allowed");
            return settings.mode() == Mode.ENFORCE ? allowed(exchange, allowed) : FilterOutcome.proceed();
        }
        if (verdict instanceof Verdict.Denied denied) {
            return denied(exchange, denied, prefix);
        }
        return missing(exchange, (Verdict.Missing) verdict);
    }

    private static FilterOutcome allowed(FilterExchange exchange, Verdict.Allowed allowed) {
        Headers headers = exchange.getRequest().getHeaders();
        allowed.removed().forEach(headers::remove);
        allowed.fields().forEach((field, values) -> {
            headers.remove(field);
            values.forEach(value -> headers.add(field, value));
        });
        return FilterOutcome.proceed();
    }

    private FilterOutcome denied(FilterExchange exchange, Verdict.Denied denied, String prefix) {
        boolean enforces = settings.mode() == Mode.ENFORCE;
        tally.count(enforces ? prefix + "denied" : prefix + "shadow-denied");
        exchange.getLog()
                .info(
                        "{} by upstream {} with status {}",
                        enforces ? "denied" : "would be denied",
                        settings.upstream(),
                        denied.status());
        return enforces ? response(exchange, denied) : FilterOutcome.proceed();
    }

    private static FilterOutcome response(FilterExchange exchange, Verdict.Denied denied) {
        if (Denials.isGrpc(exchange.getRequest())) {
            return Denials.grpc(denied.status(), "access denied");
        }
        FilterOutcome.Respond response = FilterOutcome.respond(denied.status());
        denied.fields().forEach(field -> response.header(field.getKey(), field.getValue()));
        boolean bodiless = denied.status() == 204 || denied.status() == 304;
        if (denied.body().length > 0 && !bodiless) {
            response.body(denied.body(), denied.type() == null ? "text/plain; charset=utf-8" : denied.type());
        }
        return response;
    }

    private FilterOutcome missing(FilterExchange exchange, Verdict.Missing missing) {
        boolean open = settings.onFailure() == ExtAuthzSettings.OnFailure.OPEN;
        boolean continues = open || settings.mode() == Mode.SHADOW;
        tally.count(settings.mode() == Mode.SHADOW ? "shadow-failed" : open ? "failed-open" : "failed-closed");
        long now = System.nanoTime();
        long last = complained.get();
        if (now - last >= QUIET_NANOS && complained.compareAndSet(last, now)) {
            exchange.getLog()
                    .warn(
                            "no verdict from {}: {}; {}, and further failures are not logged for 10 s",
                            settings.upstream(),
                            missing.reason(),
                            continues ? "the request continues" : "the request is rejected");
        }
        return continues
                ? FilterOutcome.proceed()
                : Denials.of(exchange, settings.failureStatus(), "no authorization is available");
    }
}
