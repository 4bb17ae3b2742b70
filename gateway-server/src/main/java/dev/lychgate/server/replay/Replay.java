package dev.lychgate.server.replay;

import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.config.RecordConfig;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeInputs;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.filters.testing.OfflineExchange;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.route.Ingress;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.recording.ExchangeCapture;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Request;
import dev.lychgate.server.recording.Recording.Step;
import dev.lychgate.server.recording.RecordingException;
import dev.lychgate.server.recording.RecordingRedaction;
import dev.lychgate.server.recording.RedactedRecording;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Replays recorded exchanges through the filters of one configuration. Filters keep their state from one exchange to
 * the next. Used by one thread.
 */
public final class Replay {
    /** The maximum length of a recorded body that the configuration permits, in bytes. */
    private static final int BODY = 4 << 20;

    private final FilterAssembly assembly;
    private final RecordingRedaction redaction;
    private final Map<String, String> given;
    private final Map<String, Generation> generations = new HashMap<>();

    /**
     * @param assembly the configuration and its filters
     * @param given header fields that replace the fields with the same names in each recorded request, for example
     *     because the recorded values are masked
     */
    public Replay(FilterAssembly assembly, Map<String, String> given) {
        this.assembly = assembly;
        this.given = Map.copyOf(given);
        RecordConfig record = assembly.config().recording();
        this.redaction = record == null
                ? new RecordingRedaction(List.of(), List.of(), List.of())
                : new RecordingRedaction(
                        record.redact().headers(),
                        record.redact().query(),
                        record.redact().json());
    }

    /**
     * Replays one exchange to its end.
     *
     * @throws RecordingException if the gateway would not accept the recorded request
     */
    public ReplayResult run(Recording recorded) throws RecordingException {
        Recorder recorder = new Recorder();
        ReplayedOrigins origins = new ReplayedOrigins(recorded);
        List<String> notes = new ArrayList<>(notes(recorded));
        try {
            exchange(recorded).run(generation(recorded.place().route()), origins, recorder, begun -> {
                origins.of(begun);
                begun.identify(recorded.place().sender());
            });
        } catch (IllegalStateException e) {
            notes.add("the replay did not end: " + e.getMessage());
        }
        notes.addAll(origins.notes());
        Recording raw = recorder.recording;
        if (raw == null) {
            return new ReplayResult(recorded, null, List.of(new ReplayDifference("", "replay", "ended", null)), notes);
        }
        Recording replayed = RedactedRecording.of(raw, redaction, BODY);
        return new ReplayResult(recorded, replayed, ReplayDifferences.of(recorded, replayed), notes);
    }

    /**
     * Returns the generation for an exchange of a route. Building a generation costs more than a replay, so one
     * generation serves all exchanges of a route. This generation has no circuit breakers, because a circuit breaker
     * would make an exchange depend on failures of earlier exchanges.
     *
     * @param route the recorded route, which the configuration may not contain; null if the exchange had no route
     */
    private Generation generation(@Nullable String route) {
        if (route == null
                || assembly.config().routes().stream()
                        .noneMatch(each -> each.id().equals(route))) {
            return build(route);
        }
        return generations.computeIfAbsent(route, this::build);
    }

    private Generation build(@Nullable String route) {
        return Generation.first(
                OfflineConfig.of(assembly.config(), route),
                assembly.filters().with(assembly.filters().access().withoutAuthentication()),
                1);
    }

    private static List<String> notes(Recording recorded) {
        List<String> notes = new ArrayList<>();
        if (recorded.place().isImported()) {
            notes.add("imported from an archive, which contains no results of filters to compare with the replay");
        }
        if (!recorded.masked().isEmpty()) {
            notes.add("masked in the recording: " + String.join(", ", recorded.masked()));
        }
        if (!recorded.request().body().isWhole()) {
            notes.add("the request body is incomplete in the recording");
        }
        if (recorded.origin() != null && !recorded.origin().body().isWhole()) {
            notes.add("the body of the origin's response is incomplete in the recording");
        }
        if (recorded.error() != null && recorded.error().side().equals("downstream")) {
            notes.add("the client ended the recorded exchange ("
                    + recorded.error().kind() + ")");
        }
        return notes;
    }

