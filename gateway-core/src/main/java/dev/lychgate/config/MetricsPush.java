package dev.lychgate.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;

/** A receiver of pushed metrics. */
public record MetricsPush(
        URI url,
        Duration interval,
        Map<String, String> labels,
        Map<String, String> headers,
        Duration timeout,
        ByteSize queue) {

    /** The form of a receiver's URL. */
    static final Form<URI> FORM = Form.text("URL", MetricsPush::parse).looking("[hH][tT][tT][pP][sS]?://[^@#]+");

    private static final Key<URI> URL = Key.typed("url", FORM, URI.create("http://unnamed/"))
            .required("the URL of the receiver, such as http://127.0.0.1:4318/v1/metrics")
            .about("the URL to which the metrics are posted by HTTP: `http://127.0.0.1:4242/api/put` is "
                    + "usual for OpenTSDB, `http://127.0.0.1:4318/v1/metrics` for OTLP; without user "
                    + "information");
    private static final Key<Duration> INTERVAL =
            Key.duration("interval", "10s").atLeast("1s").about("the interval between two requests with metrics");
    private static final Key<Map<String, String>> LABELS = Key.texts("attributes", "name")
            .about("the attributes of the resource, in addition to `service.name`, `service.instance.id` and "
                    + "`host.name`, whose values may also be set here");
    private static final Key<Map<String, String>> HEADERS = Key.typed(
                    "headers", Form.mapping(Form.SECRET, "field name"), Map.of())
            .about("the header fields of every request, such as credentials; the values are never logged or "
                    + "displayed; preferably [secrets](secrets.md) such as `${file:PATH}`");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "10s").positive().about("the timeout of one attempt");
    private static final Key<ByteSize> QUEUE = Key.size("queue", "8MiB")
            .atLeast("64KiB")
            .about("the maximum size of the queue while the receiver is unavailable; further data is dropped and "
                    + "counted");

    public MetricsPush {
        INTERVAL.check(interval);
        TIMEOUT.check(timeout);
        QUEUE.check(queue);
        labels = Expect.copy(labels);
        headers = Expect.copy(headers);
        PushRules.headers(headers);
    }

    static MetricsPush read(Key.Values values) {
        return read(values, LABELS);
    }

    /**
     * Reads the section of a receiver.
     *
     * @param labels the key that contains the labels for every metric
     */
    static MetricsPush read(Key.Values values, Key<Map<String, String>> labels) {
        return new MetricsPush(
                values.get(URL),
                values.get(INTERVAL),
                values.get(labels),
                values.get(HEADERS),
                values.get(TIMEOUT),
                values.get(QUEUE));
    }

    /** Creates a receiver with this URL and the defaults of all other components. */
    public static MetricsPush to(URI url) {
        return new MetricsPush(url, INTERVAL.otherwise(), Map.of(), Map.of(), TIMEOUT.otherwise(), QUEUE.otherwise());
    }

    /**
     * Reads the URL of a receiver.
     *
     * @throws IllegalArgumentException if the text is not an absolute URL of http or https, or contains user
     *     information or a fragment
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

    /** Omits potential secrets: the headers, and the path and query of the URL. */
    @Override
    public String toString() {
        return "MetricsPush[" + url.getScheme() + "://" + url.getRawAuthority() + ", every " + Durations.print(interval)
                + "]";
    }
}
