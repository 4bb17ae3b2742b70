package dev.lychgate.testing;

import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The terminals of a reader who follows a page, with {@code lychgate} and other programs in the path. Ports and directories of the
 * pages are replaced by free ones.
 */
public final class ReaderShell implements AutoCloseable {
    private static final List<String> PORTS = List.of("8080", "8081", "8443", "9000", "9001", "2379", "2380");
    private static final Duration LONGEST = Duration.ofMinutes(2);
    /** The longest wait for the output that a page shows. */
    private static final Duration SHOWN_WITHIN = Duration.ofMinutes(1);

    /** Exit code and output of commands. */
    private record Result(int code, String out) {}

    private final Path home;
    private final Map<String, String> ports = new LinkedHashMap<>();
    private final Map<String, Process> terminals = new HashMap<>();

    private ReaderShell(Path home) {
        this.home = home;
    }

    /**
     * Opens the first terminal.
     *
     * @param home an empty directory
     * @param programs the scripts of programs, by their names
     * @param ports the ports of running servers, by the ports on the page
     */
    public static ReaderShell open(Path home, Map<String, String> programs, Map<String, String> ports)
            throws IOException {
        ReaderShell shell = new ReaderShell(home);
        for (String port : PORTS) {
            shell.ports.put(port, Integer.toString(UnusedPort.number()));
        }
        shell.ports.putAll(ports);
        for (Map.Entry<String, String> program : programs.entrySet()) {
            shell.install(program.getKey(), program.getValue());
        }
        Path work = Files.createDirectories(home.resolve("work"));
        Files.writeString(home.resolve("directory"), work.toString());
        return shell;
    }

    /** Does what a page describes, and requires the output that it shows. */
    public void follow(String page) throws Exception {
        for (PageStep step : PageStep.of(page)) {
            switch (step.kind()) {
                case FILE -> write(step.name(), step.text());
                case TERMINAL -> terminal(step.name(), step.text());
                case INTERRUPT -> interrupt(step.name());
                case COMMANDS -> {
                    if (step.output().isEmpty()) {
                        succeed(step.text());
                    } else {
                        eventually(SHOWN_WITHIN, () -> {
                            String out = succeed(step.text());
                            for (String line : step.output()) {
                                assertThat(out).as(step.text()).containsPattern(pattern(line));
                            }
                        });
                    }
                }
            }
        }
    }

    private String succeed(String commands) throws Exception {
        Result result = run(commands);
        assertThat(result.code()).as(commands + result.out()).isZero();
        return result.out();
    }

    private void install(String name, String script) throws IOException {
        Path file = Files.createDirectories(home.resolve("bin")).resolve(name);
        Files.writeString(file, onThisMachine(script));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String onThisMachine(String text) {
        String result = text.replace("/opt/lychgate", home.toString()).replace("/etc/lychgate", home + "/work");
        for (Map.Entry<String, String> port : ports.entrySet()) {
            result = result.replaceAll("\\b" + port.getKey() + "\\b", port.getValue());
        }
        return result;
    }

    /** Returns the directory of the first terminal. */
    private Path directory() throws IOException {
        return Path.of(Files.readString(home.resolve("directory")).strip());
    }

    private ProcessBuilder shell(String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", onThisMachine(script))
                .directory(directory().toFile())
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("LYCHGATE_") || name.startsWith("GIT_"));
        environment.put("PATH", home.resolve("bin") + File.pathSeparator + environment.get("PATH"));
        environment.put("HOME", home.toString());
        return builder;
    }

    /** Returns whether the path has a program. */
    public static boolean has(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }

    private void write(String name, String text) throws IOException {
        Path file = directory().resolve(onThisMachine(name));
        Files.createDirectories(requireNonNull(file.getParent()));
        Files.writeString(file, onThisMachine(text));
    }

    /** Runs commands in the first terminal, which stays in the directory to which they change. */
    private Result run(String commands) throws Exception {
        Path out = Files.createTempFile(home, "out", ".txt");
        Process process = shell("set -e\n" + commands + "\npwd > '" + home.resolve("directory") + "'\n")
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS))
                    .as("%s ends", commands)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out));
    }

    /** Runs a command in a separate terminal, and waits until it accepts connections or is ready. */
    private void terminal(String name, String command) throws Exception {
        Path out = home.resolve(name + ".txt");
        Process process = shell("exec " + command).redirectOutput(out.toFile()).start();
        terminals.put(name, process);
        eventually(LONGEST, () -> {
            String log = Files.readString(out);
            assertThat(process.isAlive()).as(log).isTrue();
            assertThat(log).containsPattern("ready after|origin on http|ready to serve client requests");
        });
    }

    /** Ends the command of a terminal, and expects an orderly end. */
    private void interrupt(String name) throws Exception {
        Process process = terminals.remove(name);
        assertThat(process).as(name).isNotNull();
        // The JVM ignores SIGINT in the background of a shell.
        process.destroy();
        assertThat(process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(name).isIn(0, 143);
    }

    /** Returns the pattern of a line of output, in which {@code ...} is any text. */
    private Pattern pattern(String line) {
        return Pattern.compile(Arrays.stream(onThisMachine(line).split("\\.\\.\\.", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining(".*")));
    }

    @Override
    public void close() throws IOException {
        for (Process process : terminals.values()) {
            process.destroyForcibly().onExit().join();
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".pid")).toList()) {
                ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }
}
