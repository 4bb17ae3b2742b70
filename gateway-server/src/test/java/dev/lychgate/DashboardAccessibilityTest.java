package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accessibility of the dashboard, measured in a browser.
 *
 * @see <a href="https://www.w3.org/TR/WCAG22/">Web Content Accessibility Guidelines 2.2</a>, level AA
 */
@Tag("slow")
class DashboardAccessibilityTest extends DashboardInBrowser {
    private static final int FEW = 30;

    /** Every view with all of its content: a record, an outcome, a difference, a notice. */
    private interface Look {
        void at(String view) throws Exception;
    }

    /** The violations, with their views. */
    private final List<String> amiss = new ArrayList<>();

    private BrowserPage opened() throws Exception {
        BrowserPage shown = open().answering(new DashboardFixtures()).size(1280, 860);
        shown.view("Traffic").awaitThat("document.querySelectorAll('svg.sparkline polyline').length > 3");
        shown.view("Overview").awaitText("main", "GET /orders/42");
        try (InputStream script = DashboardAccessibilityTest.class.getResourceAsStream("looks.js")) {
            if (script == null) {
                throw new IOException("looks.js is missing");
            }
            shown.evaluate(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        return shown;
    }

    private void walk(BrowserPage shown, Look look) throws Exception {
        look.at("Overview");
        shown.view("Traffic").press("p99", "Last minutes").awaitText("main", "p99 ▼");
        look.at("Traffic");
        shown.view("Topology").press("Drain", orders());
        shown.awaitText("dialog", "The endpoint gets no new requests");
        look.at("Topology, asking");
        shown.press("Drain", "The endpoint gets no new requests")
                .awaitText("section[aria-label='Upstream orders']", "draining");
        look.at("Topology");
        shown.view("Filters").awaitText("main", "guard");
        look.at("Filters");
        shown.view("Rollout").awaitText("main", "By route", "x-tenant");
        look.at("Rollout");
        shown.press("Set the share", "Promote now").awaitText("dialog", "Share of generation 8");
        look.at("Rollout, asking");
        shown.press("Cancel", "Share of generation 8").awaitThat("!document.querySelector('dialog').open");
        shown.view("Mirrors").press("json", "$.orders").awaitText("main", "Response to the copy", "17.90");
        look.at("Mirrors");
        shown.view("Faults").awaitText("main", "thin-pipe", "the configuration");
        look.at("Faults");
        shown.view("History").press("#39", "#39").awaitText("#story", "Entry 39", "gateway.yml");
        look.at("History");
        shown.view("Breakers and pools").awaitText("main", "Reused");
        look.at("Breakers and pools");
        shown.view("Exchanges").press("GET /orders/42", "GET /orders/42").awaitText("#story", "Time line");
        look.at("Exchanges");
        shown.view("Try a request")
                .fill("url", "/catalogue/shoes")
                .press("Try", "Method")
                .awaitText("#outcome", "Route catalogue");
        look.at("Try a request");
        stopFollowing();
        configure("/orders/v2/**", "");
        shown.view("Generations").press("Reload", "Reload").press("Reload", "files again?");
        shown.awaitText("header", "generation 2").press("Compare", "generation 1 with");
        shown.awaitText("#difference", "/orders/v2/**");
        look.at("Generations");
    }

    private void note(String view, JsonNode sentences) {
        sentences.forEach(one -> amiss.add(view + ": " + one.asText()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void textAndMeaningfulGraphicsHaveSufficientContrast(String scheme) throws Exception {
        BrowserPage shown = opened().prefers(scheme);

        walk(shown, view -> {
            JsonNode found = shown.evaluate("window.looks.contrast()");
            assertThat(found.path("measured").asInt()).as(view).isGreaterThan(view.endsWith("asking") ? 3 : FEW);
            note(view, found.path("amiss"));
        });
        assertThat(amiss).isEmpty();
    }

    @Test
    void everythingHasAName() throws Exception {
        BrowserPage shown = opened();

        walk(shown, view -> note(view, shown.evaluate("window.looks.names()")));
        assertThat(amiss).isEmpty();
    }

    @Test
    void theTabKeyReachesEveryControlWithAVisibleFocus() throws Exception {
        BrowserPage shown = opened();
        shown.press("Pause", "Lychgate").awaitText("header", "Paused"); // no new rows arrive during the count

        walk(shown, view -> {
            int controls = shown.evaluate("window.looks.follow()").asInt();
            assertThat(controls).as(view).isGreaterThan(1);
            // Areas that scroll are stops too, and a list that is drawn again moves the focus: a second round, if one
            // is not enough.
            for (int i = 0; i < 2 * controls + 4; i++) {
                shown.key("Tab");
                if (i == controls && shown.evaluate("window.looks.followed()").isEmpty()) {
                    break;
                }
            }
            note(view, shown.evaluate("window.looks.followed()"));
        });
        assertThat(amiss).isEmpty();
    }
}
