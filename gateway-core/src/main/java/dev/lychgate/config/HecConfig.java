package dev.lychgate.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A Splunk HTTP Event Collector that gets the access log.
 *
 * @param url of the collector: {@code https://splunk.example:8088}; where it names no path, that of events is taken
 * @param token the collector's token; never told
 * @param index where events go; null = where the token sends them
 * @param source what made them; default lychgate
 * @param sourcetype what they look like; default lychgate:access
 * @param host what stands as their host; null = the name of this machine
 * @param batch bytes of events after which a request is sent, uncompressed; default 512KiB
 * @param interval how long the first event of a batch waits for others; default 1s
 * @param queue bytes of batches that may wait for the collector before more are dropped and counted; default 32MiB
 * @param timeout how long one request may take; default 10s
 * @param patience how long a batch is tried again before it is dropped; default 5m
 * @param gzip whether requests are compressed; default true
 * @param ca a PEM file with the certificates to trust; null = those of the JVM
 */
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
    /** Where collectors take events. */
    private static final String EVENTS = "/services/collector/event";

    public static final String DEFAULT_SOURCE = "lychgate";
    public static final String DEFAULT_SOURCETYPE = "lychgate:access";
    public static final ByteSize DEFAULT_BATCH = ByteSize.ofKiB(512);
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);
    public static final ByteSize DEFAULT_QUEUE = ByteSize.ofMiB(32);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(5);

    public HecConfig {
        String scheme = String.valueOf(url.getScheme());
        Expect.that(
                (scheme.equals("http") || scheme.equals("https"))
                        && url.getHost() != null
                        && url.getRawUserInfo() == null
                        && url.getRawQuery() == null
                        && url.getRawFragment() == null,
                "url",
                // What was misplaced there may be a credential.
                url.toString().matches("[^@?#]*") ? url : "***",
                "http://HOST[:PORT] or https://HOST[:PORT], perhaps with a path; the token has a key of its own");
        Expect.that(
                !token.isEmpty() && token.length() <= 256 && token.chars().allMatch(c -> c > 0x20 && c < 0x7f),
                "token",
                "***",
                "a token: 1 to 256 characters of ASCII without blanks");
        text("index", index);
        text("source", source);
        text("sourcetype", sourcetype);
        text("host", host);
        Expect.that(batch.bytes() >= 1024 && batch.bytes() <= 16 << 20, "batch", batch, "1KiB to 16MiB");
        Expect.positive("interval", interval);
        Expect.that(interval.toMinutes() < 1, "interval", Durations.print(interval), "below 1m");
        Expect.that(
                queue.bytes() >= batch.bytes() && queue.bytes() <= 1L << 30,
                "queue",
                queue,
                "at least batch, at most 1GiB");
        Expect.positive("timeout", timeout);
        Expect.positive("patience", patience);
        Expect.that(ca == null || !ca.isBlank(), "ca", String.valueOf(ca), "a path");
    }

    private static void text(String key, @Nullable String value) {
        if (value != null) {
            boolean plain = value.length() <= 128 && value.chars().allMatch(c -> c > 0x20 && c < 0x7f);
            Expect.that(plain && !value.isEmpty(), key, value, "1 to 128 characters of ASCII without blanks");
        }
    }

    /** A collector with every default. */
    public static HecConfig of(URI url, String token) {
        return new HecConfig(
                url,
                token,
                null,
                DEFAULT_SOURCE,
                DEFAULT_SOURCETYPE,
                null,
                DEFAULT_BATCH,
                DEFAULT_INTERVAL,
                DEFAULT_QUEUE,
                DEFAULT_TIMEOUT,
                DEFAULT_PATIENCE,
                true,
                null);
    }

    /**
     * Reads the URL.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static URI parseUrl(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("a URL that begins with http:// or https://");
        }
    }

    /** Where events are sent. */
    public URI endpoint() {
        String path = url.getRawPath();
        return path == null || path.isEmpty() || path.equals("/") ? url.resolve(EVENTS) : url;
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "HecConfig[url=" + url + ", token=***, index=" + index + ", source=" + source + ", sourcetype="
                + sourcetype + ", host=" + host + ", batch=" + batch + ", interval=" + Durations.print(interval)
                + ", queue=" + queue + ", timeout=" + Durations.print(timeout) + ", patience="
                + Durations.print(patience) + ", gzip=" + gzip + ", ca=" + ca + "]";
    }
}
