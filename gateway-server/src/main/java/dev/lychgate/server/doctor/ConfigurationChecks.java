package dev.lychgate.server.doctor;

import static dev.lychgate.server.doctor.Finding.ok;
import static dev.lychgate.server.doctor.Finding.problem;
import static dev.lychgate.server.doctor.Finding.warning;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.gateway.Gateway;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Checks whether the machine meets the needs of a valid configuration.
 *
 * @param file the file of the configuration
 * @param now the time of the check
 */
record ConfigurationChecks(GatewayConfig config, Path file, Instant now) {
    private static final Duration EXPIRES_SOON = Duration.ofDays(14);
    private static final long LEAST_DISK = 100L << 20;
    private static final long MIB = 1 << 20;
    private static final int LEAST_PLAIN_PORT = 1024;
    private static final int CONNECT_MILLIS = 200;
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", Pattern.DOTALL);

    /** The time in which a name must be resolved. */
    static final Duration NAME_LIMIT = Duration.ofSeconds(5);

    List<Finding> all() {
        List<Finding> all = new ArrayList<>();
        all.addAll(descriptors());
        all.addAll(addresses());
        all.addAll(names());
        all.addAll(certificates());
        all.addAll(directories());
        return all;
    }

    private List<Finding> descriptors() {
        String shortage = Gateway.descriptorShortage(config);
        if (shortage != null) {
            return List.of(problem("descriptors", shortage));
        }
        List<String> warnings = Gateway.descriptorWarnings(config);
        return warnings.isEmpty()
                ? List.of(ok("descriptors", "enough for all configured connections"))
                : warnings.stream().map(each -> warning("descriptors", each)).toList();
    }

    /** Binds the address of each listener for a moment. */
    private List<Finding> addresses() {
        AdminConfig admin = config.admin();
        return Stream.concat(
                        config.listeners().stream().map(ListenerConfig::address),
                        admin == null ? Stream.empty() : Stream.of(admin.address()))
                .filter(address -> address.port() > 0)
                .map(ConfigurationChecks::address)
                .toList();
    }

    private static Finding address(BindAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(address.host()), address.port()));
            return ok("addresses", address + " can be bound");
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            if (reason.contains("in use") || accepts(address)) {
                return warning(
                        "addresses",
                        address + " is in use, as expected while the gateway runs; else stop the other process");
            }
            String remedy = address.port() < LEAST_PLAIN_PORT
                    ? "; a port below " + LEAST_PLAIN_PORT + " needs the capability CAP_NET_BIND_SERVICE"
                    : "; change the address, or assign it to this machine";
            return problem("addresses", address + " can't be bound: " + reason + remedy);
        }
    }

    /**
     * Returns whether a process listens on an address. Called after a failed bind, because the message of the failure
     * may be in another language and may therefore not contain the words {@code in use}.
     */
    private static boolean accepts(BindAddress address) {
        try (Socket socket = new Socket()) {
            InetAddress host = InetAddress.getByName(address.host());
            InetAddress to = host.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : host;
            socket.connect(new InetSocketAddress(to, address.port()), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Resolves the host names of all endpoints, at the same time. */
    private List<Finding> names() {
        Map<String, CompletableFuture<InetAddress[]>> asked = new LinkedHashMap<>();
        config.targets().values().stream()
                .flatMap(upstream -> upstream.endpoints().stream())
                .map(EndpointConfig::address)
                .filter(address -> IpLiteral.address(address.host()) == null)
                .forEach(address -> asked.computeIfAbsent(address.host(), ConfigurationChecks::resolve));
        long end = System.nanoTime() + NAME_LIMIT.toNanos();
        return asked.entrySet().stream()
                .map(each -> name(each.getKey(), each.getValue(), end))
                .toList();
    }

    private static CompletableFuture<InetAddress[]> resolve(String host) {
        CompletableFuture<InetAddress[]> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(InetAddress.getAllByName(host));
                    } catch (UnknownHostException e) {
                        result.completeExceptionally(e);
                    }
                },
                "doctor-" + host);
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static Finding name(String host, CompletableFuture<InetAddress[]> result, long end) {
        try {
            int count = result.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS).length;
            return ok("names", host + " has " + count + (count == 1 ? " address" : " addresses"));
        } catch (ExecutionException e) {
            return warning(
                    "names",
                    host + " has no address, so requests to its endpoint fail; correct the name in the configuration or"
                            + " in DNS");
        } catch (TimeoutException e) {
            return warning(
                    "names",
                    host + " was not resolved within " + NAME_LIMIT.toSeconds()
                            + " s; examine the name servers in /etc/resolv.conf");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return warning("names", host + " was not resolved, because the command was interrupted");
        }
    }

    /**
     * Reports when the certificates of listeners expire. This method does not check for expired certificates, because
     * they are errors of the configuration.
     */
    private List<Finding> certificates() {
        return config.listeners().stream()
                .map(ListenerConfig::tls)
                .filter(Objects::nonNull)
                .flatMap(tls -> tls.certificates().stream())
                .map(CertificateConfig::chain)
                .filter(Objects::nonNull)
                .distinct()
                .flatMap(this::certificates)
                .toList();
    }

    private Stream<Finding> certificates(String path) {
        try {
            Matcher blocks = CERTIFICATE.matcher(Files.readString(Path.of(path), StandardCharsets.ISO_8859_1));
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<Finding> found = new ArrayList<>();
            while (blocks.find()) {
                X509Certificate certificate = (X509Certificate) factory.generateCertificate(
                        new ByteArrayInputStream(blocks.group().getBytes(StandardCharsets.ISO_8859_1)));
                Instant end = certificate.getNotAfter().toInstant();
                String text = path + ": the certificate of "
                        + certificate.getSubjectX500Principal().getName() + " expires on " + end;
                found.add(
                        end.isBefore(now.plus(EXPIRES_SOON))
                                ? warning("certificates", text + "; renew the certificate")
                                : ok("certificates", text));
            }
            return found.stream();
        } catch (IOException | CertificateException e) {
            return Stream.of(
                    problem("certificates", path + " can't be read: " + e.getMessage() + "; correct the file"));
        }
    }

    private List<Finding> directories() {
        Path home = file.toAbsolutePath().resolveSibling("");
        List<Finding> all = new ArrayList<>();
        // The gateway creates this directory if it is missing.
        Path state = home.resolve(".lychgate");
        all.add(directory(
                Files.isDirectory(state) ? state : home,
                "last good files, the history and the state of rollouts can't be written"));
        String log = config.accessLog().file();
        if (log != null) {
            all.add(directory(Path.of(log).toAbsolutePath().resolveSibling(""), "the access log can't be written"));
        }
        return all;
    }

    private static Finding directory(Path directory, String otherwise) {
        try {
            if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
                return problem(
                        "directories",
                        directory + " is not a writable directory, so " + otherwise
                                + "; create it, or change its owner");
            }
            long free = Files.getFileStore(directory).getUsableSpace();
            return free >= LEAST_DISK
                    ? ok("directories", directory + " has " + free / MIB + " MiB of free space")
                    : warning(
                            "directories",
                            directory + " has only " + free / MIB
                                    + " MiB of free space; free space, or use another directory");
        } catch (IOException e) {
            return problem("directories", directory + " can't be examined: " + e.getMessage());
        }
    }
}
