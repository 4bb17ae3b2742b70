package dev.lychgate.server.cli;

import dev.lychgate.config.ConfigException;
import dev.lychgate.server.bench.Measured;
import dev.lychgate.server.bench.OpenLoop;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.tls.JdkClientTls;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bench}: measures latencies at a constant rate of requests. */
@Command(
        name = "bench",
        description =
                "Sends GET requests to a URL at a constant rate and prints percentiles of the latency. The latency"
                        + " begins when a request is due, so a slow service does not hide its delays. The exit code is 1 if a"
                        + " request failed.",
        footer = {
            "  lychgate bench http://127.0.0.1:8080/users --rate 1000 --seconds 30",
            "  lychgate bench http://127.0.0.1:8080/users --compare http://127.0.0.1:9000/users",
            "  lychgate bench https://127.0.0.1:8443/users --http2 --cacert ca.pem --json"
        })
final class BenchCommand extends SubCommand {
    /**
     * The number of rounds of a comparison. Each round measures both URLs in turn, so that slow changes of the machine
     * affect the results of both URLs.
     */
    private static final int ROUNDS = 5;

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    @Parameters(index = "0", paramLabel = "URL", description = "The URL of the requests.")
    private String url = "";

    @Option(
            names = "--compare",
            paramLabel = "URL",
            description = "A second URL, which is measured in turns with the first.")
    private @Nullable String other;

    @Option(names = "--rate", paramLabel = "N", description = "Requests per second. Default: ${DEFAULT-VALUE}.")
    private int rate = 100;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "The length of the measurement. Default:" + " ${DEFAULT-VALUE}.")
    private int seconds = 10;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            description = "The seconds before the measurement in which requests are sent and not counted. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int warmup = 3;

    @Option(
            names = "--timeout",
            paramLabel = "N",
            description = "The seconds after which a request has failed. Default:" + " ${DEFAULT-VALUE}.")
    private int timeout = 10;

    @Option(names = "--http2", description = "Sends the requests over HTTP/2.")
    private boolean http2;

    @Option(names = "--cacert", paramLabel = "FILE", description = "The certificates that the client trusts, in PEM.")
    private @Nullable String authority;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        require("--rate", rate, 1, 20_000);
        require("--seconds", seconds, 1, 86_400);
        require("--warmup", warmup, 0, 3_600);
        require("--timeout", timeout, 1, 3_600);
        List<URI> urls = new ArrayList<>(List.of(url("URL", url)));
        if (other != null) {
            urls.add(url("--compare", other));
        }
        List<Measured> results = measure(urls, new OpenLoop(Duration.ofSeconds(timeout), http2, trust()));
        if (json.isGiven()) {
            print(new JsonObject().with("rate", rate).with("seconds", seconds).with("results", json(urls, results)));
        } else {
            report(urls, results);
        }
        return results.stream().allMatch(each -> each.failures().isEmpty()) ? ExitCode.OK : ExitCode.FAILED;
    }

    private static void require(String option, int value, int least, int most) throws UsageException {
        if (value < least || value > most) {
            throw new UsageException(option + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    private static URI url(String name, String text) throws UsageException {
        try {
            URI parsed = URI.create(text);
            if (List.of("http", "https").contains(String.valueOf(parsed.getScheme())) && parsed.getHost() != null) {
                return parsed;
            }
        } catch (IllegalArgumentException e) {
            // The message below names the value.
        }
        throw new UsageException(name + ": " + text + " (expected: a URL that begins with http:// or https://)");
    }

    private @Nullable SSLContext trust() throws UsageException {
        try {
            return authority == null ? null : JdkClientTls.of(authority, null);
        } catch (ConfigException e) {
            throw new UsageException("--cacert: " + e.value() + " (expected: " + e.expected() + ")");
        }
    }

    private List<Measured> measure(List<URI> urls, OpenLoop loop) throws InterruptedException {
        List<Measured> results = new ArrayList<>();
        for (URI each : urls) {
            if (warmup > 0) {
                loop.measure(each, rate, Duration.ofSeconds(warmup));
            }
            results.add(new Measured());
        }
        int rounds = urls.size() == 1 ? 1 : ROUNDS;
        Duration length = Duration.ofSeconds(seconds).dividedBy(rounds);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < urls.size(); i++) {
                results.get(i).add(loop.measure(urls.get(i), rate, length));
            }
        }
        return results;
    }

    private void report(List<URI> urls, List<Measured> results) {
        for (int i = 0; i < urls.size(); i++) {
            Measured result = results.get(i);
            print("%s: %d responses at %d requests/s".formatted(urls.get(i), result.responses(), rate));
            StringBuilder line = new StringBuilder();
            for (double percent : PERCENTILES) {
                line.append("  ").append(label(percent)).append(' ').append(millis(result.percentile(percent)));
            }
            print(line + "  longest " + millis(result.longest()));
            if (!result.failures().isEmpty()) {
                print("  failed: "
                        + result.failures().entrySet().stream()
                                .map(each -> each.getValue() + " " + each.getKey())
                                .collect(Collectors.joining(", ")));
            }
        }
        if (results.size() > 1) {
            StringBuilder line = new StringBuilder("added by the first URL:");
            for (double percent : PERCENTILES) {
                line.append("  ")
                        .append(label(percent))
                        .append(' ')
                        .append(millis(results.get(0)
                                .percentile(percent)
                                .minus(results.get(1).percentile(percent))));
            }
            print(line.toString());
        }
    }

    /** Returns the label of a percentile, such as {@code p99.9}. */
    private static String label(double percent) {
        return percent == Math.rint(percent) ? "p" + (int) percent : "p" + percent;
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.2fms", time.toNanos() / 1e6);
    }

    private static List<JsonObject> json(List<URI> urls, List<Measured> results) {
        List<JsonObject> all = new ArrayList<>();
        for (int i = 0; i < urls.size(); i++) {
            Measured result = results.get(i);
            JsonObject failures = new JsonObject();
            result.failures().forEach(failures::with);
            JsonObject one = new JsonObject()
                    .with("url", urls.get(i).toString())
                    .with("responses", result.responses())
                    .with("failures", failures);
            for (double percent : PERCENTILES) {
                one.with(
                        label(percent).replace('.', '_') + "_micros",
                        result.percentile(percent).toNanos() / 1000);
            }
            all.add(one.with("longest_micros", result.longest().toNanos() / 1000));
        }
        return all;
    }
}
