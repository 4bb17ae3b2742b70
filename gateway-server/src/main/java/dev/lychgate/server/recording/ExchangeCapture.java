package dev.lychgate.server.recording;

import dev.lychgate.config.IpLiteral;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.state.ExchangeInputs;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Half;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.route.Route;
import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Call;
import dev.lychgate.server.recording.Recording.Change;
import dev.lychgate.server.recording.Recording.Fault;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Place;
import dev.lychgate.server.recording.Recording.Request;
import dev.lychgate.server.recording.Recording.Response;
import dev.lychgate.server.recording.Recording.Step;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Copies the messages, call-outs and filter runs of one exchange, without redaction. All copies take memory from the
 * budget; if the budget refuses memory, the exchange is not recorded. Used on the exchange's event loop until {@link
 * #finish}, whose result the caller owns.
 */
public final class ExchangeCapture implements ExchangeTap {
    /** A generous estimate of the bytes that one object needs in addition to its text. */
    private static final int OBJECT = 96;

    private static final int MOST_STEPS = 512;

    private final ExchangeRecord exchange;
    private final MemoryBudget budget;
    private final long ceiling;
    private final int bodyLimit;
    private final List<RecordingRule> conditions;
    private final BodyCopy requestBody;
    private BodyCopy originBody;
    private final BodyCopy responseBody;
    private final List<Call> calls = new ArrayList<>();
    private final List<Step> steps = new ArrayList<>();
    private @Nullable Request request;
    private @Nullable Response origin;
    private long held;
    private boolean lost;

    /**
     * @param budget the memory budget of the process
     * @param ceiling recordings take no more memory while all parts of the gateway together use this number of bytes of
     *     the budget
     * @param bodyLimit the maximum number of bytes to copy of each body
     * @param conditions rules, at least one of which must select the exchange at its end; empty if the exchange is
     *     already selected
     */
    public ExchangeCapture(
            ExchangeRecord exchange, MemoryBudget budget, long ceiling, int bodyLimit, List<RecordingRule> conditions) {
        this.conditions = conditions;
        this.exchange = exchange;
        this.budget = budget;
        this.ceiling = ceiling;
        this.bodyLimit = bodyLimit;
        this.requestBody = new BodyCopy(bodyLimit);
        this.originBody = new BodyCopy(bodyLimit);
        this.responseBody = new BodyCopy(bodyLimit);
    }

    private boolean take(int bytes) {
        if (lost) {
            return false;
        }
        if (!budget.take(bytes, ceiling)) {
            lost = true;
            drop();
            return false;
        }
        held += bytes;
        return true;
    }

    /** Discards all copies and returns their memory to the budget. */
    void drop() {
        calls.clear();
        steps.clear();
        request = null;
        origin = null;
        budget.giveBack(held);
        held = 0;
    }

    /** Returns whether the budget refused memory, so that the exchange is not recorded. */
    boolean isLost() {
        return lost;
    }

    /** Returns whether the exchange, which has ended, is selected. */
    boolean isWanted() {
        return conditions.isEmpty() || conditions.stream().anyMatch(rule -> rule.selects(exchange));
    }

    /**
     * Returns the number of bytes taken from the budget. The caller must return them to the budget after the recording
     * was written.
     */
    long held() {
        return held;
    }

    // ---- events

    @Override
    public void onRequest(RequestHead head) {
        if (take(size(head.headers()) + head.rawPath().length() + 4 * OBJECT)) {
            request = request(head, Body.EMPTY);
        }
    }

    @Override
    public void onRequestBody(ByteBuf chunk) {
        copy(chunk, requestBody);
    }

    @Override
    public void onOrigin(ResponseHead head) {
        if (take(size(head.headers()) + OBJECT)) {
            origin = new Response(head.status(), fields(head.headers()), Body.EMPTY);
            originBody = new BodyCopy(bodyLimit);
        }
    }

    @Override
    public void onOriginBody(ByteBuf chunk) {
        copy(chunk, originBody);
    }

    @Override
    public void onResponseBody(ByteBuf chunk) {
        copy(chunk, responseBody);
    }

    /**
     * Copies a chunk of a body. Bytes of a tunnel are not copied: tunnels are not replayed, and their frames can't be
     * redacted.
     */
    private void copy(ByteBuf chunk, BodyCopy to) {
        ResponseHead head = exchange.responseHead();
        if (head == null || !head.isTunnel()) {
            to.add(chunk, this::take);
        }
    }

