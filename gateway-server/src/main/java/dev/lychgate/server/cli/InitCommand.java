package dev.lychgate.server.cli;

import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.Rate;
import dev.lychgate.server.engine.StartException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code init}: writes a new configuration that a gateway accepts. */
@Command(
        name = "init",
        description = "Writes a new configuration, gateway.yml, and an empty filter directory, and checks them. Asks"
                + " for the values if --upstream is missing. Never overwrites a file.",
        footer = {
            "  lychgate init",
            "  lychgate init my-gateway --upstream users=http://10.0.0.1:9000,http://10.0.0.2:9000",
            "  lychgate init --listen 0.0.0.0:8443 --tls chain.pem,key.pem --upstream users=http://10.0.0.1:9000 \\",
            "    --upstream orders=http://10.0.0.3:9000 --rate-limit 100/s --health /health --rollout"
        })
final class InitCommand extends SubCommand {
    private static final Pattern UPSTREAM = Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,63})=(\\S+)");
    private static final String URLS = "NAME=URL[,URL...]";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DIR",
            description = "The directory of the configuration; default: the working directory.")
    private Path directory = Path.of("");

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description = "The address for clients. Default: 127.0.0.1:8080.")
    private @Nullable String listen;

    @Option(
            names = "--upstream",
            paramLabel = URLS,
            description =
                    "An upstream and the URLs of its endpoints; repeatable. A single upstream gets all requests, and"
                            + " each of several upstreams gets the requests with paths below /NAME/.")
    private List<String> upstreams = new ArrayList<>();

    @Option(
            names = "--tls",
            paramLabel = "CHAIN,KEY",
            description = "The PEM files of the certificate chain and of its key; default: no TLS.")
    private @Nullable String tls;

    @Option(
            names = "--rate-limit",
            paramLabel = "RATE",
            description = "The limit of each client address, such as 100/s; default: no limit.")
    private @Nullable String rate;

    @Option(
            names = "--health",
            paramLabel = "PATH",
            description = "The path for active health checks of the endpoints; default: no checks.")
    private @Nullable String health;

    @Option(names = "--rollout", description = "Lets each change take effect gradually, as a rollout.")
    private boolean rollout;

    @Option(
            names = "--admin",
            paramLabel = "ADDRESS",
            description = "The address of the admin listener. Default:" + " 127.0.0.1:8081.")
    private String admin = "127.0.0.1:8081";

    @Override
    public Integer call() throws Exception {
        Path file = directory.resolve("gateway.yml");
        if (Files.exists(file)) {
            throw new StartException("init: " + file + " already exists");
        }
        if (upstreams.isEmpty()) {
            ask();
        }
        String text = configuration().text();
        Path filters = directory.resolve("filters");
        try {
            Files.createDirectories(filters);
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new StartException("init: can't write " + file + ": " + e);
        }
        check(file);
        print(file.toString());
        print("next: lychgate run --config " + file);
        return ExitCode.OK;
    }

    /** Validates the new file, and deletes it if a gateway would refuse it, for example because of the certificate. */
    private void check(Path file) throws Exception {
        boolean accepted = false;
        try {
            ConfigOption.of(file).load(surroundings());
            surroundings().engine().check(file, surroundings().environment(), report -> {});
            accepted = true;
        } finally {
            if (!accepted) {
                Files.delete(file);
            }
        }
    }

    private NewConfiguration configuration() throws UsageException {
        Map<String, List<String>> named = new LinkedHashMap<>();
        for (String upstream : upstreams) {
            var parts = UPSTREAM.matcher(upstream);
            if (!parts.matches() || named.containsKey(parts.group(1))) {
                throw new UsageException("--upstream: " + upstream + " (expected: " + URLS + ", each name one time)");
            }
            List<String> urls = List.of(parts.group(2).split(",", -1));
            for (String url : urls) {
                require("--upstream", url, () -> EndpointConfig.parse(url));
            }
            named.put(parts.group(1), urls);
        }
        String address = listen == null ? "127.0.0.1:8080" : listen;
        require("--listen", address, () -> BindAddress.parse(address));
        require("--admin", admin, () -> BindAddress.parse(admin));
        String limit = rate;
        if (limit != null) {
            require("--rate-limit", limit, () -> Rate.parse(limit));
        }
        if (health != null && !health.startsWith("/")) {
            throw new UsageException("--health: " + health + " (expected: a path that begins with /)");
        }
        return new NewConfiguration(address, named, certificate(), limit, health, rollout, admin);
    }

    private NewConfiguration.@Nullable Certificate certificate() throws UsageException {
        if (tls == null) {
            return null;
        }
        String[] files = tls.split(",", -1);
        if (files.length != 2 || files[0].isEmpty() || files[1].isEmpty()) {
            throw new UsageException("--tls: " + tls + " (expected: CHAIN,KEY)");
        }
        // Paths on the command line are relative to the working directory. Paths in the file are relative to the
        // directory of the file.
        return new NewConfiguration.Certificate(seen(files[0]), seen(files[1]));
    }

    private String seen(String file) {
        return directory
                .toAbsolutePath()
                .normalize()
                .relativize(Path.of(file).toAbsolutePath().normalize())
                .toString();
    }

    private static void require(String option, String value, Runnable parse) throws UsageException {
        try {
            parse.run();
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + ": " + value + " (" + e.getMessage() + ")");
        }
    }

    // ---- questions

    private void ask() throws IOException, UsageException {
        BufferedReader answers =
                new BufferedReader(new InputStreamReader(surroundings().in(), StandardCharsets.UTF_8));
        String urls =
                answer(answers, "What are the URLs of the service, separated by commas?", "http://127.0.0.1:9000");
        String name = answer(answers, "What is the name of the service?", "service");
        upstreams.add(name + "=" + urls.replace(" ", ""));
        if (listen == null) {
            listen = answer(answers, "Which address do clients connect to?", "127.0.0.1:8080");
        }
        if (tls == null) {
            String chain = answer(answers, "Which file contains the certificate chain for TLS?", "");
            tls = chain.isEmpty() ? null : chain + "," + answer(answers, "Which file contains the key?", "");
        }
        if (rate == null) {
            String limit = answer(answers, "What is the rate limit of each client, such as 100/s?", "");
            rate = limit.isEmpty() ? null : limit;
        }
        if (health == null) {
            String path = answer(answers, "Which path do health checks request, such as /health?", "");
            health = path.isEmpty() ? null : path;
        }
        rollout |= answer(answers, "Do changes take effect gradually (yes or no)?", "no")
                .equals("yes");
    }

    /** Asks on standard error, because standard output contains only the result. */
    private String answer(BufferedReader answers, String question, String usual) throws IOException, UsageException {
        surroundings().err().print(question + (usual.isEmpty() ? " [none] " : " [" + usual + "] "));
        surroundings().err().flush();
        String line = answers.readLine();
        if (line == null) {
            throw new UsageException("an upstream is missing (expected: --upstream " + URLS + ")");
        }
        String given = line.strip();
        return given.isEmpty() ? usual : given;
    }
}
