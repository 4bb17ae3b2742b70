package dev.lychgate.server.cli;

import dev.lychgate.config.FiltersConfig;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.json.JsonObject;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code new filter}: writes a template of a filter, and its test. */
@Command(
        name = "new",
        description =
                "Writes a filter with settings, and its test, into the filter directory. Never overwrites a file.",
        footer = {
            "  lychgate new filter ApiKey",
            "  lychgate new filter Quota --phase inbound --form async",
            "  lychgate new filter Maintenance --phase endpoint --form class --directory my-filters"
        })
final class NewCommand extends SubCommand {
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]*");

    /** The kind of file to write. */
    @SuppressWarnings("unused") // picocli compares it
    enum Kind {
        filter
    }

    @Parameters(index = "0", paramLabel = "filter", description = "Writes a filter.")
    @SuppressWarnings("unused")
    private Kind kind = Kind.filter;

    @Parameters(
            index = "1",
            paramLabel = "NAME",
            description = "The name of the filter and of its file, such as ApiKey.")
    private String name = "";

    @Option(names = "--phase", paramLabel = "PHASE", description = "inbound (default), endpoint, outbound or error.")
    private NewFilter.Phase phase = NewFilter.Phase.INBOUND;

    @Option(
            names = "--form",
            paramLabel = "FORM",
            description = "filter (default), async, blocking, or class for a class with the settings in a record.")
    private NewFilter.Form form = NewFilter.Form.FILTER;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "The filter directory; default filters.directory of the configuration.")
    private @Nullable Path directory;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Override
    public Integer call() throws Exception {
        if (!NAME.matcher(name).matches() || name.endsWith("Test")) {
            throw new UsageException("the name of a filter: '" + name
                    + "' (expected: letters and digits that begin with a letter and do not end with Test)");
        }
        if (form == NewFilter.Form.CLASS && !Character.isUpperCase(name.charAt(0))) {
            throw new UsageException(
                    "the name of a class: '" + name + "' (expected: a name that begins with a capital letter)");
        }
        NewFilter filter = new NewFilter(name, phase, form);
        Path folder = root().resolve(phase.toString());
        Path file = folder.resolve(name + ".groovy");
        Path test = folder.resolve(name + "Test.groovy");
        for (Path each : new Path[] {file, test}) {
            if (Files.exists(each)) {
                throw new StartException("new: " + each + " already exists");
            }
        }
        try {
            Files.createDirectories(folder);
            // The test is written first, because a running gateway uses the filter as soon as its file exists.
            write(test, filter.test());
            write(file, filter.text());
        } catch (FileAlreadyExistsException e) {
            throw new StartException("new: " + e.getFile() + " already exists");
        } catch (IOException e) {
            throw new StartException("new: can't write " + file + ": " + e);
        }
        if (json.isGiven()) {
            print(new JsonObject().with("filter", file.toString()).with("test", test.toString()));
        } else {
            print(file.toString());
            print(test.toString());
        }
        return ExitCode.OK;
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private Path root() throws Exception {
        if (directory != null) {
            return directory;
        }
        FiltersConfig filters = config.or(outer()).load(surroundings()).config().filters();
        if (filters.directory() == null) {
            throw new UsageException("the configuration names no filter directory (expected: --directory DIR)");
        }
        return Path.of(filters.directory());
    }
}
