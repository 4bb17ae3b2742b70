package dev.lychgate.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Distributed tracing: which exchanges are traced, how origins are told, and where spans go.
 */
public record TracingConfig(
        SampleRate sample,
        Accept accept,
        List<Propagation> propagate,
        String service,
        @Nullable Otlp otlp) {
    private static final Key<SampleRate> SAMPLE = Key.typed("sample", Form.RATE, SampleRate.parse("1%"))
            .about("the share of the traces begun here that is recorded; of a trace begun elsewhere its own word"
                    + " holds");
    private static final Key<Accept> ACCEPT = Key.choice("accept", Accept.TRUSTED)
            .about("whose traces are carried on: those of the listener's `trusted-proxies`, or everybody's; all "
                    + "others begin anew");
    private static final Key<List<Propagation>> PROPAGATE = Key.typed(
                    "propagate",
                    Form.list(Form.choice(Propagation.class, Propagation::label)),
                    List.of(Propagation.W3C))
            .atLeast(1)
            .about("what origins are told of the trace by");
    private static final Key<String> SERVICE =
            Key.typed("service", Form.NAMED, "lychgate").about("the name of this gateway in traces");
    private static final Key<Otlp> OTLP = Key.section("otlp", null, () -> Otlp.KEYS)
            .absent("spans go nowhere")
            .restart()
            .about("a collector that speaks OTLP over HTTP, in protobuf");

    static final Keys<TracingConfig> KEYS = Keys.of(TracingConfig::new, SAMPLE, ACCEPT, PROPAGATE, SERVICE, OTLP);

    /** Whose traces are carried on; all others' begin anew at the gateway. */
    public enum Accept {
        /** Those of clients whose word on forwarding is believed, too (the listener's {@code trusted-proxies}). */
        TRUSTED,
        /** Everybody's: any client may then join what it sends into one trace, and have it recorded. */
        ALL
    }

    /**
     * A collector that speaks OTLP over HTTP, in protobuf.
     */
    public record Otlp(URI url, Map<String, String> headers, Duration timeout, int queue) {
        private static final Key<URI> URL = Key.typed(
                        "url", MetricsPush.FORM, URI.create("http://127.0.0.1:4318/v1/traces"))
                .required("a URL such as http://127.0.0.1:4318/v1/traces")
                .about("with the path, such as `http://127.0.0.1:4318/v1/traces`");
        private static final Key<Map<String, String>> HEADERS = Key.typed(
                        "headers", Form.mapping(Form.SECRET, "field name"), Map.of())
                .about("sent with every request; values are never told");
        private static final Key<Duration> TIMEOUT =
                Key.duration("timeout", "10s").positive().about("how long one try may take");
        private static final Key<Integer> QUEUE = Key.number("queue", 16_384)
                .unit("spans")
                .between(64, 1 << 20)
                .about("spans that may wait before more are dropped and counted");

        static final Keys<Otlp> KEYS = Keys.of(Otlp::new, URL, HEADERS, TIMEOUT, QUEUE);

        public Otlp {
            KEYS.check(url, headers, timeout, queue);
            headers = Expect.copy(headers);
            // What is misplaced in it may be a credential.
            Expect.that(PushRules.isReceiver(url), "url", "***", PushRules.RECEIVER);
            PushRules.headers(headers);
        }

        /** Without what may be a secret. */
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
