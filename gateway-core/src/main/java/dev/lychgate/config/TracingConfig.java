package dev.lychgate.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of distributed tracing: sampling, propagation and export. */
public record TracingConfig(
        SampleRate sample,
        Accept accept,
        List<Propagation> propagate,
        String service,
        @Nullable Otlp otlp) {
    private static final Key<SampleRate> SAMPLE = Key.typed("sample", Form.RATE, SampleRate.parse("1%"))
            .about("the share of the traces starting at the gateway that are recorded; for other traces, the system in "
                    + "which the trace started decides");
    private static final Key<Accept> ACCEPT = Key.choice("accept", Accept.TRUSTED)
            .about("the clients whose traces the gateway continues: `trusted` = only the `trusted-proxies` of the "
                    + "listener; `all` = all clients; other requests start a new trace");
    private static final Key<List<Propagation>> PROPAGATE = Key.typed(
                    "propagate",
                    Form.list(Form.choice(Propagation.class, Propagation::label)),
                    List.of(Propagation.W3C))
            .atLeast(1)
            .about("the formats in which the trace context is propagated to origins");
    private static final Key<String> SERVICE =
            Key.typed("service", Form.NAMED, "lychgate").about("the service name of this gateway in traces");
    private static final Key<Otlp> OTLP = Key.section("otlp", null, () -> Otlp.KEYS)
            .absent("no spans are sent")
            .about("the collector that receives spans, by OTLP over HTTP in protobuf");

    static final Keys<TracingConfig> KEYS = Keys.of(TracingConfig::new, SAMPLE, ACCEPT, PROPAGATE, SERVICE, OTLP);

    /**
     * The clients whose traces the gateway continues. For requests of other clients, the gateway starts a new trace.
     */
    public enum Accept {
        /** Continues the traces of trusted proxies (the {@code trusted-proxies} of the listener). */
        TRUSTED,
        /**
         * Continues the traces of all clients. Any client can then combine its requests in one trace, and cause this
         * trace to be recorded.
         */
        ALL
    }

    /** A collector that receives spans by OTLP over HTTP, encoded in protobuf. */
    public record Otlp(URI url, Map<String, String> headers, Duration timeout, int queue) {
        private static final Key<URI> URL = Key.typed(
                        "url", MetricsPush.FORM, URI.create("http://127.0.0.1:4318/v1/traces"))
                .required("a URL such as http://127.0.0.1:4318/v1/traces")
                .about("the URL with the path, such as `http://127.0.0.1:4318/v1/traces`");
        private static final Key<Map<String, String>> HEADERS = Key.typed(
                        "headers", Form.mapping(Form.SECRET, "field name"), Map.of())
                .about("the header fields of every request; the values are never logged or displayed");
        private static final Key<Duration> TIMEOUT =
                Key.duration("timeout", "10s").positive().about("the timeout of one attempt");
        private static final Key<Integer> QUEUE = Key.number("queue", 16_384)
                .unit("spans")
                .between(64, 1 << 20)
                .about("the maximum number of spans that may be queued; further spans are dropped and counted");

        static final Keys<Otlp> KEYS = Keys.of(Otlp::new, URL, HEADERS, TIMEOUT, QUEUE);

        public Otlp {
            KEYS.check(url, headers, timeout, queue);
            headers = Expect.copy(headers);
            // The value is masked, because a misplaced part may be a credential.
            Expect.that(PushRules.isReceiver(url), "url", "***", PushRules.RECEIVER);
            PushRules.headers(headers);
        }

        /** Omits potential secrets: the values of the header fields, and the path and query of the URL. */
        @Override
        public String toString() {
            return "Otlp[" + url.getScheme() + "://" + url.getRawAuthority() + ", headers=" + headers.keySet()
                    + ", timeout=" + timeout + ", queue=" + queue + "]";
        }
    }

    public static final TracingConfig DEFAULT = KEYS.defaults();

    public TracingConfig {
        KEYS.check(sample, accept, propagate, service, otlp);
        propagate = Expect.copy(propagate);
    }
}
