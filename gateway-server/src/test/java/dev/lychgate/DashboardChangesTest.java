package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The views of rollouts, mirrors, faults and the history, of a gateway that has all of them. */
@Tag("slow")
class DashboardChangesTest extends DashboardInBrowser {
    private static final String HOSTILE = DashboardProblems.HOSTILE;
    /** A value that a header field and a file name can have. */
    private static final String FIELD = "<img src=x onerror=window.hacked=1>";

    private static final String VIEWER = "viewer-viewer-viewer";
    private static final String ALICE = "alice-alice-alice-alice";
    private static final String OPERATORS = ", operators: [{ name: alice, roles: [%s], token: " + ALICE
            + " }, { name: grafana, token: " + VIEWER + " }]";

    private final ScriptedOrigin shadow = ScriptedOrigin.answering(
            (request, connection) -> connection.send(Responses.of(200, "first", "x-name: " + HOSTILE)));

    @AfterEach
    void endShadow() {
        shadow.close();
    }

    @Override
    void configure(String orders, String admin) throws IOException {
        Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin: { address: "127.0.0.1:0"%s }
                filters: { directory: filters, guard: { after: 1s, strikes: 1 } }
                faults: { enabled: true }
                history: {}
                rollout: { steps: [50%%, 90%%, 100%%], hold: 1h, by: request }
                routes:
                  - id: orders
                    match: { path: "%s" }
                    upstream: orders
                    mirror: { upstream: shadow, share: 100%%, compare: { headers: [x-name] } }
                  - { id: rest, match: { path: "/**" }, respond: { body: "rest" } }
                upstreams:
                  orders: { endpoints: ["http://127.0.0.1:%d"] }
                  shadow: { endpoints: ["http://127.0.0.1:%d"] }
                access-log: { format: off }
                """.formatted(admin, orders, first.port(), shadow.port()));
    }

    @Override
    int pause() {
        return 20;
    }

    private void stamp(String version) throws IOException {
        Files.writeString(
                home.resolve("filters/outbound/stamp.groovy"),
                "filter { it.response.headers['x-stamp'] = '" + version + "' }\n");
    }

    private RawMessage ask(String target) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway().port("main")))) {
            return client.get(target);
        }
    }

    /** Returns a page of the admin listener, or the response to an action, as alice if there are operators. */
    private static JsonNode admin(BrowserPage shown, String method, String target) {
        return shown.evaluate("fetch(" + BrowserPage.quoted(target) + ", { method: '" + method
                + "', headers: { 'x-lychgate-admin': 'test', authorization: 'Bearer " + ALICE
                + "' } }).then(answer => answer.json())");
    }

    /** Waits until all requests were copied and compared: a later comparison would add to the differences again. */
    private void awaitComparisons(BrowserPage shown) throws Exception {
        eventually(Duration.ofSeconds(30), () -> {
            JsonNode mirror = admin(shown, "GET", "mirrors").at("/mirrors/0");
            assertThat(sum(mirror.path("outcomes")) + sum(mirror.path("dropped")))
                    .isGreaterThanOrEqualTo(first.requestsSeen());
            assertThat(sum(mirror.path("comparisons")))
                    .isGreaterThanOrEqualTo(mirror.at("/outcomes/response").asInt());
        });
    }

    private static int sum(JsonNode counts) {
        int sum = 0;
        for (JsonNode count : counts) {
            sum += count.asInt();
        }
        return sum;
    }

    /** Presses a button of the view, and the button of the question that follows. */
    private static void decide(BrowserPage shown, String word, String title, String action) throws Exception {
        shown.press(word, word).awaitText("dialog", title).press(action, title);
        shown.awaitThat("!document.querySelector('dialog').open");
    }

    private static void harmless(BrowserPage shown) {
        assertThat(shown.evaluate("document.querySelectorAll('main img, main script, [onerror]').length")
                        .asInt())
                .isZero();
        assertThat(shown.evaluate("window.hacked === undefined").asBoolean()).isTrue();
    }

    /** Checks that the page does not scroll sideways on a phone. */
    private static void fitsAPhone(BrowserPage shown) {
        shown.size(400, 860);
        assertThat(shown.evaluate("document.documentElement.scrollWidth").asInt())
                .as(shown.text("h1"))
                .isLessThanOrEqualTo(400);
        shown.size(1440, 900);
    }

    private static String row(String table, String word) {
        return "[...document.querySelector(\"[aria-label^='" + table + "']\").querySelectorAll('tbody tr')]"
                + ".find(row => row.cells[0].innerText.startsWith('" + word + "'))";
    }

    @Test
    void showsACandidateBesideTheStableGenerationAndCarriesOutEveryOperation() throws Exception {
        BrowserPage shown = open().size(1440, 900).view("Rollout").awaitText("main", "○ no rollout");
        stamp("2");

        shown.awaitText("main", "● running", "Generation 2 gets 50 %", "Generation 1 serves the rest", "by request");
        shown.awaitText(".steps", "50 %", "now", "90 %", "later", "promotion");
        String exchanges = row("Side by side", "Exchanges in this step");
        shown.awaitThat("[1, 2].every(side => /[1-9]/.test(" + exchanges + "?.cells[side].innerText))");
        shown.awaitThat("/ms|µs/.test(" + row("Side by side", "p99") + ".cells[2].innerText)");
        shown.awaitText("[aria-label^='By route']", "orders", "rest", "→");
        shown.awaitText("[aria-label^='Verdict']", "errors", "filter-failures", "hold");
        shown.awaitText("main", "begins with 50%");
        fitsAPhone(shown);
        String hold = "[...document.querySelectorAll('.card')].find(card => /Hold/.test(card.innerText)).innerText";
        shown.awaitThat(hold + ".includes('59 min')");
        String before = shown.evaluate(hold).asText();
        shown.awaitThat(hold + " !== " + BrowserPage.quoted(before).replace("\n", "\\n"));

        shown.evaluate("document.querySelector('main .actions button').focus()");
        decide(shown, "Pause the rollout", "Pause the rollout of generation 2?", "Pause the rollout");
        shown.awaitText("main", "▲ paused", "is paused.");
        assertThat(admin(shown, "GET", "rollout").path("state").asText()).isEqualTo("paused");
        shown.awaitThat("document.activeElement.innerText.startsWith('Resume the rollout')");
        decide(shown, "Resume the rollout", "Resume the rollout of generation 2?", "Resume the rollout");
        shown.awaitText("main", "● running", "continues.");
        assertThat(admin(shown, "GET", "rollout").path("state").asText()).isEqualTo("running");

        shown.press("Set the share", "Promote now").awaitText("dialog", "Share of generation 2");
        shown.fill("value", "12.5").press("Set the share", "Share of generation 2");
        shown.awaitText("main", "Generation 2 gets 12.5 %").awaitText(".steps", "now 12.5 %");
        assertThat(admin(shown, "GET", "rollout").path("share").asText()).isEqualTo("12.5%");

        shown.view("Overview").awaitText("[aria-label=Rollout]", "Rollout of generation 2", "12.5%");
        shown.press("Rollout of generation 2", "the verdict is").awaitText("h1", "Rollout");
        shown.press("Promote now", "Promote now").awaitText("dialog", "Promote generation 2 now?", "verdict is hold");
        shown.press("Cancel", "Promote generation 2 now?");
        assertThat(admin(shown, "GET", "rollout").path("state").asText()).isEqualTo("running");
        decide(shown, "Promote now", "Promote generation 2 now?", "Promote");
        shown.awaitText("main", "● promoted", "Generation 2 is the stable generation", "Side by side", "12.5%");
        assertThat(ask("/").value("x-stamp")).hasValue("2");
        assertThat(shown.text("main")).doesNotContain("Abort …");
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void showsTheOutcomeOfARolloutThatAnOperatorOrTheJudgeAborts() throws Exception {
        BrowserPage shown = open().size(1440, 900).view("Rollout");
        stamp("2");
        shown.awaitText("main", "● running");
        decide(shown, "Abort …", "Abort the rollout of generation 2?", "Abort the rollout");
        shown.awaitText("main", "✖ aborted", "Generation 2 was withdrawn. Generation 1 serves all exchanges.");
        assertThat(ask("/").value("x-stamp")).hasValue("1");
        shown.view("Overview").press("Rollout aborted", "Rollout aborted: generation 2");
        shown.awaitText("h1", "Rollout").awaitText("main", "Side by side");

        Files.writeString(
                home.resolve("filters/outbound/" + FIELD + ".groovy"),
                "filter { long end = System.nanoTime() + 2_000_000_000L; while (System.nanoTime() < end) { } }\n");
        shown.awaitText("main", "✖ aborted", "Generation 3 was withdrawn", "filter-budget ", FIELD + " is ejected");
        harmless(shown);
        shown.view("Overview").awaitText("main", "Rollout aborted: generation 3");
        shown.awaitThat("document.querySelector('main').textContent.includes(" + BrowserPage.quoted(FIELD) + ")");
        harmless(shown);
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void showsDifferencesOfAMirrorAndActiveFaultsAndEndsBoth() throws Exception {
        BrowserPage shown = open().size(1440, 900).awaitText("main", "Mirror differs: route orders to shadow");
        shown.press("Mirror differs", "Mirror differs").awaitText("h1", "Mirrors");
        shown.awaitThat(
                "document.activeElement.matches('tr.chosen') && document.activeElement.innerText.includes('to shadow')");
        stopLoad();
        awaitComparisons(shown);

        shown.awaitText("main", "Differences of route orders to shadow", "header x-name");
        shown.press("header", "header x-name").awaitText("#examples", "GET /orders/", HOSTILE);
        harmless(shown);
        fitsAPhone(shown);
        decide(shown, "Forget the differences", "Forget the differences?", "Forget them");
        shown.awaitText("main", "The differences are forgotten.");
        shown.awaitThat("!document.querySelector('main').innerText.includes('x-name')");
        assertThat(admin(shown, "GET", "mirrors").at("/mirrors/0/differences")).isEmpty();
        assertThat(admin(shown, "GET", "mirrors")
                        .at("/mirrors/0/comparisons/different")
                        .asInt())
                .as("counts remain")
                .isPositive();

        shown.view("Overview").awaitText("main", "Requests a second");
        shown.awaitThat("!/rehearsal|Mirror differs/.test(document.querySelector('main').innerText)");
        shown.evaluate("fetch('faults?name=slow-api&route=orders&share=10%25&delay=1ms-2ms&for=10m&header=x-client:'"
                + " + encodeURIComponent(" + BrowserPage.quoted(FIELD)
                + "), { method: 'POST', headers: { 'x-lychgate-admin': 'test' } }).then(answer => answer.json())");
        admin(shown, "POST", "faults?name=no-api&route=orders&abort=503&for=10m");
        eventually(() -> assertThat(ask("/orders/1").status()).isEqualTo(503));

        shown.awaitText("[aria-label=Rehearsal]", "rehearsal", "2 faults", "slow-api, no-api", "ends in");
        shown.press("Fault injected", "Fault injected: no-api").awaitText("h1", "Faults");
        shown.awaitThat(
                "document.activeElement.matches('tr.chosen') && /abort with 503[^]*(9 min|10 min)[^]*127.0.0.1:/.test(document.activeElement.innerText)");
        shown.awaitText("main", "delay 1ms-2ms", "10%", "with x-client: " + FIELD);
        harmless(shown);
        fitsAPhone(shown);
        shown.press("Stop", "no-api")
                .awaitText("dialog", "Stop the fault no-api?")
                .press("Stop", "the fault no-api?");
        shown.awaitText("main", "The fault no-api has ended.");
        assertThat(ask("/orders/1").status()).isEqualTo(200);
        assertThat(admin(shown, "GET", "faults").path("faults")).hasSize(1);

        shown.view("Overview").awaitText("[aria-label=Rehearsal]", "1 fault");
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void searchesTheHistoryAndRollsBackToAnEntry() throws Exception {
        BrowserPage shown = open().size(1440, 900);
        stamp("2");
        shown.view("Rollout").awaitText("main", "● running");
        admin(shown, "POST", "rollout?action=promote");
        Files.writeString(home.resolve("filters/outbound/" + FIELD + ".groovy"), "filter {\n");
        shown.view("Generations").awaitText("main", "✖ refused", FIELD);
        assertThat(ask("/").value("x-stamp")).hasValue("2");

        shown.view("History").awaitText("main", "rollout", "promoted", "start", "accepted", "✖ refused", FIELD);
        harmless(shown);
        shown.fill("q", "onerror").awaitText("main", "1 of ");
        shown.awaitThat("location.hash.startsWith('#history?q=')");
        shown.fill("q", "")
                .fill("action", "start")
                .awaitThat("document.querySelectorAll('main tbody tr').length === 1");
        shown.press("#1", "start")
                .awaitText("#story", "Entry 1: start", "stamp.groovy", "SHA-256", "Digest of the entry");
        fitsAPhone(shown);
        decide(shown, "Roll back", "Roll back to entry 1?", "Roll back");
        shown.awaitText("main", "The files of entry 1 are in force, until a reload.");
        assertThat(ask("/").value("x-stamp")).hasValue("1");
        shown.fill("action", "").awaitText("main", "rollback to entry 1 of the history", "127.0.0.1:");
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void offersNoActionsToAViewerAndExplainsARejection() throws Exception {
        BrowserPage shown = open().size(1440, 900).view("Rollout").awaitText("main", "no rollout");
        reload(shown, "operator");
        signIn(shown, VIEWER);
        stamp("2");

        shown.awaitText("main", "● running", "Changes require the role operator. The roles of grafana are viewer.");
        shown.awaitText("header", "operator grafana");
        for (String view : VIEWS) {
            shown.view(view).awaitThat("document.querySelector('main :is(table, form, .state)') !== null");
            assertThat(
                            shown.evaluate(
                                    "[...document.querySelectorAll('main button')].map(one => one.innerText)"
                                            + ".filter(word => /^(Drain|Disable|Enable|Weight|Hold|Let|Roll|Reload|Pause|Set|Promote|Abort|Stop|Forget)/.test(word))"))
                    .as(view)
                    .isEmpty();
        }
        shown.view("Mirrors").press("header", "header x-name").awaitText("#examples", "require the role recorder");

        shown.press("Forget the token", "Lychgate");
        signIn(shown, ALICE);
        shown.view("Rollout").awaitText("main", "● running", "Abort …").press("Pause", "Lychgate");
        shown.awaitText("header", "Paused");
        reload(shown, "viewer");
        decide(shown, "Abort …", "Abort the rollout of generation", "Abort the rollout");
        shown.awaitText(".notice", "Not done: this change requires the role operator");
    }

    private static void signIn(BrowserPage shown, String token) throws Exception {
        shown.awaitText("main", "Sign in").fill("token", token).press("Enter", "Token");
    }

    private void reload(BrowserPage shown, String roles) throws IOException {
        configure("/orders/**", OPERATORS.formatted(roles));
        admin(shown, "POST", "reload?rollout=off");
    }
}
