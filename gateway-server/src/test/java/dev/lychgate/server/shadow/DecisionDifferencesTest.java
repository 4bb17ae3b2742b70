package dev.lychgate.server.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.shadow.Decisions.Step;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The differences between the decisions of two generations, and their consequences, which are none. */
class DecisionDifferencesTest {
    private static final Step A = step("a", "proceed", Map.of());
    private static final Step B = step("b", "proceed", Map.of("x-b", "1"));
    private static final Step DENIES = step("d", "respond 403", Map.of());

    private static Step step(String filter, String outcome, Map<String, String> changes) {
        return new Step("inbound " + filter, true, outcome, changes);
    }

    private static Decisions forwarded(Step... steps) {
        return new Decisions(List.of(steps), "api", "one", "/", null, null);
    }

    private static Decisions answered(Step... steps) {
        return new Decisions(List.of(steps), null, null, null, "403", null);
    }

    private static Decisions undecided(ShadowTally.@Nullable Result why, Step... steps) {
        return new Decisions(List.of(steps), null, null, null, null, why);
    }

    private static List<String> differences(Decisions stable, Decisions candidate) {
        return DecisionDifferences.of(stable, candidate).stream()
                .map(difference -> ShadowTally.label(difference.kind()) + " " + difference.subject())
                .toList();
    }

    @Test
    void theOrderOfFiltersAndOnesWithoutEffectAreNoDifference() {
        assertThat(differences(forwarded(A, B), forwarded(B, A))).isEmpty();
        assertThat(differences(forwarded(B), forwarded(A, B))).isEmpty();
        assertThat(differences(forwarded(A), forwarded())).isEmpty();
    }

    @Test
    void aFilterOfOneSideIsADifferenceByItsChanges() {
        assertThat(differences(forwarded(A), forwarded(A, B))).containsExactly("change inbound b: x-b");
        assertThat(differences(forwarded(B), forwarded())).containsExactly("change inbound b: x-b");
    }

    @Test
    void consequencesOfAnEndAreNoDifferences() {
        assertThat(differences(forwarded(A, B), answered(DENIES)))
                .containsExactly("run inbound d: did not run -> respond 403");
        assertThat(differences(answered(step("a", "respond 401", Map.of())), forwarded(A, B)))
                .containsExactly("outcome inbound a: respond 401 -> proceed");
        assertThat(differences(answered(step("a", "respond 401", Map.of())), answered(DENIES)))
                .containsExactlyInAnyOrder(
                        "run inbound a: respond 401 -> did not run", "run inbound d: did not run -> respond 403");
        assertThat(differences(answered(A, DENIES), answered(A, DENIES))).isEmpty();
    }

    @Test
    void nothingIsComparedThatAnUndecidedSideHasNotReached() {
        Step calls = step("c", "calls out", Map.of());
        ShadowTally.Result callOut = ShadowTally.Result.CALL_OUT;
        assertThat(differences(undecided(callOut, A, calls), undecided(callOut, A, calls)))
                .isEmpty();
        assertThat(differences(undecided(ShadowTally.Result.TIME, A), forwarded(A, B)))
                .isEmpty();
        assertThat(differences(forwarded(A, B), undecided(callOut, A, calls)))
                .containsExactly("run inbound c: did not run -> calls out");
        assertThat(differences(forwarded(B), undecided(callOut, step("b", "calls out", Map.of()))))
                .contains("outcome inbound b: proceed -> calls out");
    }

    @Test
    void anotherRouteHasOtherFiltersWhichAreNotCompared() {
        Decisions other = new Decisions(
                List.of(A, new Step("inbound e", false, "proceed", Map.of("x-e", "1"))), "new", "two", "/", null, null);
        assertThat(differences(forwarded(A), other)).containsExactly("route api -> new", "upstream one -> two");
    }

    @Test
    void responsesOfTheGatewayAreComparedByStatusAndError() {
        Decisions missing = new Decisions(List.of(), null, null, null, "404 no-route", null);
        assertThat(differences(forwarded(), missing))
                .containsExactly("route api -> none", "status forwarded -> 404 no-route");
    }
}
