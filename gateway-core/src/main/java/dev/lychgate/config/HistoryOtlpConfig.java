package dev.lychgate.config;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * A collector that receives the entries of the history by OTLP over HTTP, encoded in protobuf.
 *
 * @param url the URL of the collector, including the path
 * @param headers header fields of every request; the values may be secrets
 * @param timeout the timeout of one attempt
 * @param patience the time for which the gateway retries an entry before it drops the entry
 */
public record HistoryOtlpConfig(URI url, Map<String, String> headers, Duration timeout, Duration patience) {
    private static final Key<URI> URL = Key.typed("url", MetricsPush.FORM, URI.create("http://127.0.0.1:4318/v1/logs"))
            .required("a URL such as http://127.0.0.1:4318/v1/logs")
            .about("the URL with the path, such as `http://127.0.0.1:4318/v1/logs`");
    private static final Key<Map<String, String>> HEADERS = Key.typed(
                    "headers", Form.mapping(Form.SECRET, "field name"), Map.of())
            .about("the header fields of every request; the values are never logged or displayed");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "10s").positive().about("the timeout of one attempt");
    private static final Key<Duration> PATIENCE = Key.duration("patience", "2m")
            .positive()
            .about("the time for which an entry is sent again before it is dropped and counted");

    static final Keys<HistoryOtlpConfig> KEYS = Keys.of(HistoryOtlpConfig::new, URL, HEADERS, TIMEOUT, PATIENCE);

    public HistoryOtlpConfig {
        KEYS.check(url, headers, timeout, patience);
        headers = Expect.copy(headers);
        // The value is masked, because a misplaced part may be a credential.
        Expect.that(PushRules.isReceiver(url), "url", "***", PushRules.RECEIVER);
        PushRules.headers(headers);
    }

    /** Creates a collector with this URL, and with the defaults for all other components. */
    public static HistoryOtlpConfig to(URI url) {
        return new HistoryOtlpConfig(url, Map.of(), TIMEOUT.otherwise(), PATIENCE.otherwise());
    }

    /** Omits potential secrets: the values of the header fields, and the path and query of the URL. */
    @Override
    public String toString() {
        return "HistoryOtlpConfig[" + url.getScheme() + "://" + url.getRawAuthority() + ", headers=" + headers.keySet()
                + ", timeout=" + Durations.print(timeout) + ", patience="
                + Durations.print(patience) + "]";
    }
}
