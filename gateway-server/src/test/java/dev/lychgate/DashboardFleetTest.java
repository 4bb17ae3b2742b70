package dev.lychgate;

import dev.lychgate.server.admin.FleetSource;
import dev.lychgate.server.admin.FleetState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The view of a fleet, with a reason whose text is markup. */
@Tag("slow")
class DashboardFleetTest extends DashboardInBrowser {
    private static final String HOSTILE = "<img src=x onerror=alert(1)>";
    private static final String STABLE = "a".repeat(64);
    private static final String CANARY = "b".repeat(64);

    private static FleetSource.Node node(String name, String active, boolean lost, List<String> faults, double rate) {
        FleetState state = new FleetState(
                name,
                "prod",
                7,
                active,
                "",
                faults.isEmpty() ? "" : CANARY,
                faults,
                "",
                Map.of("zone", name.equals("a") ? "west" : "east"));
        return new FleetSource.Node(
                state,
                FleetSource.Condition.of(state, lost, STABLE, CANARY),
                lost ? 90 : 4,
                rate,
                rate / 100,
                rate == 0 ? Double.NaN : 2,
                10 * rate);
    }

    private static FleetSource fleet() {
        List<FleetSource.Node> nodes = List.of(
                node("a", CANARY, false, List.of(), 20),
                node("b", STABLE, false, List.of(), 30),
                node("c", STABLE, false, List.of(HOSTILE), 40),
                node("d", STABLE, true, List.of(), 0),
                node("e", "e".repeat(64), false, List.of(), 0));
        return new FleetSource() {
            @Override
            public FleetState node() {
                return nodes.get(0).state();
            }

            @Override
            public Space space() {
                String until = Instant.now().plusSeconds(3000).toString();
                return new Space("prod", 7, STABLE, CANARY, until, null, "alice", "try " + HOSTILE, nodes);
            }
        };
    }

    @Test
    void isAbsentWithoutAFleet() throws Exception {
        BrowserPage shown = open().size(1280, 860);
        shown.awaitText("nav", "Rollout", "Mirrors");
        shown.awaitThat("[...document.querySelectorAll('nav a')].every(link => link.innerText !== 'Fleet')");
    }

    @Test
    void showsNodesWithProblemsFirstAndTheCanaryBesideTheReleaseInForce() throws Exception {
        files().reloader().reportFleet(fleet());
        BrowserPage shown = open().size(1280, 860);
        shown.awaitText("nav", "Fleet");
        shown.view("Fleet")
                .awaitText("main", "Space prod, epoch 7 by alice: try " + HOSTILE, "aaaaaaaaaaaa", "bbbbbbbbbbbb");
        shown.awaitText(
                "main", "refuses", HOSTILE, "lost", "behind", "zone=west", "90 seconds ago", "The canary ends in ");
        shown.awaitThat("[...[...document.querySelectorAll('table')].at(-1).querySelectorAll('tbody tr')]"
                + ".map(row => row.cells[0].innerText).join(' ') === 'c d e a b'");
        String sides =
                "[...document.querySelector('table').querySelectorAll('tbody tr')].map(row => row.innerText).join()";
        shown.awaitThat("/canary[^]*1[^]*20[^]*1.0 %[^]*200 ms[^]*in force[^]*2[^]*70/.test(" + sides + ")");
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }
}
