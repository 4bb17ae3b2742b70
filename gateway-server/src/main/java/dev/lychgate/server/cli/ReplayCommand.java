package dev.lychgate.server.cli;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Quantity;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.RecordingException;
import dev.lychgate.server.recording.RecordingJson;
import dev.lychgate.server.recording.RecordingKey;
import dev.lychgate.server.recording.RecordingReader;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.RefusedException;
import dev.lychgate.server.replay.Replay;
import dev.lychgate.server.replay.ReplayResult;
import dev.lychgate.server.replay.ReplayText;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay}: runs recorded exchanges through the filters of a configuration, without sockets. */
@Command(
        name = "replay",
        description =
                "Runs recorded exchanges through the filters of a configuration, without sockets, and compares the"
                        + " results.",
        footer = {
            "  lychgate replay traffic.rec --id 4f0c2a9b7d3e51860000002a",
            "  lychgate replay 4f0c2a9b7d3e51860000002a --from 10.0.0.7:8081",
            "  lychgate replay traffic.rec --config gateway.yml --diff",
            "  lychgate replay traffic.rec --generation 17",
            "  lychgate replay traffic.rec --key record.key -H x-api-key:test",
            "",
            "Exit codes: 0 all as recorded, 1 differences, 2 there is no result, 78 unusable configuration."
        })
final class ReplayCommand extends SubCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Parameters(paramLabel = "FILE|ID", description = "The recording; with --from, the request id of an exchange.")
    private String given = "";

    @Option(
            names = "--from",
            paramLabel = "[https://]HOST:PORT",
            description = "The admin listener of the gateway that recorded the exchange. LYCHGATE_ADMIN_TOKEN contains"
                    + " its token; LYCHGATE_ADMIN_CA, LYCHGATE_ADMIN_CERT and LYCHGATE_ADMIN_KEY name files for TLS.")
    private @Nullable String from;

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Option(names = "--id", paramLabel = "ID", description = "Replays only the exchange with this request id.")
    private @Nullable String id;

    @Option(
            names = "--generation",
            paramLabel = "N",
            description = "Uses the files of this earlier generation from the history, instead of the current files.")
    private @Nullable Long generation;

    @Option(names = "--diff", description = "Prints only the differences between the recording and the replay.")
    private boolean diff;

    @Option(names = "--key", paramLabel = "FILE", description = "The key of an encrypted recording.")
    private @Nullable Path key;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME:VALUE",
            description = "Replaces a header field of each request, such as a masked field; may be repeated.")
    private List<String> headers = List.of();

    @Override
    public Integer call() throws Exception {
        Map<String, String> fields = fields();
        Surroundings surroundings = surroundings();
        Recording one = from == null ? null : fetched(from);
        ConfigOption chosen = config.or(outer());
        chosen.load(surroundings);
        Function<FilterAssembly, Integer> eyes = assembly -> replay(one, new Replay(assembly, fields));
        try {
            Path file = chosen.file(surroundings);
            return generation == null
                    ? FileGateway.look(file, surroundings.environment(), eyes)
                    : new EarlierFiles(file, surroundings).look(generation, eyes);
        } catch (RefusedException e) {
            throw new StartException(e.details());
        } catch (ConfigException e) {
            surroundings.err().println("lychgate: " + e.getMessage());
            return ExitCode.CONFIGURATION;
        }
    }

    private Map<String, String> fields() throws UsageException {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon <= 0) {
                throw new UsageException("--header " + header + " (expected: NAME:VALUE)");
            }
            fields.put(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        return fields;
    }

    /** Requests the exchange from the gateway that recorded it. */
    private Recording fetched(String gateway) throws StartException, UsageException, InterruptedException {
        if (id != null || key != null) {
            throw new UsageException("--from takes the id of one exchange (expected: neither --id nor --key)");
        }
        AdminClient client = AdminOption.client("--from", gateway, surroundings(), PATIENCE);
        HttpResponse<String> response = client.ask("GET", AdminCommand.target("/exchanges/recording", "id", given));
        if (response.statusCode() != AdminCommand.OK) {
            throw new StartException(
                    Printable.escaped(String.join(" ", AdminClient.problem(response.body()))), ExitCode.NO_RESULT);
        }
        try {
            return RecordingJson.read(response.body().getBytes(StandardCharsets.US_ASCII));
        } catch (RecordingException e) {
            throw new StartException(
                    "the response of " + gateway + ": " + Printable.escaped(String.valueOf(e.getMessage())),
                    ExitCode.NO_RESULT);
        }
    }

    /** @param one the exchange to replay; null to replay the whole file */
    private int replay(@Nullable Recording one, Replay replay) {
        Tally tally = new Tally(replay);
        try {
            if (one == null) {
                replayFile(tally);
            } else {
                tally.add(one);
            }
            return tally.exitCode();
        } catch (IOException e) {
            // The message may quote the recording, which may contain control characters for the terminal.
            surroundings().err().println("lychgate: " + Printable.escaped(RecordingException.text(e)));
        }
        return ExitCode.NO_RESULT;
    }

    private void replayFile(Tally tally) throws IOException {
        try (RecordingReader reader =
                RecordingReader.open(Path.of(given), key == null ? null : RecordingKey.read(key))) {
            for (Recording next = reader.next(); next != null; next = reader.next()) {
                if (id == null || next.id().equals(id)) {
                    tally.add(next);
                }
            }
            if (reader.isTruncated()) {
                surroundings().err().println("warning: the end of the recording is missing");
            }
        }
    }

    /** Counts the replayed exchanges. */
    private final class Tally {
        private final Replay replay;
        private int same;
        private int different;

        Tally(Replay replay) {
            this.replay = replay;
        }

        void add(Recording exchange) throws IOException {
            ReplayResult result = replay.run(exchange);
            (diff ? ReplayText.differences(result) : ReplayText.steps(result)).forEach(ReplayCommand.this::print);
            same += result.isSame() ? 1 : 0;
            different += result.isSame() ? 0 : 1;
        }

        int exitCode() {
            if (same + different == 0) {
                surroundings()
                        .err()
                        .println(
                                id == null
                                        ? "lychgate: the recording is empty"
                                        : "lychgate: the recording has no exchange with the id " + id);
                return ExitCode.NO_RESULT;
            }
            print(Quantity.of(same + different, "exchange") + " replayed, " + different + " different");
            return different == 0 ? ExitCode.OK : ExitCode.DIFFERENT;
        }
    }
}
