package dev.lychgate.server.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Durations;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.extension.FilterDialect;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.testing.DialectTests;
import dev.lychgate.filters.testing.FilterTests;
import dev.lychgate.filters.testing.RepeatedTests;
import dev.lychgate.filters.testing.TestReport;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.extensions.Dialects;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.FaultyConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code test}: runs the tests that accompany filters. */
@Command(
        name = "test",
        description = "Compiles a directory of filters, and runs its tests, which are all files *Test.groovy.",
        footer = {
            "  lychgate test config/filters",
            "  lychgate test --timeout 2m --log config/filters",
            "  lychgate test --watch --filter ApiKey config/filters"
        })
final class TestCommand extends SubCommand {
    @Parameters(
            paramLabel = "DIR",
            description = "The directory that holds inbound, endpoint, outbound, error and lib.")
    private Path directory = Path.of("");

    @Option(names = "--log", description = "Also writes the log of filters and the gateway to standard error.")
    private boolean log;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = Limit.class,
            description = "The time limit of each test, such as 5s or 2m; default 30s.")
    private Duration limit = FilterTests.DEFAULT_LIMIT;

    @Option(
            names = "--filter",
            paramLabel = "NAME",
            description = "Runs only the tests of NAME.groovy; may be given several times.")
    private Set<String> filters = Set.of();

    @Option(
            names = "--watch",
            description = "After each change, reruns the tests that the change affects, until Ctrl-C.")
    private boolean watch;

    @Option(
            names = "--libraries",
            paramLabel = "DIR",
            description =
                    "A directory of jars; default filters.libraries of the configuration, if filters.directory is DIR.")
    private @Nullable Path libraries;

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        if (!Files.isDirectory(directory)) {
            throw new UsageException(directory + " is not a directory");
        }
        // Tests make filters fail on purpose, and each failure would be logged.
        Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate");
        @Nullable Level before = logger.getLevel();
        if (!log) {
            logger.setLevel(Level.OFF);
        }
        try {
            Configured configured = configured();
            RepeatedTests tests =
                    DialectTests.in(directory, configured.libraries(), filters, limit, configured.dialect());
            int code = run(tests, true);
            while (watch) {
                tests.awaitChange();
                code = run(tests, false);
            }
            return code;
        } catch (IOException e) {
            throw new StartException("test: can't read " + directory + ": " + e);
        } finally {
            logger.setLevel(before);
        }
    }

    /**
     * The settings of the directory.
     *
     * @param libraries a directory of jars; null for none
     * @param dialect the dialect that filter files may use; null for none
     */
    private record Configured(
            @Nullable Path libraries, @Nullable FilterDialect dialect) {}

    /** Returns the settings from the command options and from the configuration of the directory. */
    private Configured configured() throws FaultyConfigException, IOException, StartException {
        ConfigOption given = config.or(outer());
        Path file = given.file(surroundings());
        if (!(given.isGiven() || Files.exists(file))) {
            return new Configured(libraries, null);
        }
        GatewayConfig read;
        try {
            read = new ConfigReader(surroundings().environment()).read(file).config();
        } catch (FaultyConfigException e) {
            if (given.isGiven()) {
                throw e;
            }
            surroundings()
                    .err()
                    .println("test: " + file + " has errors, so its filters.libraries and its extensions are not used");
            surroundings().err().flush();
            return new Configured(libraries, null);
        }
        String configured = read.filters().directory();
        boolean ofThese = configured != null
                && Files.isDirectory(Path.of(configured))
                && Files.isSameFile(Path.of(configured), directory);
        if (!ofThese) {
            return new Configured(libraries, null);
        }
        String jars = read.filters().libraries();
        try {
            return new Configured(
                    libraries == null && jars != null ? Path.of(jars) : libraries, Dialects.of(read.extensions()));
        } catch (ConfigException e) {
            throw new StartException("test: " + file + ": " + e.getMessage());
        }
    }

    /**
     * Runs the tests and prints their report.
     *
     * @param first whether this is the first run, in which a missing test or an unreadable directory ends the command
     */
    private int run(RepeatedTests tests, boolean first) throws IOException, InterruptedException, StartException {
        try {
            TestReport report = tests.run();
            if (first && report.files().isEmpty()) {
                throw new StartException("test: no tests in " + directory + ": no file "
                        + (filters.isEmpty() ? "*" : String.join(" or ", filters)) + "Test.groovy");
            }
            if (json.isGiven()) {
                print(json(report));
            } else {
                report.print(surroundings().out());
            }
            return report.isPassed() ? ExitCode.OK : ExitCode.FAILED;
        } catch (FilterFaultsException e) {
            return print(e);
        } catch (IOException e) {
            if (first) {
                throw e;
            }
            surroundings().err().println("test: can't read " + directory + ": " + e);
            surroundings().err().flush();
            return ExitCode.FAILED;
        }
    }

    private int print(FilterFaultsException e) {
        e.faults().forEach(fault -> surroundings().err().println(directory.resolve(fault.toString())));
        surroundings().err().flush();
        return ExitCode.CONFIGURATION;
    }

    private static JsonObject json(TestReport report) {
        return new JsonObject()
                .with("tests", report.tests())
                .with("failures", report.failures())
                .with("files", report.files().stream().map(TestCommand::json).toList());
    }

    private static JsonObject json(TestReport.TestedFile file) {
        return new JsonObject()
                .with("file", file.path())
                .with(
                        "outcomes",
                        file.outcomes().stream()
                                .map(outcome -> new JsonObject()
                                        .with("test", outcome.test())
                                        .with("passed", outcome.isPassed())
                                        .with("failure", outcome.failure()))
                                .toList());
    }

    private static final class Limit implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                Duration limit = Durations.parse(text);
                if (limit.compareTo(Duration.ZERO) > 0) {
                    return limit;
                }
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("'" + text + "' (expected: " + e.getMessage() + ")");
            }
            throw new TypeConversionException("'" + text + "' (expected: > 0)");
        }
    }
}
