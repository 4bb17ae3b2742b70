package dev.lychgate.redis;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The section {@code extensions.redis}. */
record RedisSettings(
        List<String> endpoints,
        boolean cluster,
        @Nullable String master,
        @Nullable String username,
        @Nullable String passwordFile,
        @Nullable String sentinelPasswordFile,
        boolean tls,
        @Nullable String caFile,
        String prefix,
        Duration timeout,
        int gateways) {
    private static final Form<String> ENDPOINT = Form.text("host:port", text -> {
        endpoint(text);
        return text;
    });

    private static final Key<List<String>> ENDPOINTS = Key.typed(
                    "endpoints", Form.oneOrList(ENDPOINT), List.of("127.0.0.1:6379"))
            .required("the address of a Redis server, such as 10.0.0.5:6379")
            .about("the address of the Redis server; with `master`, the addresses of the Sentinels; with `cluster`,"
                    + " the addresses of some nodes of the cluster");
    private static final Key<Boolean> CLUSTER =
            Key.flag("cluster", false).about("whether the endpoints are nodes of a Redis Cluster");
    private static final Key<String> MASTER = Key.text("master")
            .absent("no Sentinels")
            .about("the name of the master that the Sentinels at `endpoints` monitor");
    private static final Key<String> USERNAME =
            Key.text("username").absent("the default user").about("the user of the Redis server");
    private static final Key<String> PASSWORD_FILE = Key.file("password-file")
            .absent("no password")
            .about(
                    "the file with the password of the user; a line break at its end is ignored, and a saved change takes effect like"
                            + " a change of the configuration");
    private static final Key<String> SENTINEL_PASSWORD_FILE = Key.file("sentinel-password-file")
            .absent("no password")
            .about("the file with the password of the Sentinels, in the form of `password-file`");
    private static final Key<Boolean> TLS = Key.flag("tls", false)
            .about("whether connections use TLS; the certificate must be valid for the host of the endpoint");
    private static final Key<String> CA_FILE = Key.file("ca-file")
            .absent("the authorities of the JVM")
            .about("the file with the certificates of the trusted authorities in PEM, for `tls: true`");
    private static final Key<String> PREFIX = Key.typed("prefix", Form.NAMED, "lychgate")
            .about("the prefix of the keys in Redis; gateways with the same prefix share their rate limits");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "10ms")
            .between("1ms", "1s")
            .about(
                    "the longest time that a request waits for Redis; after this time, a missing response counts as a loss of Redis");
    private static final Key<Integer> GATEWAYS = Key.number("gateways", 1)
            .between(1, 10_000)
            .about("the number of gateways that share the limits, until Redis has reported this number");

    static final Keys<RedisSettings> KEYS = Keys.of(
            RedisSettings::new,
            ENDPOINTS,
            CLUSTER,
            MASTER,
            USERNAME,
            PASSWORD_FILE,
            SENTINEL_PASSWORD_FILE,
            TLS,
            CA_FILE,
            PREFIX,
            TIMEOUT,
            GATEWAYS);

    RedisSettings {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new ConfigException("endpoints", "[]", "at least one address");
        }
        if (cluster && master != null) {
            throw new ConfigException("master", master, "only without cluster: true");
        }
        if (endpoints.size() > 1 && !cluster && master == null) {
            throw new ConfigException(
                    "endpoints",
                    endpoints,
                    "one address, or several addresses together with master or with cluster: true");
        }
        if (username != null && passwordFile == null) {
            throw new ConfigException("username", username, "only together with password-file");
        }
        if (sentinelPasswordFile != null && master == null) {
            throw new ConfigException("sentinel-password-file", sentinelPasswordFile, "only together with master");
        }
        if (caFile != null && !tls) {
            throw new ConfigException("ca-file", caFile, "only together with tls: true");
        }
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException if the text is malformed, with the expected form as its message
     */
    static EndpointAddress endpoint(String text) {
        String expected = "host:port, such as redis.example:6379 or [::1]:6379";
        if (!text.matches(".+:\\d{1,5}")) {
            throw new IllegalArgumentException(expected);
        }
        try {
            return EndpointAddress.parse("http://" + text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(expected, e);
        }
    }
}
