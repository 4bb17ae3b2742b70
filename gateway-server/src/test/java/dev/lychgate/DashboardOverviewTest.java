package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The first view of the dashboard: every problem of the gateway, with a link to its details. */
@Tag("slow")
class DashboardOverviewTest extends DashboardInBrowser {
    private static final String ROWS =
            "[...document.querySelector(\"[aria-label^='Problems']\").querySelectorAll('tbody tr')]";

    private List<String> texts(BrowserPage shown, String expression) {
        List<String> texts = new ArrayList<>();
        for (JsonNode text : shown.evaluate(expression)) {
            texts.add(text.asText());
        }
        return texts;
    }

    private void act(BrowserPage shown, String action) {
        shown.evaluate("fetch(" + BrowserPage.quoted(action)
                + ", { method: 'POST', headers: { 'x-lychgate-admin': 'test' } }).then(answer => answer.text())");
    }

    @Test
    void countsTheProblemsOfARunningGatewayInsteadOfCallingItReady() throws Exception {
        BrowserPage shown = open().size(1280, 860).awaitText("h1", "Overview");
        shown.awaitText("main", "Errors: route flaky").awaitText("#facts a", "problem");
        act(shown, "breakers?upstream=orders&state=force-open");
        act(shown, "upstreams/endpoint?upstream=catalogue&endpoint=" + LOOPBACK + second.port() + "&state=draining");
        act(shown, "drain?ready=false");

        shown.awaitText(
                "main", "Circuit open: orders", "held open by an operator", "Endpoint draining: catalogue, ", "severe");
        shown.awaitText("main", "Not ready: gateway", "draining").awaitText("#facts", "not ready, ", " problems");
        assertThat(shown.text("#facts")).doesNotContain("● ready");

        shown.view("Filters").evaluate("document.querySelector('#facts a').click()");
        shown.awaitText("h1", "Overview");
        shown.press("Circuit open", "Circuit open: orders").awaitText("h1", "Breakers and pools");
        shown.awaitThat(
                "document.activeElement.matches('tr.chosen') && /orders[^]*open/.test(document.activeElement.innerText)");
        shown.back().awaitText("h1", "Overview");
    }

    @Test
    void showsThatARollbackIsPinned() throws Exception {
        BrowserPage shown = open();
        stopFollowing();
        configure("/orders/v2/**", "");
        act(shown, "reload");
        shown.awaitText("header", "generation 2");
        act(shown, "rollback?generation=1");

        shown.awaitText("main", "Rollback pinned: generation 3", "until a reload");
        shown.press("Rollback pinned", "Rollback pinned").awaitText("h1", "Generations");
        shown.awaitText("section[aria-label=Rollback]", "▲ pinned", "Changes of files are not applied until a reload");
    }

    @Test
    void listsEveryKindOfProblemTheMostSevereFirst() throws Exception {
        BrowserPage shown = open().answering(DashboardProblems.all()).size(1280, 860);
        shown.awaitText("main", "30 problems", "11 of them severe").awaitText("#facts a", "✖ 30 problems");

        assertThat(texts(shown, ROWS + ".map(row => row.cells[0].innerText)"))
                .containsExactly(
                        "Files refused: generation 3 still runs",
                        "Upstream panics: api",
                        "Endpoint unhealthy: api, 10.0.0.1:9000",
                        "Endpoint ejected: api, 10.0.0.2:9000",
                        "Endpoint fails: api, 10.0.0.4:9000",
                        "Circuit open: api",
                        "Errors: route api",
                        "Event loop silent: loop 0",
                        "Certificate expired: secure, api",
                        "Out of memory: messages refused, lychgate_memory_refused_total",
                        "Filter ejected: api",
                        "Rollback pinned: generation 3",
                        "Rollout aborted: generation 8",
                        "DNS lookup failed: api, api",
                        "Endpoint draining: api, 10.0.0.3:9000",
                        "Requests wait for a connection: api, 10.0.0.5:9000",
                        "Circuit half-open: api, 10.0.0.1:9000",
                        "Circuit held closed: goods",
                        "Errors: route shop",
                        "Event loop late: loop 1",
                        "Listener nearly full: main",
                        "Connection limit lowered: secure",
                        "Certificate expires soon: secure, shop.example",
                        "Log incomplete: access log, lychgate_access_log_dropped_total",
                        "Receiver fails: api, lychgate_push_failed_tries_total",
                        "Filter disabled: stamp",
                        "Filter file not used: api",
                        "Mirror differs: route api to api-v2",
                        "Fault injected: api",
                        "Fault injected: thin-pipe");
        assertThat(texts(shown, ROWS + ".map(row => row.cells[1].innerText)")).contains("✖ severe", "▲ warning");
        shown.awaitText(
                "main",
                "24 % of its requests fail",
                "30 of 40 attempts failed, opened 2 times",
                "100 % of its attempts fail",
                "4 waiting",
                "in filter api",
                "95 of 100 connections",
                "100 of 500 connections, because the limit of open files of the process is too low",
                "12 in the last minute, 30 since the start",
                "gateway.yml:1:1: api, and 1 further fault",
                "the rollout of generation 8 is aborted at 10%: filter-failures api",
                "3 groups of differences, most often json $.api",
                "delay 100ms-300ms for 10% of route api, catalogue, by api",
                "2 faults injected into live traffic: api, thin-pipe. The last fault ends in 2 h 3");
    }

