package dev.lychgate.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of an etcd cluster, and the settings of the connections to them.
 *
 * @param endpoints the URLs of members, without a path; if a member does not respond to a request, the gateway sends
 *     the request to the next member in this list
 * @param prefix the beginning of all keys
 * @param user the user; null = no authentication
 * @param ca the file of the trusted authorities; null = the authorities of the JDK
 * @param certificate the client certificate; null = none
 * @param timeout the timeout of one request to one member
 */
public record EtcdConfig(
        List<URI> endpoints,
        String prefix,
        @Nullable EtcdUser user,
        @Nullable String ca,
        @Nullable CertificateConfig certificate,
        Duration timeout) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String EXPECTED = "http://HOST:PORT or https://HOST:PORT, without a path";
    private static final int MOST_ENDPOINTS = 16;

    private static final Form<URI> ENDPOINT =
            Form.text("URL", EtcdConfig::endpoint).looking("https?://[^/@?#]+/?");
    private static final Key<List<URI>> ENDPOINTS = Key.typed(
                    "endpoints", Form.oneOrList(ENDPOINT), List.of(URI.create("http://127.0.0.1:2379")))
            .called("list of URLs, or one")
            .atLeast(1)
            .required("at least one URL such as https://10.0.0.5:2379")
            .about("the URLs of the members; if a member does not respond to a request, the request is sent to the "
                    + "next member");
    private static final Key<String> PREFIX = Key.typed("prefix", Form.TEXT, "/lychgate")
            .matching("[!-~]{0,200}", "up to 200 characters of ASCII without blanks")
            .about("the beginning of all keys, to which the permissions of the user apply");
    private static final Key<EtcdUser> USER = Key.section("user", null, EtcdUser.KEYS::read)
            .absent("no authentication")
            .about("the user and the password, which the gateway sends only over TLS or to a loopback address");
    private static final Key<String> CA = Key.file("ca").absent("the JDK's").about("PEM: the trusted authorities");
    private static final Key<CertificateConfig> CERTIFICATE = Key.section(
                    "certificate", null, CertificateConfig::ofClient)
            .absent("none")
            .about("the client certificate");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "2s").between("100ms", "30s").about("the timeout of one request to one member");

    static final Keys<EtcdConfig> KEYS = Keys.of(EtcdConfig::new, ENDPOINTS, PREFIX, USER, CA, CERTIFICATE, TIMEOUT);

    public EtcdConfig {
        KEYS.check(endpoints, prefix, user, ca, certificate, timeout);
        endpoints = Expect.copy(endpoints);
        Expect.that(
                endpoints.size() <= MOST_ENDPOINTS,
                "endpoints",
                endpoints.size() + " URLs",
                "at most " + MOST_ENDPOINTS);
        boolean secure = endpoints.stream().allMatch(each -> isSecure(each));
        Expect.that(
                user == null || secure,
                "endpoints",
                "http",
                "https URLs or loopback addresses, because the password is sent to the members");
        boolean tls = endpoints.stream().allMatch(each -> "https".equals(each.getScheme()));
        Expect.that(
                tls || (ca == null && certificate == null),
                ca == null ? "certificate" : "ca",
                "set together with http URLs",
                "https URLs, or neither ca nor certificate");
    }

    private static boolean isSecure(URI endpoint) {
        return "https".equals(endpoint.getScheme()) || LOOPBACK.contains(endpoint.getHost());
    }

    /** Creates a configuration without authentication. */
    public static EtcdConfig of(List<URI> endpoints) {
        return Copy.of(KEYS.defaults(), "endpoints", endpoints);
    }

    private static URI endpoint(String text) {
        try {
            URI url = new URI(text);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            boolean bare = url.getRawUserInfo() == null && url.getRawQuery() == null && url.getRawFragment() == null;
            if (http && bare && url.getHost() != null && List.of("", "/").contains(url.getRawPath())) {
                return url;
            }
        } catch (URISyntaxException e) {
            // The exception below states the expected form.
        }
        throw new IllegalArgumentException(EXPECTED);
    }
}