    @Override
    public void onFilter(
            FilterStage stage,
            String filter,
            long from,
            long to,
            FilterOutcome outcome,
            Map<String, String> before,
            Map<String, String> after) {
        Map<String, Change> changes = new LinkedHashMap<>();
        int size = 2 * OBJECT;
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            String was = before.get(name);
            String is = after.get(name);
            if (!Objects.equals(was, is)) {
                changes.put(name, new Change(was, is));
                size += 2 * OBJECT + (was == null ? 0 : was.length()) + (is == null ? 0 : is.length());
            }
        }
        if (steps.size() < MOST_STEPS && take(size)) {
            long began = exchange.timeline().began();
            steps.add(new Step(
                    filter, stage.label(), (from - began) / 1000, (to - from) / 1000, words(outcome), changes));
        }
    }

    private static String words(FilterOutcome outcome) {
        if (outcome instanceof FilterOutcome.Respond answer) {
            return "respond " + answer.status();
        }
        if (outcome instanceof FilterOutcome.Fail failure) {
            return "fail " + failure.error().kind().label();
        }
        return "proceed";
    }

    @Override
    public void onCall(FinishedCall call) {
        RequestHead head = call.request();
        ResponseHead answer = call.response();
        int size = size(head.headers()) + (answer == null ? 0 : size(answer.headers())) + 4 * OBJECT;
        if (take(size + 2 * Math.max(call.body().length, call.content().length))) {
            calls.add(new Call(
                    call.upstream(),
                    request(head, body(call.body())),
                    answer == null
                            ? null
                            : new Response(answer.status(), fields(answer.headers()), body(call.content())),
                    call.failure()));
        }
    }

    private Body body(byte[] whole) {
        boolean cut = whole.length > bodyLimit;
        return new Body(whole.length, cut ? Arrays.copyOf(whole, bodyLimit) : whole.clone(), cut, null);
    }

    private static Body body(BodyCopy copy) {
        byte[] bytes = copy.bytes();
        return new Body(copy.size(), bytes, bytes.length < copy.size(), null);
    }

    private static Request request(RequestHead head, Body body) {
        return new Request(
                head.method().name(), head.rawPath(), head.query(), head.host(), fields(head.headers()), body);
    }

    private static List<Field> fields(HttpHeaders headers) {
        List<Field> fields = new ArrayList<>(headers.size());
        headers.iteratorCharSequence()
                .forEachRemaining(field -> fields.add(
                        new Field(field.getKey().toString(), field.getValue().toString())));
        return fields;
    }

    private static int size(HttpHeaders headers) {
        int size = 0;
        var fields = headers.iteratorCharSequence();
        while (fields.hasNext()) {
            var field = fields.next();
            size += OBJECT + field.getKey().length() + field.getValue().length();
        }
        return size;
    }

    // ---- the end

    /**
     * Returns the recording of an exchange that has ended; null if the exchange had no request, or the budget refused
     * memory.
     *
     * @param filters a digest of the filters of the exchange's generation
     */
    public @Nullable Recording finish(Exchange ended, String filters) {
        Request received = request;
        ResponseHead head = exchange.responseHead();
        if (lost || received == null || !take(head == null ? OBJECT : size(head.headers()) + 4 * OBJECT)) {
            return null;
        }
        ExchangeInputs inputs = exchange.inputs();
        Route route = exchange.route();
        ProxyTarget target = ended.target();
        GatewayError error = exchange.error();
        Place place = new Place(
                exchange.downstream().listener(),
                IpLiteral.text(exchange.client().getAddress()),
                exchange.downstream().tls() != null,
                exchange.generation().number(),
                filters,
                route == null ? null : route.id(),
                target == null ? null : target.upstream().name(),
                exchange.identity(),
                inputs.brownouts());
        return new Recording(
                exchange.requestId(),
                inputs.time().toEpochMilli(),
                exchange.timeline().total() / 1000,
                inputs.seed(),
                place,
                new Request(
                        received.method(),
                        received.path(),
                        received.query(),
                        received.host(),
                        received.headers(),
                        body(requestBody)),
                origin == null ? null : new Response(origin.status(), origin.headers(), body(originBody)),
                calls,
                steps,
                response(head),
                error == null
                        ? null
                        : new Fault(error.kind().label(), error.side().label(), error.detail()),
                List.of());
    }

    /**
     * Returns the response that the client received; null if there was none. {@code head} may belong to a response that
     * was never sent.
     */
    private @Nullable Response response(@Nullable ResponseHead head) {
        boolean sent = exchange.response() == Half.DONE || exchange.responseBytes() > 0;
        return head == null || !sent ? null : new Response(head.status(), fields(head.headers()), body(responseBody));
    }
}
