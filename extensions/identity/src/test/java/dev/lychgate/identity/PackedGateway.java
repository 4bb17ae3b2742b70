package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A gateway that {@code bin/lychgate} has started, with the packed extension. Its directory has its configuration and its log. */
final class PackedGateway implements AutoCloseable {
    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final String LAUNCHER = ROOT.resolve("bin/lychgate").toString();
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Path log;
    private final Process process;

    private PackedGateway(Path log, Process process) {
        this.log = log;
        this.process = process;
    }

    /** Starts a gateway and waits until it is ready. */
    static PackedGateway start(Path home, String config) throws Exception {
        Path file = Files.writeString(home.resolve("gateway.yml"), config);
        Path log = home.resolve("log");
        Process process = command(home, List.of(LAUNCHER, "run", "--config", file.toString()))
                .redirectOutput(log.toFile())
                .start();
        PackedGateway gateway = new PackedGateway(log, process);
        try {
            Eventually.eventually(LONGEST, () -> assertThat(gateway.log()).contains("ready after"));
            return gateway;
        } catch (Exception | AssertionError e) {
            gateway.close();
            throw e;
        }
    }

    private static ProcessBuilder command(Path home, List<String> words) {
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(home.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LYCHGATE_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LYCHGATE_HEAP", "96m");
        return builder;
    }

    /** Runs {@code lychgate} to its end. @return the output of both streams */
    static String lychgate(Path home, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(LAUNCHER));
        all.addAll(List.of(words));
        return run(home, all);
    }

    /** Runs a line of a page in a shell, in which {@code bin/lychgate} is the launcher. @return the output of both streams */
    static String shell(Path home, String line) throws Exception {
        return run(home, List.of("bash", "-c", "set -e\n" + line.replace("bin/lychgate", LAUNCHER)));
    }

    private static String run(Path home, List<String> words) throws Exception {
        Path out = Files.createTempFile(home, "out", ".txt");
        Process process = command(home, words).redirectOutput(out.toFile()).start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            return Files.readString(out);
        } finally {
            process.destroyForcibly();
            Files.delete(out);
        }
    }

    String log() throws Exception {
        return Files.readString(log);
    }

    InetSocketAddress address() throws Exception {
        Matcher port =
                Pattern.compile("listening on https?://127\\.0\\.0\\.1:(\\d+)").matcher(log());
        assertThat(port.find()).isTrue();
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)));
    }

    /** Sends a request with some header fields. @param fields lines without their ends */
    RawMessage get(String target, String... fields) throws Exception {
        try (RawClient client = RawClient.connect(address())) {
            return client.send(request(target, fields)).readResponse();
        }
    }

    static String request(String target, String... fields) {
        StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: lychgate.test\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        return request.append("\r\n").toString();
    }

    /** Asserts a condition as soon as it holds, within the time of a reload. */
    static void eventually(Eventually.Assertion assertion) throws Exception {
        Eventually.eventually(LONGEST, assertion);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (process.waitFor(30, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
