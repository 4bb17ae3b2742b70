package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Eventually;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content and actions of the dashboard. */
@Tag("slow")
class DashboardInBrowserTest extends DashboardInBrowser {
    /** This gateway has no rollout, no mirror, no rate limits, no faults and no history. */
    private static final Set<String> EMPTY = Set.of("Rollout", "Mirrors", "Limits", "Faults", "History");

    private static final String TOKEN = "correct-horse-battery";

    @Test
    void showsTheStateOfTheGatewayInEachView() throws Exception {
        BrowserPage shown = open().size(1280, 860);

        shown.awaitText("main", "Requests a second", "GET /flaky");
        shown.view("Traffic").awaitText("main", "orders", "catalogue", "no route matched", "p99");
        shown.awaitThat("document.querySelectorAll('svg.sparkline polyline').length > 3");

        shown.view("Topology")
                .awaitText("main", "main", "Upstream orders", orders(), "Upstream catalogue", "redirects with 308");
        shown.awaitText("section[aria-label='Upstream catalogue']", "healthy", "100 %");
        shown.awaitText("section[aria-label='Upstream orders']", "beta", "67 %", "Weight");

        shown.view("Filters").awaitText("main", "request-id", "stamp", "guard", "fail-closed", "Mean time");
        shown.awaitThat(
                "[...document.querySelectorAll('tbody tr')].some(row => /stamp[^]*runs[^]*[1-9][0-9,]*[^]* [µm]s/.test(row.innerText))");

        shown.view("Generations").awaitText("main", "runs", "Reload");
        shown.view("Breakers and pools").awaitText("main", "closed", "itself", "Hold open", orders(), "Reused");

        shown.view("Exchanges").awaitText("main", "GET /flaky", "failed", "503");
        String retried = "[...document.querySelectorAll('tbody tr')].find(row => row.cells[6]?.innerText === '2')";
        shown.awaitThat("Boolean(" + retried + ")").evaluate(retried + ".querySelector('a').click()");
        shown.awaitText(
                "#story", "GET /flaky", "Time line of ", "origin", "retry " + LOOPBACK, "status 503", "request-id");
        shown.awaitThat(
                "document.activeElement.id === 'story' && document.querySelectorAll('#story svg.span').length > 8");

        shown.view("Try a request")
                .fill("url", "/catalogue/shoes")
                .fill("headers", "x-beta: yes")
                .press("Try", "Method");
        shown.awaitText(
                "#outcome", "/catalogue/shoes", "Route beta", "upstream orders", "request-id", "matched", "behind");
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void comparesGenerationsAndRollsBackToOneOfThem() throws Exception {
        BrowserPage shown = open().size(1280, 860).view("Generations");
        stopFollowing();
        Files.writeString(
                home.resolve("filters/outbound/stamp.groovy"), "filter { it.response.headers['x-stamp'] = '2' }\n");
        configure("/orders/v2/**", "");

        shown.press("Reload", "Reload")
                .awaitText("dialog", "Read the files again?")
                .press("Reload", "files again?");
        shown.awaitText("main", "The files are in force.").awaitText("header", "generation 2");
        shown.press("Compare", "generation 1 with");
        shown.awaitText("#difference", "/orders/v2/**", "/orders/**", "stamp.groovy", "+filter", "-filter");

        shown.press("Roll back", "to generation 1")
                .awaitText("dialog", "Roll back to generation 1?")
                .press("Cancel", "Roll back to generation 1?");
        shown.awaitThat("!document.querySelector('dialog').open");
        assertThat(gateway().gateway().generation().number()).isEqualTo(2);

        shown.press("Roll back", "to generation 1").press("Roll back", "Roll back to generation 1?");
        shown.awaitText("main", "Generation 1 has taken effect").awaitText("header", "generation 3");
        assertThat(gateway().gateway().generation().number()).isEqualTo(3);
        assertThat(gateway()
                        .gateway()
                        .generation()
                        .routes()
                        .routes()
                        .get(0)
                        .predicates()
                        .toString())
                .doesNotContain("v2");

        Files.writeString(home.resolve("gateway.yml"), "listener: []\n");
        hasAskedForNothingElseAndNothingWentWrong(shown);
        shown.press("Reload", "Reload")
                .press("Reload", "files again?")
                .awaitText(".notice", "Not done", "gateway.yml:1:1");
        shown.awaitText("section[aria-label='Refusals']", "The previous generation stays in force", "gateway.yml:1:1");
        assertThat(shown.complaints()).singleElement().asString().contains("422");
    }

    @Test
    void disablesAnEndpointSetsAWeightAndForcesACircuit() throws Exception {
        BrowserPage shown = open().view("Topology");

        shown.press("Disable", orders())
                .awaitText("dialog", "Disable " + orders() + "?")
                .press("Disable", "gets no more requests");
        shown.awaitText("main", orders() + " of orders is disabled.")
                .awaitText("section[aria-label='Upstream orders']", "■ disabled");
        String state = "http://127.0.0.1:" + gateway().adminPort() + "/upstreams";
        assertThat(shown.evaluate("fetch(" + BrowserPage.quoted(state) + ").then(answer => answer.text())")
                        .asText())
                .contains("\"admin\":\"disabled\"");
        int before = first.requestsSeen();
        int served = second.requestsSeen();
        Eventually.eventually(
                Duration.ofSeconds(60), () -> assertThat(second.requestsSeen()).isGreaterThan(served + 20));
        assertThat(first.requestsSeen()).isLessThan(before + 5);

        shown.press("Enable", orders()).press("Enable", "share of the traffic again");
        shown.awaitText("main", "is enabled.").awaitText("section[aria-label='Upstream orders']", "67 %");
        shown.press("Weight", orders())
                .awaitText("dialog", "Weight of")
                .fill("value", "7")
                .press("Set", "Weight of");
        shown.awaitThat("[...document.querySelectorAll('tbody tr')].some(row => row.cells[7].innerText === '7')");
        shown.awaitText("section[aria-label='Upstream orders']", "88 %");

        shown.view("Breakers and pools")
                .press("Hold open", "the circuit of orders")
                .press("Hold open", "not even a probe");
        shown.awaitText("main", "an operator: held open", "✖ open", "Let it decide");
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void disablesAFilterAndConfirmsTwiceIfItFailsClosed() throws Exception {
        BrowserPage shown = open().view("Filters");

        shown.press("Disable", "stamp")
                .press("Disable", "Disable stamp?")
                .awaitText("main", "stamp is disabled.", "Enable");
        shown.press("Disable", "guard").press("Disable", "Disable guard?");
        shown.awaitText("dialog", "guard protects something")
                .key("Escape")
                .awaitThat("!document.querySelector('dialog').open");

        assertThat(gateway().gateway().generation().filters().slots())
                .filteredOn(slot -> slot.isDisabled())
                .extracting(slot -> slot.name())
                .containsExactly("stamp");
        assertThat(shown.complaints()).singleElement().asString().contains("409");
    }

    @Test
    void asksForTheTokenAndOmitsItFromUrls() throws Exception {
        BrowserPage shown = open();
        configure("/orders/**", ", token: " + TOKEN);
        shown.evaluate(
                "fetch('reload', { method: 'POST', headers: { 'x-lychgate-admin': 'test' } }).then(answer => answer.text())");

        shown.awaitText("main", "Sign in", "requires the token");
        shown.fill("token", "wrong-horse-battery")
                .press("Enter", "Token")
                .awaitText("main", "does not accept this token");
        shown.fill("token", TOKEN).press("Enter", "Token").awaitText("main", "Requests a second");
        shown.view("Topology").awaitText("main", "Upstream orders");

        assertThat(shown.asked()).noneMatch(url -> url.contains("horse"));
        assertThat(shown.evaluate("sessionStorage.length + localStorage.length + document.cookie.length")
                        .asInt())
                .isZero();
        shown.press("Forget", "Forget the token").awaitText("main", "Sign in");
        shown.evaluate("document.querySelector('main [name=keep]').checked = true");
        shown.fill("token", TOKEN).press("Enter", "Token").awaitText("main", "Upstream orders");
        shown.go(admin() + "/dashboard?again").awaitText("main", "Requests a second");
        shown.press("Forget", "Forget the token").awaitText("main", "Sign in");
        assertThat(shown.evaluate("sessionStorage.length").asInt()).isZero();
        assertThat(shown.complaints()).isNotEmpty().allMatch(line -> line.contains("401") || line.contains("429"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void fitsAPhoneWithoutScrollingSideways(String scheme) throws Exception {
        BrowserPage shown = open().size(360, 780).prefers(scheme);

        for (String view : VIEWS) {
            shown.view(view);
            if (view.equals("Exchanges")) {
                shown.press("GET /flaky", "GET /flaky").awaitText("#story", "Time line");
            } else if (view.equals("Try a request")) {
                shown.fill("url", "/catalogue/" + "shoes-".repeat(20))
                        .press("Try", "Method")
                        .awaitText("#outcome", "Route catalogue");
            } else if (EMPTY.contains(view)) {
                shown.awaitThat("document.querySelector('main .state') !== null");
            } else {
                shown.awaitThat("document.querySelector('main table tbody tr') !== null");
            }
            assertThat(shown.evaluate("document.documentElement.scrollWidth").asInt())
                    .as(view)
                    .isLessThanOrEqualTo(360);
        }
        shown.view("Topology").press("Drain", orders()).awaitText("dialog", "Drain " + orders());
        assertThat(shown.evaluate("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(360);
        shown.key("Escape").awaitThat("!document.querySelector('dialog').open");
        hasAskedForNothingElseAndOnlyTheHistoryIsMissing(shown);
    }

    @Test
    void canBeUsedWithTheKeyboardAlone() throws Exception {
        BrowserPage shown = open();
        String focused = "document.activeElement.innerText.trim()";

        shown.key("Tab").awaitThat(focused + " === 'Skip to the view'").key("Enter");
        shown.awaitThat("document.activeElement.tagName === 'MAIN'");
        shown.evaluate("document.activeElement.blur(); document.querySelector('nav a').focus()");
        shown.key("Tab").awaitThat(focused + " === 'Traffic'");
        shown.key("Tab").awaitThat(focused + " === 'Topology'").key("Enter").awaitText("h1", "Topology");
        shown.awaitThat(focused + " === 'Topology'").awaitText("section[aria-label='Upstream orders']", orders());

        shown.evaluate("document.querySelector('section.lane button').focus()");
        shown.key("Enter")
                .awaitThat(
                        "document.querySelector('dialog').open && document.querySelector('dialog').contains(document.activeElement)");
        shown.key("Escape")
                .awaitThat("!document.querySelector('dialog').open")
                .awaitThat(focused + ".startsWith('Drain')");

        assertThat(shown.evaluate("[...document.querySelectorAll('button, a, input, select, textarea')]"
                                + ".filter(one => one.innerText.trim() === '' && one.labels?.length !== 1).length")
                        .asInt())
                .as("everything that can be pressed or filled has a name")
                .isZero();
        assertThat(shown.evaluate("[...document.querySelectorAll('table')].every(one => one.caption !== null"
                                + " && [...one.querySelectorAll('th')].every(head => head.scope !== ''))")
                        .asBoolean())
                .isTrue();
        hasAskedForNothingElseAndNothingWentWrong(shown);
    }

    @Test
    void doesNotPollWhileItIsHiddenAndReportsAnUnavailableGateway() throws Exception {
        BrowserPage shown = open();
        shown.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.away, configurable: true });"
                + " window.away = true; document.dispatchEvent(new Event('visibilitychange'))");
        shown.awaitThat("new Promise(done => setTimeout(() => done(true), 1000))"); // running requests ended
        int before = shown.asked().size();
        shown.awaitThat("new Promise(done => setTimeout(() => done(true), 5000))");
        assertThat(shown.asked()).hasSize(before);
        shown.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))");
        Eventually.eventually(
                Duration.ofSeconds(60), () -> assertThat(shown.asked()).hasSizeGreaterThan(before));
        assertThat(shown.complaints()).isEmpty();

        gateway().close();

        shown.awaitText(
                "main [role=alert]", "The gateway can't be read: no response", "next attempt in", "The data is from");
        shown.awaitText("main", "Requests a second");
    }
}
