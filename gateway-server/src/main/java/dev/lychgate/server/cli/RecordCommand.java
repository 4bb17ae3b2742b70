package dev.lychgate.server.cli;

import dev.lychgate.config.Quantity;
import dev.lychgate.server.recording.HarImport;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.RecordingException;
import dev.lychgate.server.recording.RecordingJson;
import dev.lychgate.server.recording.RecordingKey;
import dev.lychgate.server.recording.RecordingReader;
import dev.lychgate.server.recording.RecordingRedaction;
import dev.lychgate.server.recording.RecordingWriter;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code record}: shows recordings, and creates them from HAR files. */
@Command(
        name = "record",
        description =
                "Prints the exchanges of a recording as lines of JSON, or appends the exchanges of a HAR file to a"
                        + " recording.",
        footer = {
            "  lychgate record show traffic.rec",
            "  lychgate record show traffic.rec --key record.key",
            "  lychgate record import browser.har traffic.rec",
            "",
            "Exit codes: 0 success, 2 a file can't be read or written, 64 malformed command line."
        })
final class RecordCommand extends SubCommand {
    @Parameters(index = "0", paramLabel = "ACTION", description = "show or import.")
    private String action = "";

    @Parameters(index = "1", paramLabel = "FILE", description = "With show: the recording. With import: the HAR file.")
    private Path file = Path.of("");

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "RECORDING",
            description = "With import: the recording to which exchanges are appended.")
    private @Nullable Path to;

    @Option(names = "--key", paramLabel = "FILE", description = "The key of an encrypted recording.")
    private @Nullable Path key;

    @Override
    public Integer call() throws Exception {
        boolean isImport = action.equals("import");
        if ((!isImport && !action.equals("show")) || isImport == (to == null)) {
            throw new UsageException("record " + action + " (expected: show FILE, or import FILE RECORDING)");
        }
        try {
            RecordingKey used = key == null ? null : RecordingKey.read(key);
            if (to == null) {
                show(used);
            } else {
                add(to, used);
            }
            return ExitCode.OK;
        } catch (IOException e) {
            // The message may quote the file, which may contain control characters for the terminal.
            surroundings().err().println("lychgate: " + Printable.escaped(RecordingException.text(e)));
        }
        return ExitCode.NO_RESULT;
    }

    private void show(@Nullable RecordingKey used) throws IOException {
        try (RecordingReader reader = RecordingReader.open(file, used)) {
            for (Recording next = reader.next(); next != null; next = reader.next()) {
                // Decoded and encoded again, because the original line may contain control characters for the terminal.
                print(new String(RecordingJson.line(next), StandardCharsets.UTF_8).stripTrailing());
            }
            if (reader.isTruncated()) {
                surroundings().err().println("warning: the end of the recording is missing");
            }
        }
    }

    private void add(Path recording, @Nullable RecordingKey used) throws IOException {
        List<Recording> all = new HarImport(new RecordingRedaction(List.of(), List.of(), List.of())).read(file);
        try (RecordingWriter writer = RecordingWriter.open(recording, used)) {
            for (Recording exchange : all) {
                writer.add(RecordingJson.line(exchange));
            }
        }
        print(Quantity.of(all.size(), "exchange") + " imported");
    }
}
