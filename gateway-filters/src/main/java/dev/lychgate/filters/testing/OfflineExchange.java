package dev.lychgate.filters.testing;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeInputs;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.RequestHead;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a real exchange without sockets, for example a recorded exchange. The filters receive the head unchanged,
 * although the gateway changes heads that it receives from clients. The caller sets the request id, the time and the
 * random numbers.
 *
 * @param head the head as the first filter receives it, with the framing of the body
 * @param body the request body
 * @param client the address of the client
 * @param secure whether the client used TLS
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OfflineExchange(
        RequestHead head,
        byte[] body,
        InetAddress client,
        String listener,
        boolean secure,
        String requestId,
        ExchangeInputs inputs) {
    /**
     * Returns the endpoint that {@code upstream} must have in the configuration of an offline exchange. From this
     * endpoint, {@link SimulatedOrigins} determine the name of the upstream.
     */
    public static EndpointConfig endpoint(String upstream) {
        return new EndpointConfig(upstream + TestOrigin.DOMAIN, 80);
    }

    /**
     * Runs the exchange to its end, on the calling thread. Waits for filters on other threads for up to 10 seconds of
     * real time.
     *
     * @param generation a generation of one event loop, whose upstreams have the endpoints of {@link #endpoint}.
     *     Several exchanges may use the generation, one after another. In this case, the counters of its upstreams and
     *     filters carry over from one exchange to the next
     * @param observer observes the exchange; may record it
     * @param begun receives the exchange before it begins
     * @throws IllegalStateException if the exchange waits for an origin or a filter for too long
     */
    public void run(
            Generation generation, SimulatedOrigins origins, ExchangeObserver observer, Consumer<Exchange> begun) {
        TestClient downstream = new TestClient(client, body.length == 0 ? List.of() : List.of(body), listener, secure);
        Trial trial = new Trial(generation, downstream, new TestOrigin(origins), observer, requestId);
        try {
            trial.exchange().determine(inputs);
            begun.accept(trial.exchange());
            trial.beginAsRecorded(head);
            trial.await(() -> "a filter");
        } finally {
            trial.leave();
        }
    }
}
