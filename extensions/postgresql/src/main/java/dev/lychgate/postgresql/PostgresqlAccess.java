package dev.lychgate.postgresql;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.tls.JdkClientTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.util.HostSpec;

/**
 * The properties of connections. Each connection reads the files with the password and the certificates again, so
 * renewed files need no restart.
 */
final class PostgresqlAccess {
    /** The names that {@link JdkClientTls} gives to the files of a client certificate. */
    private static final Map<String, String> KEYS =
            Map.of("own.chain", "certificate", "own.key", "key", "own.pkcs12", "certificate");

    /** The maximum memory of one result. All results of the store's statements are much smaller. */
    private static final String LARGEST_RESULT = "24M";

    private final PostgresqlSettings settings;

    PostgresqlAccess(PostgresqlSettings settings) {
        this.settings = settings;
    }

    PostgresqlSettings settings() {
        return settings;
    }

    HostSpec[] hosts() {
        return settings.endpoints().stream()
                .map(PostgresqlSettings::endpoint)
                .map(PostgresqlAccess::host)
                .toArray(HostSpec[]::new);
    }

    private static HostSpec host(EndpointAddress address) {
        return new HostSpec(address.host(), address.port());
    }

    /**
     * Reads the files.
     *
     * @throws ConfigException if a file cannot be used; its key is the name of the setting
     */
    Properties properties() {
        Properties all = new Properties();
        set(all, PGProperty.USER, settings.user());
        set(all, PGProperty.PG_DBNAME, settings.database());
        String password = password();
        if (password != null) {
            set(all, PGProperty.PASSWORD, password);
        }
        set(all, PGProperty.APPLICATION_NAME, "lychgate");
        // A replica accepts neither changes nor LISTEN.
        set(all, PGProperty.TARGET_SERVER_TYPE, "primary");
        set(all, PGProperty.HOST_RECHECK_SECONDS, "0");
        String seconds = Long.toString(seconds(settings.timeout()));
        set(all, PGProperty.CONNECT_TIMEOUT, seconds);
        set(all, PGProperty.SOCKET_TIMEOUT, seconds);
        set(
                all,
                PGProperty.SSL_RESPONSE_TIMEOUT,
                Long.toString(settings.timeout().toMillis()));
        set(all, PGProperty.TCP_KEEP_ALIVE, "true");
        set(all, PGProperty.GSS_ENC_MODE, "disable");
        // This setting keeps values of rows out of messages.
        set(all, PGProperty.LOG_SERVER_ERROR_DETAIL, "false");
        set(all, PGProperty.MAX_RESULT_BUFFER, LARGEST_RESULT);
        // A connection pooler may use another connection for the next transaction, and that connection lacks the
        // prepared statements.
        set(all, PGProperty.PREPARE_THRESHOLD, "0");
        if (settings.tls()) {
            set(all, PGProperty.SSL_MODE, "verify-full");
            set(all, PGProperty.SSL_FACTORY, VerifiedSockets.class.getName());
            VerifiedSockets.use(all, tls());
        } else {
            set(all, PGProperty.SSL_MODE, "disable");
        }
        return all;
    }

    private static void set(Properties all, PGProperty property, String value) {
        property.set(all, value);
    }

    private static long seconds(Duration timeout) {
        return Math.max(1, timeout.plusMillis(999).toSeconds());
    }

    private SSLContext tls() {
        String chain = settings.certificate();
        String key = settings.key();
        try {
            return JdkClientTls.of(
                    settings.ca(), chain == null || key == null ? null : CertificateConfig.pem(chain, key));
        } catch (ConfigException e) {
            throw new ConfigException(KEYS.getOrDefault(e.key(), e.key()), e.value(), e.expected());
        }
    }

    private @Nullable String password() {
        String file = settings.passwordFile();
        if (file == null) {
            return settings.password();
        }
        try {
            String password = Files.readString(Path.of(file)).replaceFirst("\\R\\z", "");
            if (password.isEmpty()) {
                throw new ConfigException("password-file", file, "a file that contains a password");
            }
            return password;
        } catch (IOException e) {
            throw new ConfigException("password-file", file, "a file that can be read: " + e);
        }
    }
}
