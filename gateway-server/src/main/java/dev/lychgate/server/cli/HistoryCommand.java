package dev.lychgate.server.cli;

import dev.lychgate.config.Quantity;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.Verification;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.HistoryText;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code history}: prints the history of changes, or verifies its chain of digests. */
@Command(
        name = "history",
        description = {
            "Prints the changes of a gateway, the newest first.",
            "With verify, checks that no line of the file was changed, removed or inserted. Needs no gateway."
        },
        footer = {
            "  lychgate history --limit 5",
            "  lychgate history --action reload --operator alice --json",
            "  lychgate history --offline --config config/gateway.yml",
            "  lychgate history verify --config config/gateway.yml",
            "",
            "Exit codes of verify: 0 the chain is whole, 1 it is broken, 2 there is no result."
        })
final class HistoryCommand extends AdminCommand {
    private static final String VERIFY = "verify";
    private static final int DEFAULT_LIMIT = 50;

    @Parameters(index = "0", arity = "0..1", paramLabel = "verify", description = "Checks the chain of digests.")
    private @Nullable String action;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "With verify: the newest file of the history; default the file of the configuration.")
    private @Nullable Path file;

    @Option(names = "--limit", paramLabel = "N", description = "The maximum number of entries, 1 to 1000; default 50.")
    private @Nullable Integer limit;

    @Option(names = "--before", paramLabel = "ENTRY", description = "Prints only entries with smaller numbers.")
    private @Nullable Long before;

    @Option(
            names = "--action",
            paramLabel = "NAME",
            description = "Prints only entries of this action, such as reload.")
    private @Nullable String only;

    @Option(names = "--operator", paramLabel = "NAME", description = "Prints only changes of this operator.")
    private @Nullable String operator;

    @Option(names = "--offline", description = "Reads the history file instead of sending a request to a gateway.")
    private boolean offline;

    @Option(
            names = "--contains",
            paramLabel = "HASH",
            description = "With verify: an earlier digest. A line of the file must have this digest.")
    private @Nullable String contains;

    HistoryCommand() {
        super("GET", HistoryText::lines);
    }

    @Override
    String target() {
        return target("/history", "before", before, "limit", limit, "action", only, "operator", operator);
    }

    @Override
    public Integer call() throws Exception {
        if (action != null && !action.equals(VERIFY)) {
            throw new UsageException("history " + Printable.escaped(action) + " (expected: verify, or no argument)");
        }
        if (action != null) {
            return verify(file == null ? HistoryPlace.of(configFile(), surroundings()) : file);
        }
        if (contains != null) {
            throw new UsageException("--contains is an option of history verify");
        }
        return offline ? read() : super.call();
    }

    private int read() throws StartException, UsageException, IOException {
        int most = limit == null ? DEFAULT_LIMIT : limit;
        if (most < 1 || most > 1000) {
            throw new UsageException("--limit: " + most + " (expected: 1 to 1000)");
        }
        Path from = HistoryPlace.of(configFile(), surroundings());
        List<Entry> entries;
        try {
            entries = ChangeHistory.read(
                    from, new ChangeHistory.Query(before == null ? Long.MAX_VALUE : before, most, only, operator));
        } catch (IOException e) {
            throw new StartException(Printable.escaped(from + ": " + e.getMessage()));
        }
        String page = new String(JsonText.bytes(Entry.PAGE, entries), StandardCharsets.US_ASCII);
        if (isJson()) {
            print(page.strip());
        } else {
            lines(JsonValue.of(page)).forEach(this::print);
        }
        return ExitCode.OK;
    }

    private int verify(Path newest) throws StartException {
        Verification result;
        try {
            result = Verification.of(newest, contains);
        } catch (NoSuchFileException e) {
            throw new StartException(newest + " does not exist", ExitCode.NO_RESULT);
        } catch (IOException e) {
            throw new StartException(newest + " can't be read: " + e.getMessage(), ExitCode.NO_RESULT);
        }
        result.faults().forEach(fault -> surroundings().err().println(Printable.escaped(fault)));
        result.notes().forEach(note -> print(Printable.escaped("note: " + note)));
        print((result.faults().isEmpty() ? "whole: " : "broken: ")
                + Quantity.of(result.entries(), "entry")
                + (result.entries() == 0
                        ? ""
                        : ", " + result.first() + " to " + result.last() + ", the last with digest " + result.head()));
        return result.faults().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }
}
