package dev.lychgate.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Distributed tracing: which exchanges are traced, how origins are told, and where spans go.
 *
 * @param sample the share of traces begun here that are recorded; of a trace that was begun elsewhere, its own word holds;
 *     default 1%
 * @param accept whose traces are carried on; default {@link Accept#TRUSTED}
 * @param propagate what origins are told by, at least one; default {@link Propagation#W3C} alone
 * @param service the name of this gateway in traces ({@code service.name}); default lychgate
 * @param otlp where spans are sent; null = nowhere: traces are carried on and seen in logs
 */
public record TracingConfig(
        SampleRate sample,
        Accept accept,
        List<Propagation> propagate,
        String service,
        @Nullable Otlp otlp) {
    /** Whose traces are carried on; all others' begin anew at the gateway. */
    public enum Accept {
        /** Those of clients whose word on forwarding is believed, too (the listener's {@code trusted-proxies}). */
        TRUSTED,
        /** Everybody's: any client may then join what it sends into one trace, and have it recorded. */
        ALL
    }

    /**
     * A collector that speaks OTLP over HTTP, in protobuf.
     *
     * @param url with the path, such as {@code http://127.0.0.1:4318/v1/traces}
     * @param headers sent with every request; values are secrets
     * @param timeout how long a try may take; default 10s
     * @param queue spans that may wait before more are dropped and counted; default 16384
     */
    public record Otlp(URI url, Map<String, String> headers, Duration timeout, int queue) {
        public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
        public static final int DEFAULT_QUEUE = 16_384;

        public Otlp {
            headers = Expect.copy(headers);
            // What is misplaced in it may be a credential.
            Expect.that(PushRules.isReceiver(url), "url", "***", PushRules.RECEIVER);
            PushRules.headers(headers);
            Expect.positive("timeout", timeout);
            Expect.between(64, 1 << 20, "queue", queue);
        }

        /** Without what may be a secret. */
        @Override
        public String toString() {
            return "Otlp[" + url.getScheme() + "://" + url.getRawAuthority() + ", headers=" + headers.keySet()
                    + ", timeout=" + timeout + ", queue=" + queue + "]";
        }
    }

    /** What a file says that only asks for tracing. */
    public static final TracingConfig DEFAULT =
            new TracingConfig(new SampleRate(0.01), Accept.TRUSTED, List.of(Propagation.W3C), "lychgate", null);

    public TracingConfig {
        propagate = Expect.copy(propagate);
        Expect.that(!propagate.isEmpty(), "propagate", "[]", "at least one of w3c, b3, b3-multi");
        Expect.name("service", service);
    }
}
