package dev.lychgate.server.admin;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.DelayRange;
import dev.lychgate.config.Durations;
import dev.lychgate.config.FaultConfig;
import dev.lychgate.config.FaultEffects;
import dev.lychgate.config.FaultScope;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.SecretNames;
import dev.lychgate.config.Stickiness;
import dev.lychgate.generation.FaultBoard;
import dev.lychgate.generation.FaultRule;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.Parameter.Count;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /faults}: the active faults, and the operations with which an operator injects and stops them. An injected
 * fault survives reloads and ends by itself, at the latest with the process.
 */
final class FaultsPage {
    static final Parameter<String> NAME = Parameter.needed("name", "the name of the fault");
    static final Parameter<String> ROUTE =
            new Parameter<>("route", Count.ANY, Json.TEXT, "the id of a route of the fault, repeatable; default all");
    static final Parameter<String> HEADER = new Parameter<>(
            "header",
            Count.ANY,
            Json.TEXT,
            "a header field that the requests contain, in the form name:value; repeatable");
    static final Parameter<String> SHARE = Parameter.optional("share", "the share of the requests; default 100%");
    static final Parameter<String> BY = Parameter.optional(
            "by",
            "the part of a request that decides whether the request belongs to the share: request, client, header:NAME "
                    + "or cookie:NAME; default request");
    static final Parameter<String> DELAY =
            Parameter.optional("delay", "the time for which each request waits, such as 200ms or 100ms-300ms");
    static final Parameter<Long> ABORT = new Parameter<>(
            "abort", Count.AT_MOST_ONCE, Json.integer(400, 599), "the status of the response that the fault sends");
    static final Parameter<Long> GRPC_STATUS = new Parameter<>(
            "grpc-status", Count.AT_MOST_ONCE, Json.integer(1, 16), "the status that abort sends to gRPC clients");
    static final Parameter<String> RESET =
            Parameter.optional("reset", Json.words("true"), "true resets the connection or stream of the client");
    static final Parameter<String> BANDWIDTH =
            Parameter.optional("bandwidth", "bytes of the response body per second, such as 16KiB");
    static final Parameter<String> FOR = Parameter.needed("for", "the duration of the fault, such as 10m; at most 24h");

    private static final Duration LONGEST = Duration.ofHours(24);

    /** The faults of a gateway at a point in time. */
    record Shown(FaultBoard board, Instant now) {
        List<FaultRule> active() {
            return board.active(now);
        }
    }

    private static final JsonType<FaultRule.Source> SOURCE = Json.words(FaultRule.Source.values());

    private static final Shape<FaultRule> FAULT = new Shape<FaultRule>("Fault", "An active fault.")
            .text("name", "The name of the fault.", FaultRule::name)
            .field("source", SOURCE, "The source of the fault.", FaultRule::source)
            .optionalText(
                    "started_by",
                    "The operator that injected the fault; if the client has no name, the address of the client.",
                    FaultRule::author)
            .list("routes", Json.TEXT, "The ids of the routes of the fault; empty for all routes.", FaultRule::routes)
            .text("share", "The share of the requests.", of -> scope(of).share().toString())
            .text(
                    "by",
                    "The part of a request that decides whether the request belongs to the share.",
                    of -> scope(of).by().describe())
            .optional("headers", Json.map(Json.TEXT), "Headers that the requests have.", FaultsPage::headers)
            .flag("predicates", "Whether the fault has predicates other than headers.", FaultsPage::hasOthers)
            .optionalText(
                    "delay", "How long requests wait.", of -> text(of.effects().delay()))
            .optional(
                    "abort",
                    Json.INTEGER,
                    "The status of the response.",
                    of -> of.effects().abort())
            .optional(
                    "grpc_status",
                    Json.INTEGER,
                    "The gRPC status for gRPC clients.",
                    of -> of.effects().grpcStatus())
            .flag(
                    "reset",
                    "Whether the client's connection or stream is reset.",
                    of -> of.effects().reset())
            .optionalText(
                    "bandwidth",
                    "Bytes of the response body per second.",
                    of -> text(of.effects().bandwidth()))
            .field("until", Json.TIME, "When the fault ends.", FaultRule::until);

    static final Shape<Shown> SHAPE = new Shape<Shown>("Faults", "The faults that are injected for rehearsals.")
            .flag("enabled", "Whether the configuration permits faults.", shown -> shown.board.isPermitted())
            .list("faults", FAULT, "The active faults, in the order in which they take effect.", Shown::active);

    private FaultsPage() {}

