package dev.lychgate.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A Splunk HTTP Event Collector that receives the access log. */
public record HecConfig(
        URI url,
        String token,
        @Nullable String index,
        String source,
        String sourcetype,
        @Nullable String host,
        ByteSize batch,
        Duration interval,
        ByteSize queue,
        Duration timeout,
        Duration patience,
        boolean gzip,
        @Nullable String ca) {
    /** The path at which collectors receive events by default. */
    private static final String EVENTS = "/services/collector/event";

    private static final Form.Rule PLAIN = new Form.Rule("[!-~]{1,128}", "1 to 128 characters of ASCII without blanks");

    private static final Key<URI> URL = Key.typed(
                    "url",
                    Form.text("URL", HecConfig::parseUrl).looking("https?://[^/@?#]+(/[^?#]*)?"),
                    URI.create("https://127.0.0.1:8088"))
            .required("https://HOST:8088")
            .about("the URL of the collector; without a path, `/services/collector/event` is used");
    private static final Key<String> TOKEN = Key.typed("token", Form.SECRET, "none")
            .matching("[!-~]{1,256}", "a token: 1 to 256 characters of ASCII without blanks")
            .required("the collector's token, such as ${SPLUNK_TOKEN}")
            .about("the token of the collector; never logged or displayed; preferably a [secret](secrets.md) such as "
                    + "`${file:PATH}`");
    private static final Key<String> INDEX =
            Key.text("index").absent("the token's").matching(PLAIN).about("the index of the events");
    private static final Key<String> SOURCE =
            Key.typed("source", Form.TEXT, "lychgate").matching(PLAIN).about("the source of the events");
    private static final Key<String> SOURCETYPE = Key.typed("sourcetype", Form.TEXT, "lychgate:access")
            .matching(PLAIN)
            .about("the source type of the events");
    private static final Key<String> HOST =
            Key.text("host").absent("this machine's name").matching(PLAIN).about("the host of the events");
    private static final Key<ByteSize> BATCH = Key.size("batch", "512KiB")
            .between("1KiB", "16MiB")
            .about("the size of a batch, before compression, at which a request is sent");
    private static final Key<Duration> INTERVAL = Key.duration("interval", "1s")
            .positive()
            .about("the time for which the first event of a batch waits for further events; less than 1m");
    private static final Key<ByteSize> QUEUE = Key.size("queue", "32MiB")
            .atMost("1GiB")
            .about("the size of the queue of batches, beyond which batches are dropped and counted; at "
                    + "least `batch`");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "10s").positive().about("the timeout of one request");
    private static final Key<Duration> PATIENCE = Key.duration("patience", "5m")
            .positive()
            .about("the time for which a batch is retried before it is dropped and counted");
    private static final Key<Boolean> GZIP = Key.flag("gzip", true).about("whether requests are compressed");
    private static final Key<String> CA =
            Key.file("ca").absent("the JVM's").about("a PEM file with the trusted certificates, relative to this file");

    public HecConfig {
        TOKEN.check(token);
        INDEX.check(index);
        SOURCE.check(source);
        SOURCETYPE.check(sourcetype);
        HOST.check(host);
        BATCH.check(batch);
        INTERVAL.check(interval);
        QUEUE.check(queue);
        TIMEOUT.check(timeout);
        PATIENCE.check(patience);
        String scheme = String.valueOf(url.getScheme());
        Expect.that(
                (scheme.equals("http") || scheme.equals("https"))
                        && url.getHost() != null
                        && url.getRawUserInfo() == null
                        && url.getRawQuery() == null
                        && url.getRawFragment() == null,
                "url",
                // The value is masked, because a misplaced part may be a credential.
                url.toString().matches("[^@?#]*") ? url : "***",
                "http://HOST[:PORT] or https://HOST[:PORT], optionally with a path, but without the token, which "
                        + "belongs in the key token");
        Expect.that(interval.toMinutes() < 1, "interval", Durations.print(interval), "below 1m");
        Expect.that(queue.bytes() >= batch.bytes(), "queue", queue, "at least batch");
        Expect.that(ca == null || !ca.isBlank(), "ca", String.valueOf(ca), "a path");
    }

    static HecConfig read(Key.Values values) {
        return new HecConfig(
                values.get(URL),
                values.get(TOKEN),
                values.get(INDEX),
                values.get(SOURCE),
                values.get(SOURCETYPE),
                values.get(HOST),
                values.get(BATCH),
                values.get(INTERVAL),
                values.get(QUEUE),
                values.get(TIMEOUT),
                values.get(PATIENCE),
                values.get(GZIP),
                values.get(CA));
    }

    /** Creates a collector with this URL and token, and with the defaults for all other components. */
    public static HecConfig of(URI url, String token) {
        return Copy.of(read(Key.DEFAULTS), "url", url, "token", token);
    }

    /**
     * Reads the URL of a collector.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static URI parseUrl(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("a URL that begins with http:// or https://");
        }
    }

    /** Returns the URL that receives events. */
    public URI endpoint() {
        String path = url.getRawPath();
        return path == null || path.isEmpty() || path.equals("/") ? url.resolve(EVENTS) : url;
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "HecConfig[url=" + url + ", token=***, index=" + index + ", source=" + source + ", sourcetype="
                + sourcetype + ", host=" + host + ", batch=" + batch + ", interval=" + Durations.print(interval)
                + ", queue=" + queue + ", timeout=" + Durations.print(timeout) + ", patience="
                + Durations.print(patience) + ", gzip=" + gzip + ", ca=" + ca + "]";
    }
}