    @Test
    void linksEachProblemToItsRow() throws Exception {
        BrowserPage shown = open().answering(DashboardProblems.all()).size(1280, 860);
        shown.awaitText("main", "Errors: route api");
        List<String> addresses = texts(shown, ROWS + ".map(row => row.querySelector('a').getAttribute('href'))");

        for (String address : addresses) {
            shown.evaluate("location.hash = " + BrowserPage.quoted(address));
            if (address.equals("#generations")) {
                shown.awaitText("main", "pinned", "refused");
            } else if (address.equals("#rollout")) {
                shown.awaitText("h1", "Rollout");
            } else {
                shown.awaitThat("document.activeElement.matches('main .chosen[aria-current=true]')");
            }
        }
        assertThat(addresses).hasSizeGreaterThan(20);
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void showsTheMainFiguresIfThereIsNoProblem() throws Exception {
        BrowserPage shown = open().answering(DashboardProblems.none());

        shown.awaitText(
                "main", "● No problems", "Requests a second", "Server errors", "Slowest p99", "Connections", "lag");
        shown.awaitText("#facts a", "● ready");
        assertThat(shown.text("main")).doesNotContain("severe");
    }

    @Test
    void doesNotCallAGatewayReadyWhosePagesCanNotBeRead() throws Exception {
        BrowserPage shown = open().answering(url ->
                url.endsWith("/breakers") ? "no JSON" : DashboardProblems.none().apply(url));

        shown.awaitText("main", "Page not readable: /breakers").awaitText("#facts a", "▲ 1 problem");
    }

    @Test
    void showsHostileNamesAsText() throws Exception {
        BrowserPage shown = open().answering(DashboardProblems.hostile()).size(1280, 860);
        String named = "encodeURIComponent(\"" + DashboardProblems.HOSTILE_QUOTED + "\")";
        shown.awaitText("main", "Errors: route " + DashboardProblems.HOSTILE, "POST /" + DashboardProblems.HOSTILE);
        harmless(shown);

        for (String hash : List.of(
                "'traffic?route=' + " + named,
                "'traffic?state=open&q=' + " + named,
                "'traffic?sort=' + " + named,
                "'topology?upstream=' + " + named,
                "'filters?phase=outbound&name=' + " + named,
                "'filters?file=' + " + named,
                "'breakers?upstream=' + " + named,
                "'exchanges/' + " + named,
                "'rollout'",
                "'mirrors?subject=' + " + named,
                "'mirrors?kind=header&subject=x-name&upstream=' + " + named + " + '-v2&route=' + " + named,
                "'faults?name=' + " + named,
                "'history'",
                "'history/41'",
                "'history/' + " + named,
                "'history?action=' + " + named,
                "'exchanges?reason=' + " + named)) {
            shown.evaluate("location.hash = " + hash);
            shown.awaitThat(
                    "document.querySelector('main').innerText.includes(\"" + DashboardProblems.HOSTILE_QUOTED + "\")");
            harmless(shown);
        }
        shown.evaluate("location.hash = 'exchanges'");
        shown.press("POST /", "POST /").awaitText("#story", "POST /" + DashboardProblems.HOSTILE);
        harmless(shown);
        shown.evaluate("location.hash = '%E0%A4%A?%=%&=" + "<img src=x onerror=window.hacked=1>'");
        shown.awaitText("h1", "Overview");
        harmless(shown);
    }

    private static void harmless(BrowserPage shown) {
        assertThat(shown.evaluate("document.querySelectorAll('main img, main script, [onerror]').length")
                        .asInt())
                .isZero();
        assertThat(shown.evaluate("window.hacked === undefined").asBoolean()).isTrue();
        assertThat(shown.complaints()).isEmpty();
    }
}
