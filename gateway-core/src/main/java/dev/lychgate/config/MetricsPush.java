package dev.lychgate.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;

/**
 * A receiver that metrics are sent to.
 *
 * @param url where they are posted: all of it, the path included
 * @param interval how often; default 10s
 * @param labels what is said of this gateway with every figure, by name
 * @param headers sent with every request, such as credentials; never shown
 * @param timeout how long one try may take; default 10s
 * @param queue how much may wait while the receiver is away, before more is dropped and counted; default 8MiB
 */
public record MetricsPush(
        URI url,
        Duration interval,
        Map<String, String> labels,
        Map<String, String> headers,
        Duration timeout,
        ByteSize queue) {
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    public static final ByteSize DEFAULT_QUEUE = ByteSize.ofMiB(8);

    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
    private static final ByteSize SMALLEST_QUEUE = ByteSize.ofKiB(64);

    public MetricsPush {
        labels = Expect.copy(labels);
        headers = Expect.copy(headers);
        Expect.that(
                interval.compareTo(SHORTEST_INTERVAL) >= 0,
                "interval",
                Durations.print(interval),
                ">= " + Durations.print(SHORTEST_INTERVAL));
        Expect.positive("timeout", timeout);
        Expect.that(queue.bytes() >= SMALLEST_QUEUE.bytes(), "queue", queue, "at least " + SMALLEST_QUEUE);
        PushRules.headers(headers);
    }

    /** A receiver with every default. */
    public static MetricsPush to(URI url) {
        return new MetricsPush(url, DEFAULT_INTERVAL, Map.of(), Map.of(), DEFAULT_TIMEOUT, DEFAULT_QUEUE);
    }

    /**
     * Reads the address of a receiver.
     *
     * @throws IllegalArgumentException if it is no absolute URL of http or https, or holds a user or a fragment
     */
    public static URI parse(String url) {
        try {
            URI uri = new URI(url);
            if (PushRules.isReceiver(uri)) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(PushRules.RECEIVER, e);
        }
        throw new IllegalArgumentException(PushRules.RECEIVER);
    }

    /** Without what may be secret: the headers, and the path and query of the URL. */
    @Override
    public String toString() {
        return "MetricsPush[" + url.getScheme() + "://" + url.getRawAuthority() + ", every " + Durations.print(interval)
                + "]";
    }
}
