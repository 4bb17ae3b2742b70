package dev.lychgate.server.history;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.history.ChangeHistory.Query;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** A directory with the history of a gateway. */
abstract class HistoryHome {
    static final Query NEWEST = new Query(Long.MAX_VALUE, 1000, null, null);
    static final Author ALICE = new Author("cli", "alice", "127.0.0.1:5000", "token");

    @TempDir
    Path home = Path.of("");

    Path config() {
        return home.resolve("gateway.yml");
    }

    Path file() {
        return ChangeHistory.file(config(), HistoryConfig.DEFAULT);
    }

    ChangeHistory open() {
        return ChangeHistory.start(config(), HistoryConfig.DEFAULT);
    }

    static HistoryConfig small(@Nullable String file, int keep) {
        return new HistoryConfig(file, ByteSize.parse("64KiB"), keep, 0, ByteSize.parse("1MiB"), null);
    }

    static Change reload(String reason) {
        return Change.of("reload", ALICE, "accepted", reason);
    }

    /** Records changes in a gateway that starts and ends. */
    void record(String... reasons) {
        try (ChangeHistory history = open()) {
            for (String reason : reasons) {
                history.record(reload(reason));
            }
        }
    }

    List<String> lines() throws IOException {
        return Files.readAllLines(file());
    }

    Verification verify() throws IOException {
        return Verification.of(file(), null);
    }

    List<String> reasons() throws IOException {
        return ChangeHistory.read(file(), NEWEST).stream()
                .map(entry -> entry.change().reason())
                .toList();
    }

    void write(List<String> lines) throws IOException {
        Files.writeString(file(), String.join("\n", lines) + "\n");
    }
}
