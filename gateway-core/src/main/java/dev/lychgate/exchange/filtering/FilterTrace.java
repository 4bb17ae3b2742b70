package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.KnownSecrets;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Identity;
import dev.lychgate.http.JsonText;
import dev.lychgate.http.Redaction;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Records duration, outcome and changes of the head for each filter call of one exchange, in order. Created only for
 * traced exchanges, because it copies the head for each filter.
 */
final class FilterTrace {
    /** Maximum length of the header value, in characters. The log always contains the full trace. */
    private static final int LONGEST_FIELD = 6000;

    private final FilterContext exchange;
    private final Redaction redaction;
    private final long begin;
    private final List<String> steps = new ArrayList<>();
    private Map<String, String> before = Map.of();

    /**
     * Creates an empty trace.
     *
     * @param redaction hides confidential values
     * @param now the current time, in nanoseconds
     */
    FilterTrace(FilterContext exchange, Redaction redaction, long now) {
        this.exchange = exchange;
        this.redaction = redaction;
        this.begin = now;
    }

    void before(FilterStage stage) {
        before = snapshot(stage);
    }

    /**
     * Records a filter call.
     *
     * @param from the time of the call, in nanoseconds
     * @param now the current time, in nanoseconds
     */
    void after(FilterStage stage, FilterSlot slot, long from, long now, FilterOutcome outcome) {
        Map<String, String> after = snapshot(stage);
        StringBuilder step = new StringBuilder(100)
                .append("{\"filter\":\"")
                .append(JsonText.escape(slot.name()))
                .append("\",\"stage\":\"")
                .append(stage.label())
                .append("\",\"at-us\":")
                .append((from - begin) / 1000)
                .append(",\"us\":")
                .append((now - from) / 1000)
                .append(",\"outcome\":\"")
                .append(JsonText.escape(outcome(outcome)))
                .append("\",\"changes\":[");
        boolean first = true;
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (String key : keys) {
            String was = before.get(key);
            String is = after.get(key);
            if (!Objects.equals(was, is)) {
                step.append(first ? "\"" : ",\"")
                        .append(JsonText.escape(key + ": " + shown(key, was) + " -> " + shown(key, is)))
                        .append('"');
                first = false;
            }
        }
        steps.add(step.append("]}").toString());
    }

    private static String outcome(FilterOutcome outcome) {
        if (outcome instanceof FilterOutcome.Respond answer) {
            return "respond " + answer.status();
        }
        if (outcome instanceof FilterOutcome.Fail failure) {
            return "fail " + failure.error().kind().label();
        }
        return "proceed";
    }

    private String shown(String key, @Nullable String value) {
        if (value == null) {
            return "none";
        }
        // A filter may have set a field to a secret of the configuration, so secrets are hidden in all values.
        return KnownSecrets.OF_PROCESS.hide(
                key.equals(":query") ? String.valueOf(redaction.query(value)) : redaction.field(key, value));
    }

    private Map<String, String> snapshot(FilterStage stage) {
        return snapshot(exchange, stage);
    }

    /**
     * Returns the values that filters of {@code stage} may change: the head and, for requests, the route, the upstream
     * and the sender.
     */
    static Map<String, String> snapshot(FilterContext exchange, FilterStage stage) {
        Map<String, String> seen = new LinkedHashMap<>();
        ResponseHead answer = exchange.responseHead();
        if (stage == FilterStage.OUTBOUND && answer != null) {
            seen.put(":status", Integer.toString(answer.status()));
            headers(answer.headers(), seen);
        } else if (stage.changesRequest()) {
            RequestHead head = exchange.requestHead();
            seen.put(":method", head.method().name());
            seen.put(":path", head.path());
            seen.put(":query", String.valueOf(head.query()));
            seen.put(":host", head.host());
            seen.put(":route", String.valueOf(exchange.route()));
            seen.put(":upstream", String.valueOf(exchange.upstream()));
            Identity sender = exchange.state().identity();
            if (sender != null) {
                seen.put(":identity", sender.scheme() + " " + sender.subject());
            }
            headers(head.headers(), seen);
        }
        return seen;
    }

    private static void headers(HttpHeaders headers, Map<String, String> to) {
        headers.iteratorCharSequence()
                .forEachRemaining(field -> to.merge(
                        field.getKey().toString().toLowerCase(Locale.ROOT),
                        field.getValue().toString(),
                        (one, another) -> one + ", " + another));
    }

    /** Returns the whole trace as one line of JSON. */
    String json() {
        return "{\"request-id\":\"" + exchange.state().requestId() + "\",\"generation\":"
                + exchange.state().generation().number()
                + ",\"route\":"
                + (exchange.route() == null ? "null" : "\"" + JsonText.escape(String.valueOf(exchange.route())) + "\"")
                + ",\"filters\":[" + String.join(",", steps) + "]}";
    }

    /**
     * Returns {@link #json()}. If this JSON is too long for a header, returns the number of filter calls and a
     * reference to the log.
     */
    String field() {
        String json = json();
        return json.length() <= LONGEST_FIELD ? json : "{\"filters-run\":" + steps.size() + ",\"see\":\"the log\"}";
    }
}
