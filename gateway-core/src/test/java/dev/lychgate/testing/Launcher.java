package dev.lychgate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code bin/lychgate} with the packaged gateway, in a directory of the test. Used by tests of modules two levels below the root. */
public final class Launcher {
    /** The root of the repository. */
    public static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Path home;
    private final String heap;

    /** A command that has ended. @param output what it wrote to standard output and standard error */
    public record Ended(int code, String output) {}

    /**
     * @param home the working directory of all commands
     * @param heap the maximum size of the heap, such as {@code 128m}
     */
    public Launcher(Path home, String heap) {
        this.home = home;
        this.heap = heap;
    }

    /** Returns a command of the gateway that has not been started. */
    public ProcessBuilder command(String... words) {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("bin/lychgate").toString()));
        command.addAll(List.of(words));
        return prepared(command);
    }

    /** Returns any command in the directory and the environment of the gateway. */
    public ProcessBuilder prepared(List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(home.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LYCHGATE_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LYCHGATE_HEAP", heap);
        return builder;
    }

    /** Runs a command of the gateway to its end. */
    public Ended run(String... words) throws Exception {
        return run(command(words));
    }

    /** Runs a command to its end. */
    public Ended run(ProcessBuilder builder) throws Exception {
        Path out = Files.createTempFile(home, "out", ".txt");
        Process process = builder.redirectOutput(out.toFile()).start();
        try {
            assertThat(process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out));
    }

    /** Checks a configuration, which becomes the file {@code gateway.yml}. */
    public Ended check(String yaml) throws Exception {
        Files.writeString(home.resolve("gateway.yml"), yaml);
        return run("check", "--config", "gateway.yml");
    }

    /** Waits until a gateway that writes to {@code log} is ready. */
    public static void awaitReady(Path log) throws Exception {
        Eventually.eventually(LONGEST, () -> assertThat(Files.readString(log)).contains("ready after"));
    }

    /** Returns the port in a line of a gateway's log. @param event the text before the URL, such as {@code listening on} */
    public static int port(Path log, String event) throws Exception {
        Matcher port =
                Pattern.compile(event + " https?://127\\.0\\.0\\.1:(\\d+)").matcher(Files.readString(log));
        assertThat(port.find()).isTrue();
        return Integer.parseInt(port.group(1));
    }

    /** Ends a gateway in the ordinary way. */
    public static void end(Process gateway) throws InterruptedException {
        gateway.destroy();
        try {
            assertThat(gateway.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            gateway.destroyForcibly();
        }
    }
}
