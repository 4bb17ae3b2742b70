package dev.lychgate.server;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.HistoryConfig;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.ChangeHistory.Query;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.history.Verification;
import dev.lychgate.testing.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a gateway in a process of its own, which is killed or has no room on its disk. */
@Tag("slow")
class HistoryProcessTest {
    @TempDir
    Path home = Path.of("");

    private Path config = home;

    @BeforeEach
    void configure() throws Exception {
        config = Files.writeString(home.resolve("gateway.yml"), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin: { address: "127.0.0.1:0" }
            routes: [{ id: all, match: { path: "/**" }, respond: { status: 200 } }]
            access-log: { format: off }
            history: {}
            """);
    }

    private Path file() {
        return ChangeHistory.file(config, HistoryConfig.DEFAULT);
    }

    private List<Entry> entries() throws Exception {
        return ChangeHistory.read(file(), new Query(Long.MAX_VALUE, 1000, null, null));
    }

    private static void change(RawClient admin, int number) throws Exception {
        admin.send("POST /log?logger=test" + number + "&level=debug HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n"
                + "x-lychgate-admin: test\r\n\r\n");
        assertThat(admin.readResponse().status()).isEqualTo(200);
    }

    @Test
    void everyEntryThatWasWrittenSurvivesAKill() throws Exception {
        int before;
        try (ChildGateway gateway = ChildGateway.start(config);
                RawClient admin = gateway.admin()) {
            for (int i = 0; i < 20; i++) {
                change(admin, i);
            }
            eventually(() -> assertThat(entries()).hasSizeGreaterThanOrEqualTo(21));
            for (int i = 20; i < 40; i++) {
                change(admin, i);
            }
            before = entries().size();
            gateway.signal("KILL");
            gateway.exitCode();
        }
        assertThat(entries()).hasSizeGreaterThanOrEqualTo(before);
        assertThat(Verification.of(file(), null).faults()).isEmpty();
        long last = entries().get(0).number();
        try (ChildGateway gateway = ChildGateway.start(config)) {
            eventually(() -> assertThat(entries().get(0).change().action()).isEqualTo("start"));
            gateway.signal("TERM");
            gateway.exitCode();
        }
        assertThat(entries().get(0).change().action()).isEqualTo("stop");
        assertThat(entries().get(0).number()).isGreaterThanOrEqualTo(last + 2);
        assertThat(Verification.of(file(), null).faults()).isEmpty();
    }

    /** A limit of the size of files fails in the middle of a line, as a full disk does. */
    @Test
    void aDiskThatBecomesFullStopsNoChangeAndBreaksNoChain() throws Exception {
        try (ChildGateway gateway = ChildGateway.launch(config, "ulimit -f 64; ")) {
            gateway.awaitLine("ready after");
            try (RawClient admin = gateway.admin();
                    RawClient client = gateway.client()) {
                for (int i = 0; i < 300; i++) {
                    change(admin, i);
                }
                assertThat(client.get("/").status()).isEqualTo(200);
                gateway.awaitLine("the history of changes can't be written to");
            }
            gateway.signal("KILL");
            gateway.exitCode();
        }
        assertThat(Verification.of(file(), null).faults()).isEmpty();
        assertThat(Files.size(file())).isLessThanOrEqualTo(64 << 10);
        int written = entries().size();
        assertThat(written).isLessThan(301);
        try (ChildGateway gateway = ChildGateway.start(config)) {
            eventually(() -> assertThat(entries()).hasSizeGreaterThan(written));
        }
        assertThat(Verification.of(file(), null).faults()).isEmpty();
    }
}
