package dev.lychgate.server.cli;

import dev.lychgate.config.ConfigException;
import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.RecordingException;
import dev.lychgate.server.recording.RecordingKey;
import dev.lychgate.server.recording.RecordingReader;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.RefusedException;
import dev.lychgate.server.replay.Replay;
import dev.lychgate.server.replay.ReplayResult;
import dev.lychgate.server.replay.ReplayText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code replay}: runs recorded exchanges through the filters of a configuration, without sockets. */
@Command(
        name = "replay",
        description = "Runs recorded exchanges through the filters of a configuration without sockets, and compares.",
        footer = {
            "  lychgate replay traffic.rec --id 4f0c2a9b7d3e51860000002a",
            "  lychgate replay traffic.rec --config gateway.yml --diff",
            "  lychgate replay traffic.rec --generation 17",
            "  lychgate replay traffic.rec --key record.key -H x-api-key:test",
            "",
            "Exit codes: 0 all as recorded, 1 differences, 2 there is no result, 78 unusable configuration."
        })
final class ReplayCommand extends SubCommand {
    @Parameters(paramLabel = "FILE", description = "The recording.")
    private Path recording = Path.of("");

    @Mixin
    private final ConfigOption config = new ConfigOption();

    @Option(names = "--id", paramLabel = "ID", description = "Replays only the exchange with this request id.")
    private @Nullable String id;

    @Option(
            names = "--generation",
            paramLabel = "N",
            description =
                    "Uses the files of an earlier generation, which the history keeps, instead of the current ones.")
    private @Nullable Long generation;

    @Option(names = "--diff", description = "Prints only the differences between the recording and the replay.")
    private boolean diff;

    @Option(names = "--key", paramLabel = "FILE", description = "The key of an encrypted recording.")
    private @Nullable Path key;

    @Option(
            names = {"-H", "--header"},
            paramLabel = "NAME:VALUE",
            description = "Replaces a field of each request, such as a masked one; may be repeated.")
    private List<String> headers = List.of();

    @Override
    public Integer call() throws Exception {
        Map<String, String> given = fields();
        Surroundings surroundings = surroundings();
        ConfigOption chosen = config.or(outer());
        chosen.load(surroundings);
        try {
            Path file = chosen.file(surroundings);
            return generation == null
                    ? FileGateway.look(file, surroundings.environment(), assembly -> replay(assembly, given))
                    : new EarlierFiles(file, surroundings).look(generation, assembly -> replay(assembly, given));
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

    private int replay(FilterAssembly assembly, Map<String, String> given) {
        try (RecordingReader reader = RecordingReader.open(recording, key == null ? null : RecordingKey.read(key))) {
            return replay(reader, new Replay(assembly, given));
        } catch (RecordingException e) {
            surroundings().err().println("lychgate: " + e.getMessage());
        } catch (IOException e) {
            surroundings().err().println("lychgate: " + recording + " can't be read: " + e);
        }
        return ExitCode.NO_RESULT;
    }

    private int replay(RecordingReader reader, Replay replay) throws IOException {
        int same = 0;
        int different = 0;
        for (Recording next = reader.next(); next != null; next = reader.next()) {
            if (id == null || next.id().equals(id)) {
                ReplayResult result = replay.run(next);
                (diff ? ReplayText.differences(result) : ReplayText.steps(result)).forEach(this::print);
                same += result.isSame() ? 1 : 0;
                different += result.isSame() ? 0 : 1;
            }
        }
        if (reader.isTruncated()) {
            surroundings().err().println("warning: the end of the recording is missing");
        }
        if (same + different == 0) {
            surroundings()
                    .err()
                    .println(id == null ? "lychgate: the recording is empty" : "lychgate: no exchange " + id);
            return ExitCode.NO_RESULT;
        }
        print(same + different + " exchanges replayed, " + different + " different");
        return different == 0 ? ExitCode.OK : ExitCode.DIFFERENT;
    }
}
