package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.migrate.FilterReport;
import dev.lychgate.server.migrate.Finding;
import dev.lychgate.server.migrate.MigrationReport;
import dev.lychgate.server.migrate.Verdict;
import dev.lychgate.server.migrate.ZuulMigration;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code migrate zuul}: reports the changes and settings that filters of Zuul 1 need, and derives a configuration from
 * the properties of their application.
 */
@Command(
        name = "migrate",
        description =
                "Reports what filters of Zuul 1 need in this gateway, and derives a configuration from properties."
                        + " Runs no filter and changes no file.",
        footer = {"  lychgate migrate zuul src/main", "  lychgate migrate zuul src/main --output gateway.yml"})
final class MigrateCommand extends SubCommand {
    /** The gateway that the files were written for. */
    @SuppressWarnings("unused") // picocli compares it
    enum Source {
        zuul
    }

    @Parameters(index = "0", paramLabel = "zuul", description = "Examines filters and properties of Zuul 1.")
    @SuppressWarnings("unused")
    private Source source = Source.zuul;

    @Parameters(index = "1", paramLabel = "DIR", description = "The directory with the filters and the properties.")
    private Path directory = Path.of("");

    @Option(names = "--output", paramLabel = "FILE", description = "Writes the configuration to a new file.")
    private @Nullable Path output;

    @Mixin
    private final JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        if (!Files.isDirectory(directory)) {
            throw new UsageException("the directory: '" + directory + "' (expected: a directory)");
        }
        MigrationReport report;
        try {
            report = ZuulMigration.examine(directory);
        } catch (IOException e) {
            throw new StartException("migrate: can't read " + directory + ": " + e.getMessage());
        }
        if (output != null) {
            write(output, report.configuration());
        }
        if (json.isGiven()) {
            print(json(report));
        } else {
            print(report);
        }
        return ExitCode.OK;
    }

    private static void write(Path file, String text) throws StartException {
        try {
            Files.writeString(file, text, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new StartException("migrate: " + file + " already exists");
        } catch (IOException e) {
            throw new StartException("migrate: can't write " + file + ": " + e);
        }
    }

    private void print(MigrationReport report) {
        for (FilterReport filter : report.filters()) {
            List<String> facts = new ArrayList<>(List.of(filter.name()));
            if (filter.type() != null) {
                facts.add(filter.type());
            }
            if (filter.order() != null) {
                facts.add("order " + filter.order());
            }
            print(filter.path() + ": " + filter.verdict().text() + " (" + String.join(", ", facts) + ")");
            filter.findings().forEach(finding -> print("  " + finding));
        }
        List<String> counts = new ArrayList<>();
        report.counts().forEach((verdict, count) -> counts.add(verdict.text() + ": " + count));
        print(report.filters().size() + " filters; " + String.join(", ", counts));
        if (output == null) {
            print("");
            print("configuration:");
            report.configuration().lines().forEach(this::print);
        }
        if (!report.notUnderstood().isEmpty()) {
            print("");
            print("not understood:");
            report.notUnderstood().forEach(note -> print("  " + note));
        }
    }

    private static JsonObject json(MigrationReport report) {
        JsonObject counts = new JsonObject();
        report.counts().forEach((verdict, count) -> counts.with(word(verdict), count));
        return new JsonObject()
                .with(
                        "filters",
                        report.filters().stream().map(MigrateCommand::json).toList())
                .with("counts", counts)
                .with("configuration", report.configuration())
                .with("notUnderstood", report.notUnderstood());
    }

    private static JsonObject json(FilterReport filter) {
        return new JsonObject()
                .with("file", filter.path())
                .with("name", filter.name())
                .with("type", filter.type())
                .with("order", filter.order())
                .with("verdict", word(filter.verdict()))
                .with(
                        "findings",
                        filter.findings().stream().map(MigrateCommand::json).toList());
    }

    private static JsonObject json(Finding finding) {
        return new JsonObject()
                .with("line", finding.line())
                .with("column", finding.column())
                .with("verdict", word(finding.verdict()))
                .with("subject", finding.subject())
                .with("action", finding.action());
    }

    private static String word(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
