package dev.lychgate.server.cli;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.terminal.Printable;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The address and the token of a running gateway's admin listener, from {@code --admin} and {@code --token} or from a
 * configuration.
 */
final class AdminOption {
    private static final String USUAL = "127.0.0.1:8081";
    private static final String TOKEN = "LYCHGATE_ADMIN_TOKEN";

    @Option(
            names = "--admin",
            order = 501,
            paramLabel = "[https://]HOST:PORT",
            description = "The address of the admin listener; default the address in the file of --config, else "
                    + USUAL + ".")
    private @Nullable String admin;

    @Option(
            names = {"-c", "--config"},
            order = 502,
            paramLabel = "FILE",
            description = "The configuration of the gateway, which names the admin listener.")
    private @Nullable Path file;

    @Option(
            names = "--token",
            order = 503,
            paramLabel = "TOKEN",
            description = "The token that the admin listener requires. Default: LYCHGATE_ADMIN_TOKEN, which is safer"
                    + " because other users can't see it; else the token in the file of --config.")
    private @Nullable String token;

    @Mixin
    private final AdminTlsOption tls = new AdminTlsOption();

    /**
     * Returns a client for the admin listener.
     *
     * @param outer the configuration option before the command's name
     * @param patience time limit of a response
     * @throws FaultyConfigException if the configuration file is needed but can't be used, for example after a recent
     *     change
     * @throws StartException if the configuration has no usable address, or if the token file can't be read
     * @throws UsageException if the address or the token is malformed
     */
    AdminClient client(Surroundings surroundings, ConfigOption outer, Duration patience)
            throws FaultyConfigException, StartException, UsageException {
        String given = token != null ? token : surroundings.environment().get(TOKEN);
        if (admin != null) {
            return at(url("--admin", admin), given, tls, surroundings, patience);
        }
        Path named = file == null ? outer.given() : file;
        if (named == null) {
            return at("http://" + USUAL, given, tls, surroundings, patience);
        }
        AdminConfig config = read(named, surroundings);
        String scheme = config.tls() == null ? "http://" : "https://";
        String url = scheme + reachable(named, config.address());
        return at(url, given == null ? token(config) : given, tls, surroundings, patience);
    }

    /** Returns the given configuration file; null if the option was not given. */
    @Nullable
    Path config() {
        return file;
    }

    /**
     * Returns a client for an admin listener, with the token and certificates of the environment.
     *
     * @param option the option with the address, for messages
     */
    static AdminClient client(String option, String address, Surroundings surroundings, Duration patience)
            throws StartException, UsageException {
        String token = surroundings.environment().get(TOKEN);
        return at(url(option, address), token, new AdminTlsOption(), surroundings, patience);
    }

    private static String url(String option, String given) throws UsageException {
        String url = given.contains("://") ? given : "http://" + given;
        try {
            URI uri = new URI(url);
            boolean scheme = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean port = uri.getPort() > 0 && uri.getPort() <= 65535;
            if (scheme && uri.getHost() != null && port && url.endsWith(":" + uri.getPort())) {
                return url;
            }
        } catch (URISyntaxException e) {
            // Reported like any other malformed address.
        }
        throw new UsageException(option + ": " + Printable.escaped(given)
                + " (expected: HOST:PORT or https://HOST:PORT, port 1 to 65535)");
    }

    private static AdminClient at(
            String url, @Nullable String given, AdminTlsOption tls, Surroundings surroundings, Duration patience)
            throws StartException, UsageException {
        if (given != null && !given.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new UsageException(
                    "--token or LYCHGATE_ADMIN_TOKEN: *** (expected: ASCII characters without blanks)");
        }
        SSLContext context = tls.context(url, surroundings.environment());
        HttpClient.Builder http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        return new AdminClient((context == null ? http : http.sslContext(context)).build(), url, given, patience);
    }

    private static @Nullable String token(AdminConfig config) throws StartException {
        String file = config.tokenFile();
        if (file == null) {
            return config.token();
        }
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.findFirst().orElse("").strip();
        } catch (IOException | UncheckedIOException e) {
            throw new StartException(file + ": the token can't be read: " + e + "; set LYCHGATE_ADMIN_TOKEN instead");
        }
    }

    private static AdminConfig read(Path file, Surroundings surroundings) throws FaultyConfigException, StartException {
        try {
            AdminConfig admin = new ConfigReader(surroundings.environment())
                    .read(file)
                    .config()
                    .admin();
            if (admin == null) {
                throw new StartException(
                        file + " has no section admin; set the address of the admin listener with --admin");
            }
            return admin;
        } catch (FaultyConfigException e) {
            surroundings
                    .err()
                    .println("lychgate: " + file + " has errors; set the address of the admin listener with --admin");
            throw e;
        }
    }

    private static String reachable(Path file, BindAddress bound) throws StartException {
        if (bound.port() == 0) {
            throw new StartException(file + " lets the operating system choose the port of the admin listener; set its"
                    + " address with --admin");
        }
        InetAddress address = IpLiteral.address(bound.host());
        if (address == null || !address.isAnyLocalAddress()) {
            return bound.toString();
        }
        // A listener that is bound to all addresses also accepts connections on the loopback.
        String loopback = address instanceof Inet6Address ? "::1" : "127.0.0.1";
        return new BindAddress(loopback, bound.port()).toString();
    }
}
