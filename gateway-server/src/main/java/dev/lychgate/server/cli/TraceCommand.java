package dev.lychgate.server.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.recording.RecordingException;
import dev.lychgate.server.recording.RecordingJson;
import dev.lychgate.server.recording.RecordingWriter;
import dev.lychgate.server.terminal.ExchangeStory;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trace}: shows one exchange that a running gateway has recorded, or lists the latest recorded exchanges. */
@Command(
        name = "trace",
        description = "Prints the course of one exchange that a running gateway recorded because it failed, was slow,"
                + " or is in a recorded trace. Without an ID, lists the latest exchanges.",
        footer = {
            "  lychgate trace",
            "  lychgate trace --reason slow --limit 5",
            "  lychgate trace 0123456789abcdef",
            "  lychgate trace 0123456789abcdef --save failure.rec"
        })
final class TraceCommand extends AdminCommand {
    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "The id of the request or of the trace.")
    private @Nullable String id;

    @Option(
            names = "--reason",
            paramLabel = "failed|slow|sampled",
            description = "Lists only exchanges that were recorded for this reason.")
    private @Nullable String reason;

    @Option(
            names = "--route",
            paramLabel = "ID",
            description = "Lists only exchanges of this route; - = exchanges that matched no route.")
    private @Nullable String route;

    @Option(
            names = "--error",
            paramLabel = "ERROR",
            description = "Lists only exchanges with this error, such as connect-refused, or this status, such as 503.")
    private @Nullable String error;

    @Option(names = "--limit", paramLabel = "N", description = "The maximum number of listed exchanges; default 20.")
    private @Nullable Integer limit;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "Appends the whole exchange, as the gateway has recorded it, to the recording FILE.")
    private @Nullable Path save;

    TraceCommand() {
        super("GET", TraceCommand::list);
    }

    @Override
    String target() {
        if (id == null && save != null && spec != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "--save needs the ID of an exchange");
        }
        if (id == null) {
            int most = limit == null ? 20 : limit;
            return target("/exchanges", "limit", most, "reason", reason, "route", route, "error", error);
        }
        boolean list = reason != null || route != null || error != null || limit != null;
        if (list && spec != null) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "--reason, --route, --error and --limit select from the list, so they can't be combined with an ID");
        }
        return target(save == null ? "/exchanges/one" : "/exchanges/recording", "id", id);
    }

    @Override
    HttpResponse<String> ask(AdminClient client) throws Exception {
        HttpResponse<String> response = super.ask(client);
        if (save != null && response.statusCode() == OK) {
            try (RecordingWriter recording = RecordingWriter.open(save, null)) {
                // Decoded and encoded anew, because decoding validates the response.
                recording.add(
                        RecordingJson.line(RecordingJson.read(response.body().getBytes(US_ASCII))));
            } catch (IOException e) {
                throw new StartException(save + " can't be written: " + Printable.escaped(RecordingException.text(e)));
            }
        }
        return response;
    }

    @Override
    List<String> lines(JsonValue response) {
        if (save != null) {
            return List.of("saved in " + save);
        }
        int width = TerminalSize.columns(surroundings().environment());
        return id == null ? super.lines(response) : ExchangeStory.lines(response, width);
    }

    private static List<String> list(JsonValue response) {
        List<JsonValue> exchanges = response.list("exchanges");
        return exchanges.isEmpty()
                ? List.of("no exchanges are recorded")
                : exchanges.stream().map(ExchangeStory::line).toList();
    }
}
