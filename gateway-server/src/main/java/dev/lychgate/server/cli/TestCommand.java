package dev.lychgate.server.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.lychgate.config.Durations;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.testing.FilterTests;
import dev.lychgate.filters.testing.TestReport;
import dev.lychgate.server.engine.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code test}: runs the tests that stand beside filters. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Compiles a directory of filters and runs the tests in it, all files *Test.groovy.")
final class TestCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            paramLabel = "DIR",
            description = "The directory that holds inbound, endpoint, outbound, error and lib.")
    private Path directory = Path.of("");

    @Option(names = "--log", description = "Writes what filters and the gateway log to standard error, too.")
    private boolean log;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = Limit.class,
            description = "How long each test may take until it is given up, such as 5s or 2m; default 30s.")
    private Duration limit = FilterTests.DEFAULT_LIMIT;

    TestCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws Exception {
        if (!Files.isDirectory(directory)) {
            throw new StartException("test: " + directory + " is no directory");
        }
        // Tests make filters fail on purpose, which is logged at length.
        Logger logger = (Logger) LoggerFactory.getLogger("dev.lychgate");
        @Nullable Level before = logger.getLevel();
        if (!log) {
            logger.setLevel(Level.OFF);
        }
        try {
            TestReport report = FilterTests.run(directory, limit);
            if (report.files().isEmpty()) {
                throw new StartException("test: there are no tests in " + directory + ": no file *Test.groovy");
            }
            report.print(surroundings.out());
            return report.isPassed() ? 0 : 1;
        } catch (FilterFaultsException e) {
            e.faults().forEach(fault -> surroundings.err().println(directory.resolve(fault.toString())));
            return 1;
        } catch (IOException e) {
            throw new StartException("test: can't read " + directory + ": " + e);
        } finally {
            logger.setLevel(before);
        }
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