    private static FaultScope scope(FaultRule of) {
        return of.config().scope();
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static @Nullable Map<String, String> headers(FaultRule of) {
        Map<String, String> headers = new LinkedHashMap<>();
        scope(of)
                .match()
                .headers()
                .forEach(
                        (name, value) -> headers.put(name, SecretNames.isSecretField(name) ? SecretNames.MASK : value));
        return headers.isEmpty() ? null : headers;
    }

    private static boolean hasOthers(FaultRule of) {
        MatchConfig match = scope(of).match();
        return !match.equals(withHeaders(match.headers()));
    }

    private static MatchConfig withHeaders(Map<String, String> headers) {
        return new MatchConfig(List.of(), null, List.of(), headers, Map.of(), List.of(), null);
    }

    static Shown of(Generation generation) {
        return new Shown(generation.faultBoard(), Instant.now());
    }

    /**
     * Injects a fault, and returns all faults. Rejects the request with 409 if faults are not enabled or the name is in
     * use, and with 404 for an unknown route.
     */
    static Shown inject(Generation generation, Parameters given) throws Rejection {
        enabled(generation);
        for (String route : given.every(ROUTE)) {
            if (generation.route(route) == null) {
                throw Rejection.notFound("unknown route; see /routes");
            }
        }
        FaultRule rule;
        try {
            FaultConfig config = new FaultConfig(given.needed(NAME), scope(given), effects(given), until(given));
            rule = FaultRule.injected(config, name(given.author()));
        } catch (ConfigException e) {
            throw Rejection.malformed(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw Rejection.malformed("expected: " + e.getMessage());
        }
        if (!generation.faultBoard().inject(rule)) {
            throw Rejection.conflict(
                    "an active fault has this name, too many faults are active, or a reload has disabled faults;"
                            + " see /faults");
        }
        return of(generation);
    }

    /**
     * Stops a fault, and returns the remaining faults. Rejects the request with 404 if no active fault has this name.
     * If the request names routes, also rejects it with 404 unless the fault is limited to routes and the request names
     * all routes of the fault.
     */
    static Shown stop(Generation generation, Parameters given) throws Rejection {
        List<String> routes = given.every(ROUTE);
        FaultRule rule = enabled(generation).active(Instant.now()).stream()
                .filter(one -> one.name().equals(given.needed(NAME)))
                .filter(one -> routes.isEmpty() || (!one.routes().isEmpty() && routes.containsAll(one.routes())))
                .findFirst()
                .orElseThrow(() -> Rejection.notFound(
                        "no active fault has this name, or the fault also has other routes; see /faults"));
        if (!generation.faultBoard().stop(rule)) {
            throw Rejection.notFound("the fault has just ended; see /faults");
        }
        return of(generation);
    }

    private static String name(Author client) {
        return client.operator().isEmpty() ? client.address() : client.operator();
    }

    private static FaultBoard enabled(Generation generation) throws Rejection {
        FaultBoard board = generation.faultBoard();
        if (!board.isPermitted()) {
            throw Rejection.conflict(
                    "faults are not enabled; to permit them, set faults.enabled: true in the configuration");
        }
        return board;
    }

    private static FaultScope scope(Parameters given) {
        String share = given.optional(SHARE);
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header : given.every(HEADER)) {
            // Only printable characters are accepted, because the fault appears in the application log.
            if (!RecordedValues.isHeader(header) || !header.chars().allMatch(c -> c >= ' ' && c <= '~')) {
                throw new IllegalArgumentException("a header field such as x-rehearsal:yes");
            }
            int colon = header.indexOf(':');
            String value = header.substring(colon + 1).strip();
            if (value.startsWith("regex:")) {
                // Compiled regular expressions occupy memory, which an operator with limited rights must not use up.
                throw new IllegalArgumentException(
                        "a value or * in the parameter header; regular expressions belong in faults.rules");
            }
            if (headers.put(header.substring(0, colon).toLowerCase(Locale.ROOT), value) != null) {
                throw new IllegalArgumentException("a single value for each header field");
            }
        }
        return new FaultScope(
                headers.isEmpty() ? MatchConfig.ANY : withHeaders(headers),
                given.every(ROUTE),
                share == null ? SampleRate.ALL : SampleRate.parse(share),
                by(given.optional(BY)));
    }

    private static Stickiness by(@Nullable String text) {
        if (text == null || text.equals("request")) {
            return new Stickiness.Request();
        }
        // Checked before a message quotes the name, because a malformed name may contain a credential.
        if (!RecordedValues.isBy(text)) {
            throw new IllegalArgumentException("request, client, header:NAME or cookie:NAME in the parameter by");
        }
        if (text.equals("client")) {
            return new Stickiness.Client();
        }
        if (text.startsWith("header:")) {
            return new Stickiness.Header(text.substring("header:".length()));
        }
        return new Stickiness.Cookie(text.substring("cookie:".length()));
    }

    private static FaultEffects effects(Parameters given) {
        String delay = given.optional(DELAY);
        Long abort = given.optional(ABORT);
        Long grpcStatus = given.optional(GRPC_STATUS);
        String bandwidth = given.optional(BANDWIDTH);
        return new FaultEffects(
                delay == null ? null : DelayRange.parse(delay),
                abort == null ? null : Integer.valueOf(abort.intValue()),
                grpcStatus == null ? null : Integer.valueOf(grpcStatus.intValue()),
                given.optional(RESET) != null,
                bandwidth == null ? null : ByteSize.parse(bandwidth));
    }

    private static Instant until(Parameters given) {
        Duration time = Durations.parse(given.needed(FOR));
        if (time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a duration of at most 24h, such as 10m, in the parameter for");
        }
        return Instant.now().plus(time).truncatedTo(ChronoUnit.MILLIS);
    }
}
