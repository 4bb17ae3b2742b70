package dev.lychgate;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Draws the pictures of docs/dashboard.md: every view, light and dark, with figures that are always the same. */
@EnabledIfSystemProperty(
        named = "dashboard.pictures",
        matches = ".+",
        disabledReason = "pictures for the docs are made if a directory is set")
class DashboardPicturesTest extends DashboardInBrowser {
    private static final Pictures PICTURES = new Pictures("dashboard");

    @Test
    void drawsEachViewInBothSchemesAndOnAPhone() throws Exception {
        BrowserPage shown = open().answering(new DashboardFixtures()).size(1280, 860);
        Thread.sleep(Long.getLong("dashboard.pictures.after", 60_000)); // for lines with data
        PICTURES.both(shown.view("Overview"), "overview");
        PICTURES.both(shown.view("Traffic"), "traffic");
        shown.view("Topology").press("Drain", orders()).press("Drain", "The endpoint gets no new requests");
        shown.awaitText("section[aria-label='Upstream orders']", "draining").press("Close", "drains.");
        PICTURES.both(shown.awaitText("section[aria-label='Upstream catalogue']", "healthy"), "topology");
        PICTURES.both(shown.view("Filters").awaitText("main", "guard"), "filters");
        PICTURES.both(shown.view("Breakers and pools").awaitText("main", "Reused"), "breakers");
        PICTURES.both(shown.view("Exchanges").awaitText("main", "GET /orders/42"), "exchanges");
        shown.press("GET /orders/42", "GET /orders/42").awaitText("#story", "Time line of 1.20 s");
        PICTURES.both(shown, "exchange");
        shown.view("Try a request").fill("url", "/catalogue/shoes").press("Try", "Method");
        PICTURES.both(shown.awaitText("#outcome", "Route catalogue"), "try");
        stopFollowing();
        configure("/orders/v2/**", "");
        shown.view("Generations").press("Reload", "Reload").awaitText("dialog", "Read the files again?");
        PICTURES.asItIs(shown.size(1280, 560), "question");
        shown.press("Reload", "files again?").awaitText("header", "generation 2");
        shown.press("Close", "The files are in force.");
        shown.press("Compare", "generation 1 with").awaitText("#difference", "/orders/v2/**");
        PICTURES.both(shown, "generations");
        drawsThePhone(shown);
    }

    @Test
    void drawsTheViewsOfChangesAndARolloutOnAPhone() throws Exception {
        BrowserPage shown = open().answering(new DashboardFixtures());
        PICTURES.asItIs(shown.size(1440, 1040).view("Rollout").awaitText("main", "x-tenant"), "rollout");
        shown.view("Mirrors").press("json", "$.orders").awaitText("main", "17.90");
        PICTURES.both(shown, "mirrors");
        PICTURES.both(shown.view("Faults").awaitText("main", "thin-pipe"), "faults");
        PICTURES.both(shown.view("History").awaitText("main", "#42"), "history");
        shown.size(400, 1400).view("Rollout").awaitText("main", "x-tenant").evaluate("scrollTo(0, 0)");
        PICTURES.asItIs(shown, "phone-rollout");
    }

    private static void drawsThePhone(BrowserPage shown) throws Exception {
        shown.evaluate("document.activeElement.blur()");
        shown.size(360, 780);
        for (String view : List.of("Overview", "Traffic", "Topology", "Filters", "Generations")) {
            PICTURES.asItIs(shown.view(view), "phone-" + view);
        }
        PICTURES.asItIs(shown.view("Breakers and pools"), "phone-breakers");
        shown.view("Exchanges").press("GET /orders/42", "GET /orders/42").awaitText("#story", "Time line");
        PICTURES.asItIs(shown, "phone-exchange");
        PICTURES.asItIs(shown.view("Try a request").awaitText("#outcome", "Route catalogue"), "phone-try");
    }
}