    private OfflineExchange exchange(Recording recorded) throws RecordingException {
        return new OfflineExchange(
                head(recorded),
                recorded.request().body().bytes(),
                client(recorded),
                recorded.place().listener(),
                recorded.place().secure(),
                id(recorded),
                new ExchangeInputs(
                        Instant.ofEpochMilli(recorded.time()),
                        recorded.seed(),
                        Set.copyOf(recorded.place().brownouts())));
    }

    private static String id(Recording recorded) throws RecordingException {
        if (!ForwardingHeaders.isPlainId(recorded.id())) {
            throw new RecordingException("the request id is malformed");
        }
        return recorded.id();
    }

    private static InetAddress client(Recording recorded) throws RecordingException {
        String client = recorded.place().client();
        try {
            // An address literal does not cause a name lookup.
            if (client.matches("[0-9.]{1,15}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
                return InetAddress.getByName(client);
            }
        } catch (UnknownHostException e) {
            // The exception below refuses the address.
        }
        throw new RecordingException("the address of the client is malformed");
    }

    private RequestHead head(Recording recorded) throws RecordingException {
        Request request = recorded.request();
        PathPolicy policy = assembly.config().listeners().stream()
                .filter(listener -> listener.name().equals(recorded.place().listener()))
                .map(ListenerConfig::paths)
                .findFirst()
                .orElse(PathPolicy.STRICT);
        try {
            String normal = PathNormalizer.normalize(request.path(), policy);
            if (normal == null) {
                throw new RecordingException("the listener does not accept the path: " + request.path());
            }
            HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
            for (Field field : request.headers()) {
                headers.add(field.name(), field.value());
            }
            for (Step step : recorded.steps()) {
                if (step.isAuthentication()) {
                    authenticate(step, headers);
                }
            }
            given.forEach(headers::set);
            RequestHead head = new RequestHead(
                    HttpMethod.valueOf(request.method()),
                    false,
                    request.path(),
                    request.query(),
                    request.host(),
                    headers);
            head.path(normal);
            int length = request.body().bytes().length;
            if (length > 0) {
                head.frame(BodyFraming.LENGTH, length);
            }
            return head;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new RecordingException("the request is malformed: " + e.getMessage());
        }
    }

    /**
     * Repeats the changes that a recorded authentication has made. The authentication itself is not replayed, because
     * its credentials are masked.
     *
     * @throws RecordingException if the authentication has rejected the request
     */
    private static void authenticate(Step step, HttpHeaders headers) throws RecordingException {
        if (!step.outcome().equals("proceed")) {
            throw new RecordingException("the request was rejected by its authentication, which is not replayed");
        }
        step.changes().forEach((name, change) -> {
            if (!name.startsWith(":")) {
                if (change.to() == null) {
                    headers.remove(name);
                } else {
                    headers.set(name, change.to());
                }
            }
        });
    }

    /** Records the replayed exchange. */
    private static final class Recorder implements ExchangeObserver, ExchangeTap.Source {
        private @Nullable Recording recording;

        @Override
        public ExchangeTap.Source taps() {
            return this;
        }

        @Override
        public ExchangeTap tap(ExchangeRecord exchange, Ingress client) {
            return new ExchangeCapture(exchange, new MemoryBudget(Long.MAX_VALUE), Long.MAX_VALUE, BODY, List.of());
        }

        @Override
        public void onClosed(Exchange exchange) {
            if (exchange.record().tap() instanceof ExchangeCapture capture) {
                recording = capture.finish(exchange, "");
            }
        }
    }
}
