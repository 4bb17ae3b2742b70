package dev.lychgate.filters.testing;

import dev.lychgate.client.Ban;
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
 * The result of a {@link TestExchange}. Used on the thread that started the exchange.
 *
 * <p>All methods except {@link #isDone} wait for blocking filters. Methods that need the response wait for all filters
 * on other threads, for up to 10 seconds of real time. If a filter or an origin never responds, the test must first
 * advance the {@linkplain #getClock clock}, so that a timeout expires.
 *
 * <p>An exchange releases its resources when it ends. If an exchange has not ended, the test must {@linkplain #close
 * close} it.
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

    // ---- the response

    public int getStatus() {
        return answer().status();
    }

    public Fields getHeaders() {
        answer();
        return trial.client().fields();
    }

    /** Returns the first value of a header field of the response; null if there is no such field. */
    public @Nullable String header(String name) {
        return getHeaders().get(name);
    }

    public byte[] getBody() {
        return done().client().received();
    }

    /** Returns the body of the response, decoded as UTF-8. */
    public String getText() {
        return new String(getBody(), StandardCharsets.UTF_8);
    }

    /** Returns whether the client or the gateway closed the client connection before the end of the response. */
    public boolean isAborted() {
        return done().client().isAborted();
    }

    /** Returns the reason for which a filter has banned the client; null if no filter has banned the client. */
    public @Nullable String getBan() {
        return done().generation().clients().bans().all().stream()
                .map(Ban::reason)
                .findFirst()
                .orElse(null);
    }

    // ---- the requests to origins

    /** Returns the request as the origin has received it; null if no request was sent. */
    public @Nullable SentRequest getSent() {
        String upstream = getUpstream();
        List<SentRequest> received = upstream == null ? List.of() : sentTo(upstream);
        return received.isEmpty() ? null : received.get(received.size() - 1);
    }

    /**
     * Returns the requests that the origin of {@code upstream} has received, including call-outs of filters; empty if
     * it has received none.
     */
    public List<SentRequest> sentTo(String upstream) {
        trial.settleBlocking();
        return trial.origin().received(upstream);
    }

    /**
     * Returns the name of the upstream to which the gateway has attempted to send the request; null if there was no
     * attempt. The attempt may have failed.
     */
    public @Nullable String getUpstream() {
        return target().map(target -> target.upstream().name()).orElse(null);
    }

    /**
     * Returns the timeout that applied to the response head of the origin; null if the gateway has not attempted to
     * send the request.
     */
    public @Nullable Duration getResponseTimeout() {
        return target().map(target -> Duration.ofNanos(target.silence().responseHead()))
                .orElse(null);
    }

    private Optional<ProxyTarget> target() {
        trial.settleBlocking();
        return Optional.ofNullable(trial.exchange().target());
    }

    // ---- the exchange

    /** Returns the id of the route that the request has matched; null if it has matched no route. */
    public @Nullable String getRoute() {
        trial.settleBlocking();
        Route route = trial.exchange().record().route();
        return route == null ? null : route.id();
    }

    /**
     * Returns the names of the filters that have run, in the order of their runs. Filters that did not apply are not
     * included.
     */
    public List<String> getRan() {
        trial.settleBlocking();
        return recorder.ran();
    }

    /** Returns the failures of filters so far. A rejection by {@code fail} does not count as a failure. */
    public List<FilterFailure> getFailures() {
        trial.settleBlocking();
        return recorder.failures(trial.slots());
    }

    /** Returns the error with which the exchange has failed; null if it has not failed. */
    public @Nullable GatewayError getError() {
        return done().exchange().record().error();
    }

    /** Returns the attribute {@code key} of the exchange; null if no filter has set it. */
    public <T> @Nullable T get(AttributeKey<T> key) {
        trial.settleBlocking();
        return trial.exchange().attribute(key);
    }

    public String getRequestId() {
        return trial.exchange().record().requestId();
    }

    // ---- the end of the exchange

    /** Returns whether the exchange has ended. Does not wait. */
    public boolean isDone() {
        trial.settle();
        return trial.isFinished();
    }

    public TestClock getClock() {
        return clock;
    }

    /** Disconnects the client, which cancels running filters. Does nothing if the exchange has ended. */
    public void leave() {
        trial.leave();
    }

    /** Ends the exchange if it has not ended. */
    @Override
    public void close() {
        leave();
    }
}
