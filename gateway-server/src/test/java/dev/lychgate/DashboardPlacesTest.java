package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Views of the dashboard with a URL: sorted and filtered routes, one exchange, one endpoint. */
@Tag("slow")
class DashboardPlacesTest extends DashboardInBrowser {
    private static final String ROUTES =
            "[...document.querySelector(\".scroll[aria-label^='Routes']\").querySelectorAll('tbody tr')]";

    private static List<String> routes(BrowserPage shown) {
        List<String> names = new ArrayList<>();
        for (JsonNode name : shown.evaluate(ROUTES + ".map(row => row.cells[0].innerText)")) {
            names.add(name.asText());
        }
        return names;
    }

    private static String hash(BrowserPage shown) {
        return shown.evaluate("location.hash").asText();
    }

    private static String sort(String column) {
        return "[...document.querySelectorAll('th')].find(one => one.innerText.startsWith('" + column + "'))";
    }

    private BrowserPage traffic() throws Exception {
        return open().answering(DashboardProblems.all())
                .size(1280, 860)
                .view("Traffic")
                .awaitText("main", "24 %", "shop", "circuit");
    }

    @Test
    void showsTheHitRatioOfRoutesWithACache() throws Exception {
        BrowserPage shown = traffic().awaitText("main", "From the cache", "90 %");
        shown.press("From the cache", "Last minutes");
        shown.awaitThat(sort("From the cache") + ".ariaSort !== null");
    }

    @Test
    void sortsRoutesByAnyColumn() throws Exception {
        BrowserPage shown = traffic();
        assertThat(routes(shown)).containsExactly("api", "quiet", "shop");

        for (String column : List.of(
                "Route",
                "Upstream",
                "Last minutes",
                "Per second",
                "Errors",
                "p50",
                "p99",
                "Responses",
                "Since the start")) {
            shown.press(column, "Last minutes");
            shown.awaitThat(sort(column) + ".ariaSort !== null");
            String first =
                    shown.evaluate(sort(column) + ".getAttribute('aria-sort')").asText();
            List<String> order = routes(shown);
            shown.press(column, "Last minutes");
            shown.awaitThat(sort(column) + ".getAttribute('aria-sort') !== " + BrowserPage.quoted(first));
            assertThat(routes(shown)).as(column).isNotEqualTo(order);
            assertThat(shown.evaluate("document.querySelectorAll('th[aria-sort]').length")
                            .asInt())
                    .isOne();
        }
        assertThat(hash(shown)).isEqualTo("#traffic?sort=total");
        assertThat(routes(shown)).containsExactly("quiet", "shop", "api");
    }

    @Test
    void sortsRoutesWithTheKeyboardAndPutsMissingValuesLast() throws Exception {
        BrowserPage shown = traffic();
        shown.evaluate(sort("p99") + ".querySelector('button').focus()");

        shown.key("Enter").awaitThat(sort("p99") + ".getAttribute('aria-sort') === 'descending'");
        assertThat(routes(shown)).containsExactly("shop", "api", "quiet");
        shown.key("Enter").awaitThat(sort("p99") + ".getAttribute('aria-sort') === 'ascending'");
        assertThat(routes(shown)).containsExactly("api", "shop", "quiet");
        assertThat(shown.evaluate("document.activeElement.innerText").asText()).startsWith("p99");
    }

    @Test
    void filtersRoutesByStateAndText() throws Exception {
        BrowserPage shown = traffic();

        shown.fill("state", "errors").awaitText("main", "2 of 3");
        assertThat(routes(shown)).containsExactly("api", "shop");
        shown.fill("state", "open").awaitText("main", "1 of 3");
        assertThat(routes(shown)).as("the circuit of its upstream is open").containsExactly("api");
        shown.fill("q", "cart").awaitText("main", "no route matches the filter");
        shown.fill("state", "").awaitText("main", "1 of 3");
        assertThat(routes(shown)).as("found by its path").containsExactly("shop");
        shown.fill("q", "GOODS").awaitText("main", "1 of 3");
        assertThat(routes(shown)).as("found by its upstream").containsExactly("shop");
    }

    @Test
    void sharesASortedAndFilteredViewByItsUrl() throws Exception {
        BrowserPage shown = traffic();
        shown.press("p99", "Last minutes").fill("state", "errors").fill("q", "a");
        shown.awaitThat("location.hash === '#traffic?sort=-p99&state=errors&q=a'");
        int steps = shown.evaluate("history.length").asInt();

        shown.fill("q", "").awaitText("main", "2 of 3");
        assertThat(shown.evaluate("history.length").asInt())
                .as("no step of the history")
                .isEqualTo(steps);
        String shared = shown.evaluate("location.href").asText();
        shown.go("about:blank").go(shared).awaitText("main", "2 of 3");

        assertThat(routes(shown)).containsExactly("shop", "api");
        assertThat(shown.evaluate("document.querySelector('[name=state]').value")
                        .asText())
                .isEqualTo("errors");
        assertThat(shown.evaluate(sort("p99") + ".getAttribute('aria-sort')").asText())
                .isEqualTo("descending");
    }

    @Test
    void opensAnExchangeByItsUrl() throws Exception {
        BrowserPage shown = open().view("Exchanges").awaitText("main", "GET /flaky");
        shown.press("GET /flaky", "GET /flaky").awaitText("#story", "GET /flaky", "Time line of ");
        String url = shown.evaluate("location.href").asText();
        assertThat(url).matches(".*#exchanges/[0-9a-f]{24}");

        shown.press("Close", "GET /flaky")
                .awaitThat("location.hash === '#exchanges' && document.querySelector('#story') === null");
        shown.back().awaitText("#story", "GET /flaky");
        shown.go("about:blank").go(url).awaitText("#story", "GET /flaky", url.substring(url.lastIndexOf('/') + 1));
        shown.awaitThat("document.activeElement.id === 'story'");
        assertThat(shown.complaints()).isEmpty();
    }

    @Test
    void reportsThatTheExchangeOfAUrlIsNotKept() throws Exception {
        BrowserPage shown = open().go("about:blank").go(admin() + "/dashboard#exchanges/0123456789abcdef01234567");

        shown.awaitText(
                "#story", "This exchange is not kept", "0123456789abcdef01234567", "no exchange with that id is kept");
        shown.awaitText("main", "GET /flaky");
        Thread.sleep(5000); // two further polls
        assertThat(shown.asked())
                .filteredOn(asked -> asked.contains("exchanges/one"))
                .hasSize(1);
        shown.press("GET /flaky", "GET /flaky").awaitText("#story", "GET /flaky");
        shown.back().awaitText("#story", "This exchange is not kept");
    }

    @Test
    void showsRateErrorsAndLatencyOfEachEndpoint() throws Exception {
        BrowserPage shown = open().size(1280, 860).view("Topology");
        String row = "[...document.querySelectorAll(\"section[aria-label='Upstream orders'] tbody tr\")][0]";

        assertThat(shown.awaitText("main", "Per second", "p99")
                        .evaluate("[...document.querySelectorAll(\"section[aria-label='Upstream orders'] thead th\")]"
                                + ".slice(3, 7).map(one => one.innerText).join()")
                        .asText())
                .isEqualTo("Per second,Errors,p50,p99");
        shown.awaitThat(row + ".cells[3].innerText > 0 && /✖ \\d/.test(" + row + ".cells[4].innerText)");
        shown.awaitThat(
                "/[µm]?s$/.test(" + row + ".cells[5].innerText) && /[µm]?s$/.test(" + row + ".cells[6].innerText)");
    }
}
