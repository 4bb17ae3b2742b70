package dev.lychgate.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a registry of services over HTTP.
 *
 * @param url the URLs of the servers; if a server does not respond to a request, the gateway sends the request to the
 *     next server in this list
 * @param ca the file of the trusted authorities; null = the authorities of the JDK
 * @param certificate the client certificate; null = none
 * @param timeout the timeout of one request
 */
public record RegistryConfig(
        List<URI> url, @Nullable String ca, @Nullable CertificateConfig certificate, Duration timeout) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final int MOST_URLS = 16;

    static final Key<List<URI>> URL = Key.typed(
                    "url",
                    Form.oneOrList(Form.text("URL", RegistryConfig::url).looking("https?://[^/@?#]+(/[^?#]*)?")),
                    List.of(URI.create("http://127.0.0.1:1")))
            .called("list of URLs, or one")
            .atLeast(1)
            .required("a URL such as https://registry.example.com")
            .about("the URLs of the servers, with the path of the interface, if there is one; if a server does not "
                    + "respond to a request, the request is sent to the next server");
    static final Key<String> CA = Key.file("ca").absent("the JDK's").about("PEM: the trusted authorities");
    static final Key<CertificateConfig> CERTIFICATE = Key.section("certificate", null, CertificateConfig::ofClient)
            .absent("none")
            .about("the client certificate");
    static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "5s").between("100ms", "1m").about("the timeout of one request");

    static final Keys<RegistryConfig> KEYS = Keys.of(RegistryConfig::new, URL, CA, CERTIFICATE, TIMEOUT);

    public RegistryConfig {
        KEYS.check(url, ca, certificate, timeout);
        url = Expect.copy(url);
        Expect.that(url.size() <= MOST_URLS, "url", url.size() + " URLs", "at most " + MOST_URLS);
        boolean tls = url.stream().allMatch(each -> "https".equals(each.getScheme()));
        Expect.that(
                tls || (ca == null && certificate == null),
                ca == null ? "certificate" : "ca",
                "set together with http URLs",
                "https URLs, or neither ca nor certificate");
    }

    /**
     * Reads the keys of the connection. Returns a function that creates the connection, and that may refuse the values.
     */
    static Supplier<RegistryConfig> read(Key.Values values) {
        List<URI> url = values.get(URL);
        String ca = values.get(CA);
        CertificateConfig certificate = values.get(CERTIFICATE);
        Duration timeout = values.get(TIMEOUT);
        return () -> new RegistryConfig(url, ca, certificate, timeout);
    }

    /** Creates a connection to these servers, with the defaults for all other components. */
    public static RegistryConfig of(URI... urls) {
        return new RegistryConfig(List.of(urls), null, null, TIMEOUT.otherwise());
    }

    /** Refuses the credential {@code key} if the gateway would send it without TLS to another machine. */
    void protect(String key, boolean present) {
        boolean secure =
                url.stream().allMatch(each -> "https".equals(each.getScheme()) || LOOPBACK.contains(each.getHost()));
        Expect.that(
                !present || secure,
                key,
                "set together with http URLs",
                "https URLs or loopback addresses, because this credential must not be sent in plain text");
    }

    private static URI url(String text) {
        try {
            URI url = new URI(text);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            boolean bare = url.getRawUserInfo() == null && url.getRawQuery() == null && url.getRawFragment() == null;
            if (http && bare && url.getHost() != null) {
                return url;
            }
        } catch (URISyntaxException e) {
            // The exception below states the expected form.
        }
        throw new IllegalArgumentException("http://HOST:PORT/PATH or https://HOST:PORT/PATH");
    }
}
