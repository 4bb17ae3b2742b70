package dev.lychgate.postgresql;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The section {@code fleet.store.postgresql}. */
record PostgresqlSettings(
        List<String> endpoints,
        String database,
        String schema,
        String user,
        @Nullable String password,
        @Nullable String passwordFile,
        boolean tls,
        @Nullable String ca,
        @Nullable String certificate,
        @Nullable String key,
        Duration timeout) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");
    private static final int MOST_ENDPOINTS = 16;

    private static final Form<String> ENDPOINT = Form.text("host:port", text -> {
        endpoint(text);
        return text;
    });

    private static final Key<List<String>> ENDPOINTS = Key.typed(
                    "endpoints", Form.oneOrList(ENDPOINT), List.of("127.0.0.1:5432"))
            .required("the address of a PostgreSQL server, such as db.example:5432")
            .about("the address of the PostgreSQL server, or the addresses of a primary server and its replicas; the"
                    + " gateway uses the first address that belongs to a primary server");
    private static final Key<String> DATABASE = Key.typed("database", Form.TEXT, "lychgate")
            .matching("[!-~]{1,63}", "1 to 63 characters of ASCII without blanks")
            .about("the name of the database");
    private static final Key<String> SCHEMA = Key.typed("schema", Form.TEXT, "lychgate")
            .matching(
                    "[a-z_][a-z0-9_]{0,39}",
                    "up to 40 lower-case letters, digits and '_', without a digit at the beginning")
            .about("the schema that contains the tables; fleets with different permissions need different schemas");
    private static final Key<String> USER = Key.typed("user", Form.TEXT, "lychgate")
            .matching("[!-~]{1,63}", "1 to 63 characters of ASCII without blanks")
            .required("the name of a role")
            .about("the role that connects to the database");
    private static final Key<String> PASSWORD = Key.typed("password", Form.SECRET, null)
            .absent("`password-file`, or no password")
            .about("the password of the role, preferably a [secret](secrets.md) such as `${NAME}`; the password is sent"
                    + " only over TLS or to a loopback address");
    private static final Key<String> PASSWORD_FILE = Key.file("password-file")
            .absent("`password`, or no password")
            .about("the file with the password; a line break at its end is ignored, and each new connection reads the"
                    + " file again");
    private static final Key<Boolean> TLS = Key.flag("tls", true)
            .about("whether connections use TLS; the certificate must be valid for the host of the endpoint");
    private static final Key<String> CA = Key.file("ca")
            .absent("the authorities of the JDK")
            .about("PEM: the trusted authorities; each new connection reads the files `ca`, `certificate` and `key`"
                    + " again");
    private static final Key<String> CERTIFICATE = Key.file("certificate")
            .absent("none")
            .about("PEM: the client certificate, followed by the intermediate certificates up to an authority");
    private static final Key<String> KEY = Key.file("key")
            .absent("none")
            .about("PEM: the private key of `certificate`, in one of these [formats](tls.md#key-formats)");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "2s")
            .between("100ms", "30s")
            .about("the timeout of one statement, and of one attempt to connect");

    static final Keys<PostgresqlSettings> KEYS = Keys.of(
            PostgresqlSettings::new,
            ENDPOINTS,
            DATABASE,
            SCHEMA,
            USER,
            PASSWORD,
            PASSWORD_FILE,
            TLS,
            CA,
            CERTIFICATE,
            KEY,
            TIMEOUT);

    PostgresqlSettings {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty() || endpoints.size() > MOST_ENDPOINTS) {
            throw new ConfigException(
                    "endpoints", endpoints.size() + " addresses", "1 to " + MOST_ENDPOINTS + " addresses");
        }
        if (password != null && passwordFile != null) {
            throw new ConfigException("password-file", passwordFile, "either password or password-file");
        }
        boolean hasPassword = password != null || passwordFile != null;
        if (!tls && hasPassword && !endpoints.stream().allMatch(each -> isLoopback(each))) {
            throw new ConfigException(
                    "tls",
                    false,
                    "tls: true, or only loopback addresses in endpoints, because the password is sent to the server");
        }
        refuseWithoutTls("ca", ca, tls);
        refuseWithoutTls("certificate", certificate, tls);
        if ((certificate == null) != (key == null)) {
            throw certificate == null
                    ? new ConfigException("key", String.valueOf(key), "only together with certificate")
                    : new ConfigException("certificate", certificate, "only together with key");
        }
    }

    private static void refuseWithoutTls(String name, @Nullable String file, boolean tls) {
        if (file != null && !tls) {
            throw new ConfigException(name, file, "only together with tls: true");
        }
    }

    private static boolean isLoopback(String endpoint) {
        return LOOPBACK.contains(endpoint(endpoint).host());
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException if the text is malformed, with the expected form as its message
     */
    static EndpointAddress endpoint(String text) {
        String expected = "host:port, such as db.example:5432 or [::1]:5432";
        if (!text.matches(".+:\\d{1,5}")) {
            throw new IllegalArgumentException(expected);
        }
        try {
            return EndpointAddress.parse("http://" + text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(expected, e);
        }
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "PostgresqlSettings[endpoints=" + endpoints + ", database=" + database + ", schema=" + schema + ", user="
                + user + "]";
    }
}
