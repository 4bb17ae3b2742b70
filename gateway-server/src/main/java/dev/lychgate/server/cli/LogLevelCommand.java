package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.ChangeText;
import dev.lychgate.server.terminal.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code log-level}: has a running gateway say more, or less. */
@Command(
        name = "log-level",
        description = "Gives a logger of a running gateway another level, until it ends or for a while.",
        footer = {"  lychgate log-level root debug --for 10m", "  lychgate log-level dev.lychgate.exchange inherit"})
final class LogLevelCommand extends AdminCommand {
    @Parameters(index = "0", paramLabel = "LOGGER", description = "Its name, such as dev.lychgate.exchange, or root.")
    private String logger = "";

    @Parameters(
            index = "1",
            paramLabel = "LEVEL",
            description = "off, error, warn, info, debug or trace; inherit takes its level away.")
    private String level = "";

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "How long, such as 10m; default until the gateway ends.")
    private @Nullable String time;

    LogLevelCommand(Surroundings surroundings, ConfigOption outer) {
        super(surroundings, outer);
    }

    @Override
    String target() {
        return "/log?logger=" + encoded(logger) + "&level=" + encoded(level)
                + (time == null ? "" : "&for=" + encoded(time));
    }

    @Override
    List<String> lines(Surroundings around, JsonValue response) {
        return ChangeText.loggers(response);
    }
}
