package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.ClientsText;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bans}: lists, sets and ends bans of clients. */
@Command(
        name = "bans",
        description = {
            "Lists, sets or ends bans of clients on a running gateway.",
            "list shows the banned clients, and requires the role recorder. add bans a client for a limited time."
                    + " end ends a ban before it expires."
        },
        footer = {
            "  lychgate bans",
            "  lychgate bans add 203.0.113.7 --for 1h --reason scans",
            "  lychgate bans end 203.0.113.7"
        })
final class BansCommand extends AdminCommand {
    private static final String LIST = "list";
    private static final String ADD = "add";
    private static final String END = "end";

    @Parameters(index = "0", arity = "0..1", paramLabel = "ACTION", description = "list, add or end; default list.")
    private String action = LIST;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ADDRESS",
            description = "The address of the client. For an IPv6 address, the whole network of the client is banned.")
    private @Nullable String address;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "With add: the duration of the ban, such as 10m; at most 720h.")
    private @Nullable String time;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "With add: the reason, for the log and other operators.")
    private @Nullable String reason;

    BansCommand() {
        super("POST", ClientsText::bans);
    }

    @Override
    String method() {
        return action.equals(LIST) ? "GET" : super.method();
    }

    @Override
    String target() throws UsageException {
        if (!List.of(LIST, ADD, END).contains(action)) {
            throw new UsageException("bans " + action + " (expected: list, add or end)");
        }
        boolean adds = action.equals(ADD);
        if (action.equals(LIST) != (address == null)) {
            throw new UsageException("bans " + action + " (expected: " + (address == null ? "an" : "no") + " address)");
        }
        if (adds && (time == null || reason == null)) {
            throw new UsageException("bans add (expected: --for and --reason)");
        }
        if (!adds && (time != null || reason != null)) {
            throw new UsageException("bans " + action + " (expected: neither --for nor --reason)");
        }
        return switch (action) {
            case LIST -> "/bans";
            case END -> target("/bans/end", "address", address);
            default -> target("/bans", "address", address, "for", time, "reason", reason);
        };
    }
}
