package dev.lychgate.filters.testing;

import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What has become of a {@link TestExchange}. Whatever asks for the answer waits for filters that work on other threads, 10
 * real seconds at most; a filter or an origin that will never answer has to be ended by the {@linkplain #getClock clock}
 * first. Everything is released when the exchange ends; one that a test leaves unfinished is to be {@linkplain #close
 * closed}. Used on the thread that began the exchange.
 */
public final class TestResult implements AutoCloseable {
    private final Trial trial;
    private final Recorder recorder;
    private final TestClock clock;

    TestResult(Trial trial, Recorder recorder) {
        this.trial = trial;
        this.recorder = recorder;
        this.clock = new TestClock(trial);
    }

    private Trial done() {
        trial.await(() -> "filter " + recorder.asked());
        return trial;
    }

    private ResponseHead answer() {
        ResponseHead head = done().client().head();
        if (head == null) {
            throw new IllegalStateException(
                    "the client received no response: it disconnected or its connection was closed");
        }
        return head;
    }

    // ---- what the client got

    public int getStatus() {
        return answer().status();
    }

    public Fields getHeaders() {
        answer();
        return trial.client().fields();
    }

    /** The first value of a field of the answer; null if there is none. */
    public @Nullable String header(String name) {
        return getHeaders().get(name);
    }

    public byte[] getBody() {
        return done().client().received();
    }

    /** The body of the answer as UTF-8. */
    public String getText() {
        return new String(getBody(), StandardCharsets.UTF_8);
    }

    /** Whether the client was cut off, before its answer or within it, or has gone. */
    public boolean isAborted() {
        return done().client().isAborted();
    }

    // ---- what the origin got

    /** The request as the origin got it; null if none was asked. */
    public @Nullable SentRequest getSent() {
        String upstream = getUpstream();
        List<SentRequest> received = upstream == null ? List.of() : sentTo(upstream);
        return received.isEmpty() ? null : received.get(received.size() - 1);
    }

    /** The requests that the origin of {@code upstream} got, call-outs of filters included; empty if it was not asked. */
    public List<SentRequest> sentTo(String upstream) {
        trial.settle();
        return trial.origin().received(upstream);
    }

    /** The upstream that was asked, or should have been; null if none should. */
    public @Nullable String getUpstream() {
        return target().map(target -> target.upstream().name()).orElse(null);
    }

    /** How long the origin may take for its response head; null if none was asked. */
    public @Nullable Duration getResponseTimeout() {
        return target().map(target -> Duration.ofNanos(target.silence().responseHead()))
                .orElse(null);
    }

    private Optional<ProxyTarget> target() {
        trial.settle();
        return Optional.ofNullable(trial.exchange().target());
    }

    // ---- what happened on the way

    /** The id of the route it took; null if it took none. */
    public @Nullable String getRoute() {
        trial.settle();
        Route route = trial.exchange().record().route();
        return route == null ? null : route.id();
    }

    /** The names of the filters that ran, in order; one that did not apply is not among them. */
    public List<String> getRan() {
        trial.settle();
        return recorder.ran();
    }

    /** The filters that failed so far. Refusing by {@code fail} is no failure. */
    public List<FilterFailure> getFailures() {
        trial.settle();
        return recorder.failures(trial.slots());
    }

    /** What went wrong with the exchange; null if nothing did. */
    public @Nullable GatewayError getError() {
        return done().exchange().record().error();
    }

    /** What filters have left on the exchange under {@code key}; null if nothing. */
    public <T> @Nullable T get(AttributeKey<T> key) {
        trial.settle();
        return trial.exchange().attribute(key);
    }

    public String getRequestId() {
        return trial.exchange().record().requestId();
    }

    // ---- how it goes on

    /** Whether the exchange is over; does not wait for it. */
    public boolean isDone() {
        trial.settle();
        return trial.isFinished();
    }

    public TestClock getClock() {
        return clock;
    }

    /** The client goes away; whoever still works for it is told. Does nothing if the exchange is over. */
    public void leave() {
        trial.leave();
    }

    /** Ends the exchange if it is not over. */
    @Override
    public void close() {
        leave();
    }
}
