package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.ChangeHistory.Query;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.Verification;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a gateway in a separate process, which is killed, and runs on a disk that becomes full. */
@Tag("slow")
class HistoryProcessTest {
    private static final int LIMIT = 64 << 10;

    @TempDir
    Path home = Path.of("");

    private Path config = home;

    private List<Entry> entries() throws Exception {
        return ChangeHistory.read(
                ChangeHistory.file(config, HistoryConfig.DEFAULT), new Query(Long.MAX_VALUE, 1000, null, null));
    }

    private static String change(int number) {
        return "POST /log?logger=test" + number + "&level=debug HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n"
                + "x-lychgate-admin: test\r\n\r\n";
    }

    private static void change(RawClient admin, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            assertThat(admin.send(change(i)).readResponse().status()).isEqualTo(200);
        }
    }

    /** A limit of the size of files fails in the middle of a line, as a full disk does, and a kill leaves the part there. */
    @Test
    void aFullDiskStopsNoChangeAndNoEntryThatWasWrittenIsLostInAKill() throws Exception {
        config = Files.writeString(home.resolve("gateway.yml"), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin: { address: "127.0.0.1:0" }
            routes: [{ id: all, match: { path: "/**" }, respond: { status: 200 } }]
            access-log: { format: off }
            history: {}
            """);
        Path file = ChangeHistory.file(config, HistoryConfig.DEFAULT);
        // The unit of the limit is 512 or 1024 bytes.
        try (ChildGateway gateway = ChildGateway.launch(config, "ulimit -f 64; ")) {
            gateway.awaitLine("ready after");
            try (RawClient admin = gateway.admin();
                    RawClient client = gateway.client()) {
                change(admin, 0, 20);
                eventually(() -> assertThat(entries()).hasSize(21));
                change(admin, 20, 300);
                gateway.awaitLine("the history of changes can't be written to");
                assertThat(client.get("/").status()).isEqualTo(200);
                change(admin, 300, 310);
                for (int i = 310; i < 400; i++) {
                    admin.send(change(i));
                }
            }
            gateway.signal("KILL");
            gateway.exitCode();
        }
        assertThat(Files.size(file)).isLessThanOrEqualTo(LIMIT);
        assertThat(Verification.of(file, null).faults()).isEmpty();
        List<Entry> before = entries();
        assertThat(before).hasSizeBetween(21, 300);

        FileGateway<Lychgate> restarted = FileGateway.start(config, name -> null, Lychgate::start);
        try {
            eventually(() -> assertThat(entries().get(0).change().action()).isEqualTo("start"));
        } finally {
            restarted.gateway().close();
            restarted.close();
        }
        assertThat(entries()).endsWith(before.toArray(Entry[]::new));
        assertThat(entries().get(0).change().action()).isEqualTo("stop");
        assertThat(Verification.of(file, null).faults()).isEmpty();
    }
}
