package dev.lychgate.server;

import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code lychgate run} in a separate process, with the classes of this test run. Its log is a file. */
final class ChildGateway implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Pattern LISTENING = Pattern.compile("listening on http://127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern ADMIN = Pattern.compile("admin listener on http://127\\.0\\.0\\.1:(\\d+)");

    /** Signals that the process of the tests ignores, for example because of nohup, are not ignored here. */
    private static final String HEED_SIGNALS =
            "env --default-signal=HUP true 2>/dev/null && set -- env --default-signal=HUP \"$@\"; ";

    private final Process process;
    private final Path log;

    private ChildGateway(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** @param before commands of the shell that becomes the process, such as {@code ulimit -n 256;} */
    static ChildGateway launch(Path config, String before) throws IOException {
        Path log = config.resolveSibling("log");
        return new ChildGateway(
                command(before, "run", "--config", config.toString())
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    /**
     * A command in a separate process, with standard error in its output.
     *
     * @param before as above
     */
    static ProcessBuilder command(String before, String... words) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", before + HEED_SIGNALS + "exec \"$@\"", "sh", java));
        command.addAll(List.of(
                "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dio.netty.leakDetection.level=disabled"));
        // The tests' own configuration of Logback, which is on the class path, is silent below WARN.
        String classes = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(each -> !each.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        command.addAll(List.of("-cp", classes, Main.class.getName()));
        command.addAll(List.of(words));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    /** Starts a gateway and waits until it is ready. After that, its log is a pipe that is not read. */
    static ChildGateway startUnread(Path config) throws Exception {
        Path log = config.resolveSibling("log");
        ChildGateway child = new ChildGateway(
                command("", "run", "--config", config.toString()).start(), log);
        StringBuilder lines = new StringBuilder();
        BufferedReader output = child.process.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.append(line).append('\n');
            if (line.contains("ready after")) {
                break;
            }
        }
        Files.writeString(log, lines);
        return child;
    }

    /** Reads the rest of a log that was not read, to the end of the process. */
    String readRest() throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Starts a gateway and waits until it is ready. */
    static ChildGateway start(Path config) throws Exception {
        ChildGateway child = launch(config, "");
        child.awaitLine("ready after");
        return child;
    }

    String log() throws IOException {
        return Files.exists(log) ? Files.readString(log) : "";
    }

    void awaitLine(String part) throws Exception {
        Eventually.eventually(LONGEST, () -> {
            if (!log().contains(part)) {
                throw new AssertionError("no line with '" + part + "' in " + log());
            }
        });
    }

    private int port(Pattern line) throws IOException {
        Matcher found = line.matcher(log());
        if (!found.find()) {
            throw new AssertionError("no " + line + " in " + log());
        }
        return Integer.parseInt(found.group(1));
    }

    /** Opens a connection to its listener. */
    RawClient client() throws IOException {
        return connect(port(LISTENING)).within(LONGEST);
    }

    /** Opens a connection to its admin listener. */
    RawClient admin() throws IOException {
        return connect(port(ADMIN)).within(LONGEST);
    }

    private static RawClient connect(int port) throws IOException {
        return RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** @param name of a signal, without SIG */
    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** Returns the exit code after it ended by itself. */
    int exitCode() throws Exception {
        if (!process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("it has not ended: " + log());
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
