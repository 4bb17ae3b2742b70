package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.terminal.JsonValue;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lychgate fleet} without a running node: its output and its exit codes. */
class FleetCommandTest {
    @TempDir
    Path home = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        Files.createDirectories(home.resolve("store"));
        Files.createDirectories(home.resolve("config"));
        Files.writeString(home.resolve("node.yml"), """
                fleet: { space: prod, store: { directory: store }, trust: release.key.pub, state: state }
                """);
        write("one");
    }

    private void write(String text) throws IOException {
        Files.writeString(home.resolve("config/gateway.yml"), text);
    }

    /** Returns the exit code, a colon, and the output of both streams. */
    private String run(String... words) {
        StringWriter output = new StringWriter();
        PrintWriter printer = new PrintWriter(output, true);
        Surroundings surroundings =
                new Surroundings(new Terminal(), name -> null, printer, printer, hook -> {}, Signals.NONE);
        List<String> all = new ArrayList<>(List.of("fleet"));
        all.addAll(List.of(words));
        all.addAll(List.of("--config", home.resolve("node.yml").toString()));
        return LychgateCommand.execute(surroundings, all.toArray(String[]::new)) + ": " + output;
    }

    private String signed(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of(
                "--author", "alice", "--key", home.resolve("release.key").toString()));
        return run(all.toArray(String[]::new));
    }

    private String push() throws IOException {
        String output = signed("push", home.resolve("config").toString(), "--json");
        assertThat(output).startsWith("0: {");
        return JsonValue.of(output.substring(3)).get("release").raw();
    }

    @Test
    void activatesAndRollsBack() throws Exception {
        assertThat(signed("init")).startsWith("0: private key written to ").contains("epoch 1  ", "  release none");
        String one = push();
        write("two");
        String two = push();
        assertThat(signed("activate", one)).startsWith("0: epoch 2  ").contains("  by alice  activate ");
        assertThat(signed("activate", two, "--message", "the second")).contains("  by alice  the second");
        assertThat(run("diff", one)).isEqualTo("0: changed gateway.yml" + System.lineSeparator());
        assertThat(run("diff", one, one)).isEqualTo("0: no file differs" + System.lineSeparator());
        assertThat(run("diff", "2", "3")).isEqualTo("0: changed gateway.yml" + System.lineSeparator());
        assertThat(signed("rollback")).startsWith("0: epoch 4  ").contains("release " + one.substring(0, 12));
        assertThat(signed("rollback", "--to", two.substring(0, 8))).startsWith("0: epoch 5  ");
        assertThat(run("status")).startsWith("0: epoch 5  ");
        assertThat(run("history", "--limit", "2").lines()).hasSize(2);
        assertThat(run("nodes")).isEqualTo("0: no node has reported" + System.lineSeparator());
        JsonValue status = JsonValue.of(run("status", "--json").substring(3));
        assertThat(status.get("head").get("stable").raw()).isEqualTo(two);
        assertThat(status.get("head").number("epoch")).isEqualTo(5);
    }

    /** Writes the report of a node, as a running node does. */
    private void report(String node, long epoch, String active) throws IOException {
        Path nodes = Files.createDirectories(home.resolve("store/prod/nodes"));
        Files.writeString(nodes.resolve(node), """
                {"node": "%s", "space": "prod", "epoch": %d, "active": "%s", "faults": [], "labels": {"zone": "%s"},
                 "traffic": {"rate": 50, "error_rate": 0.5, "p50_ms": 2, "p99_ms": %d}}
                """.formatted(node, epoch, active, node, (int) node.charAt(0)));
    }

    @Test
    void startsPromotesAndAbortsCanaries() throws Exception {
        signed("init");
        String one = push();
        write("two");
        String two = push();
        assertThat(signed("canary", two, "--share", "10%"))
                .startsWith("1: lychgate: fleet canary: no release is in force, so");
        signed("activate", one);
        assertThat(signed("canary", one, "--share", "10%")).contains("is in force already");
        assertThat(signed("canary", two, "--share", "10%")).startsWith("1: lychgate: fleet canary: no node reports");
        for (String node : List.of("a", "b", "c", "d")) {
            report(node, 2, one);
        }
        assertThat(signed("promote"))
                .isEqualTo("1: lychgate: fleet promote: there is no canary" + System.lineSeparator());
        assertThat(signed("abort")).startsWith("1: lychgate: fleet abort: there is no canary");

        assertThat(signed("canary", two, "--label", "zone=b", "--for", "30m"))
                .startsWith("0: started: epoch 3  ")
                .contains("  canary " + two.substring(0, 12) + " until ", "  by alice  canary ")
                .endsWith("on 1 node: b" + System.lineSeparator());
        report("b", 3, two);
        assertThat(run("status"))
                .contains(
                        "canary  1 node  50.0/s  1.00 % errors  p99 98.0 ms",
                        "stable  3 nodes  150.0/s  1.00 % errors  p99 100.0 ms",
                        "b  active  epoch 3  release " + two.substring(0, 12) + "  50.0/s  1.00 % errors  p99 98.0 ms");
        JsonValue sides = JsonValue.of(run("status", "--json").substring(3)).get("sides");
        assertThat(sides.get("stable").number("nodes")).isEqualTo(3);
        assertThat(sides.get("stable").get("traffic").number("rate")).isEqualTo(150);
        assertThat(sides.get("canary").get("traffic").number("p99_ms")).isEqualTo(98);
        JsonValue canary =
                JsonValue.of(run("status", "--json").substring(3)).get("head").get("canary");
        assertThat(canary.get("release").raw()).isEqualTo(two);
        assertThat(canary.get("labels").get("zone").raw()).isEqualTo("b");
        assertThat(canary.get("until").raw()).endsWith("Z");
        assertThat(signed("abort")).startsWith("0: epoch 4  ").doesNotContain("canary " + two.substring(0, 12));
        JsonValue half =
                JsonValue.of(signed("canary", two, "--share", "50%", "--json").substring(3));
        assertThat(half.is("started")).isTrue();
        assertThat(half.list("nodes")).hasSize(2);
        assertThat(signed("promote"))
                .startsWith("0: epoch 6  ")
                .contains("  release " + two.substring(0, 12), "  by alice  promote ");
        signed("canary", one, "--share", "1%", "--for", "1ms");
        assertThat(signed("promote")).startsWith("1: lychgate: fleet promote: the canary ended at ");
    }

    @Test
    void reportsRefusalsWithExitCode1() throws Exception {
        signed("init");
        String one = push();
        assertThat(signed("init")).startsWith("1: lychgate: fleet init: space prod has a head already, with epoch 1");
        assertThat(signed("activate", "a".repeat(64)))
                .startsWith("1: lychgate: fleet activate: the store has no release aaaaaaaaaaaa");
        assertThat(signed("activate", "12345678")).startsWith("1: lychgate: fleet activate: no release 12345678 ");
        assertThat(signed("rollback")).startsWith("1: lychgate: fleet rollback: there is no earlier release");
        assertThat(signed("activate", one, "--wait", "1s"))
                .startsWith("1: lychgate: fleet activate: no node reports, so no node can prepare the release");
        Files.createSymbolicLink(home.resolve("config/link"), Path.of("/etc/passwd"));
        assertThat(signed("push", home.resolve("config").toString()))
                .startsWith("1: lychgate: fleet push: 'link' is a symbolic link");
        assertThat(run("status")).startsWith("0: epoch 1  ");
    }

    @Test
    void examinesAFleet() throws Exception {
        signed("init");
        assertThat(run("doctor").lines())
                .hasSize(7)
                .anyMatch(line -> line.startsWith("0: ok      disk: "))
                .anyMatch(line -> line.equals("ok      keys: trusted keys: 1"))
                .anyMatch(line -> line.startsWith("ok      store: responded after "))
                .anyMatch(line -> line.equals("ok      head: epoch 1 by alice, signed by a trusted key"))
                .anyMatch(line -> line.equals("ok      clock: within 5 s of the clock of the store"))
                .anyMatch(line -> line.equals(
                        "ok      compare-and-set: of two changes of the same epoch, the store accepted only the first"))
                .anyMatch(line -> line.startsWith("ok      watch: reported a change after "));
        assertThat(run("status")).startsWith("0: epoch 1  ");
        assertThat(JsonValue.of(run("doctor", "--json").substring(3)).list("findings"))
                .hasSize(7)
                .allMatch(finding -> finding.text("outcome").equals("ok"));
    }

    @Test
    void reportsWhatPreventsAFleet() throws Exception {
        signed("init");
        Files.writeString(home.resolve("release.key.pub"), "nonsense");
        assertThat(run("doctor"))
                .startsWith("1: ")
                .contains("failed  keys: ", "contains no public key", "ok      watch: ")
                .doesNotContain(" head: ");
        Files.move(home.resolve("store"), home.resolve("away"));
        assertThat(run("doctor"))
                .startsWith("1: ")
                .contains("failed  store: the store does not respond")
                .doesNotContain("watch: ");
    }

    @Test
    void refusesToSignWithAKeyThatNoNodeTrusts() throws Exception {
        signed("init");
        String one = push();
        Files.delete(home.resolve("release.key"));
        Path trusted = Files.move(home.resolve("release.key.pub"), home.resolve("trusted"));
        signed("init");
        Files.move(trusted, home.resolve("release.key.pub"), StandardCopyOption.REPLACE_EXISTING);

        assertThat(signed("activate", one))
                .startsWith("1: lychgate: fleet activate: head of prod: no trusted key has signed it");
        assertThat(run("status")).startsWith("0: epoch 1  ");
    }

    @Test
    void reportsAMissingStoreWithExitCode2() throws Exception {
        signed("init");
        try (var files = Files.walk(home.resolve("store"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        assertThat(run("status")).startsWith("2: lychgate: fleet status: the store does not respond");
    }

    @Test
    void rejectsMalformedCommandLines() throws Exception {
        assertThat(run("push")).startsWith("64: ").contains("fleet push: 0 arguments (expected: 1)");
        assertThat(run("diff", "1", "2", "3")).startsWith("64: ").contains("3 arguments (expected: 1 or 2)");
        assertThat(run("status", "--wait", "1s")).startsWith("64: ").contains("--wait is an option of fleet activate");
        assertThat(run("activate", "a", "--to", "1"))
                .startsWith("64: ")
                .contains("--to is an option of fleet rollback");
        assertThat(run("history", "--limit", "0")).startsWith("64: ").contains("--limit: 0 (expected: 1 or more)");
        assertThat(run("canary", "a")).startsWith("64: ").contains("--share and --label are missing");
        assertThat(run("activate", "a", "--share", "10%")).startsWith("64: ").contains("are options of fleet canary");
        assertThat(run("abort", "--wait", "1s")).startsWith("64: ").contains("--wait is an option of fleet activate");
        assertThat(run("explode")).startsWith("64: ");
        signed("init");
        assertThat(run("push", home.resolve("config").toString()))
                .startsWith("64: ")
                .contains("--key is missing");
        String one = push();
        assertThat(signed("activate", one, "--wait", "-1s")).startsWith("64: ").contains("expected: a duration");
        for (String share : List.of("0%", "101%", "ten", "-1%")) {
            assertThat(signed("canary", "a", "--share=" + share))
                    .startsWith("64: ")
                    .contains("--share " + share + " (expected: 1% to 100%)");
        }
        assertThat(signed("canary", "a", "--share", "1%", "--for", "0s"))
                .startsWith("64: ")
                .contains("--for 0s (expected: a duration");
        Files.writeString(home.resolve("node.yml"), "admin: { address: '127.0.0.1:1' }");
        assertThat(run("status")).startsWith("78: ").contains("node.yml has no section fleet");
        Files.writeString(home.resolve("node.yml"), "fleet: { space: '..' }");
        assertThat(run("status")).startsWith("78: ").contains("fleet.space: ..", "fleet.trust", "fleet.state");
    }
}
