package dev.lychgate.exchange;

import static dev.lychgate.testing.TestFilter.inbound;
import static dev.lychgate.testing.TestFilter.outbound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.FilterStats;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.testing.TestFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of filters on an exchange: pass, respond, refuse or fail. */
@Tag("slow")
class ExchangeFiltersTest {
    private static final String OK = " connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi ";

    private static Stage with(Filter... filters) {
        return new Stage(FilterSet.of(filters));
    }

    @Test
    void aFilterThatProceedsMayChangeTheRequestAndItsRouting() {
        Filter elsewhere = inbound(exchange -> {
            exchange.getRequest().setPath("/api/there");
            exchange.getRequest().setQuery("a=1");
            exchange.getRequest().setMethod("PUT");
            exchange.getRequest().getHeaders().set("X-Changed", "1");
            return exchange.proceed();
        });
        try (Stage stage = with(elsewhere).play("GET/nowhere" + OK)) {
            assertThat(stage.origins().received())
                    .startsWith("PUT /api/there?a=1 HTTP/1.1\r\n")
                    .containsIgnoringCase("\r\nx-changed: 1\r\n");
            assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
        }
    }

    @Test
    void aFilterThatRespondsSkipsTheOriginAndLaterFilters() {
        Filter never = TestFilter.of("never", FilterPhase.INBOUND, exchange -> {
            throw new AssertionError("the condition is not evaluated");
        });
        try (Stage stage = with(inbound(e -> e.respond(418, "short").header("x-a", "1")), never)
                .play("GET/api/x")) {
            assertThat(stage.client().seen()).containsExactly("418", "'short'", "end", "over");
            assertThat(stage.client().headers().get("x-a")).isEqualTo("1");
            assertThat(stage.outcome()).isEqualTo("418 - x0 DONE/DONE kept 0");
            assertThat(stage.exchange().record().responseBytes()).isEqualTo(5);
        }
    }

    @Test
    void aResponseToHeadHasNoBody() {
        try (Stage stage = with(inbound(e -> e.respond(418, "short"))).play("HEAD/api/x")) {
            assertThat(stage.client().seen()).containsExactly("418", "end", "over");
            assertThat(stage.client().headers().get("content-length")).isEqualTo("5");
        }
    }

    @Test
    void aFilterThatRefusesSendsTheReason() {
        Filter refusing = inbound(e -> e.fail(ErrorKind.METHOD_NOT_ALLOWED, "not here"));
        try (Stage stage = with(refusing).play("POST/api/x piece end")) {
            assertThat(stage.client().seen()).containsExactly("405", "problem", "end", "over-early");
            assertThat(stage.outcome()).isEqualTo("405 method-not-allowed x0 ABORTED/DONE kept 0");
            assertThat(stage.heldPieces()).isZero();
        }
    }

    @Test
    void aFilterThatFailsClosedIsAnInternalErrorAndCounted() {
        for (TestFilter.Decision broken : List.<TestFilter.Decision>of(
                e -> {
                    throw new IllegalStateException("on purpose: a filter that throws");
                },
                e -> {
                    throw new StackOverflowError("on purpose");
                },
                e -> {
                    throw new NoClassDefFoundError("on purpose");
                },
                e -> {
                    throw new InternalError("on purpose");
                },
                e -> {
                    throw new UnknownError("on purpose");
                },
                e -> null,
                e -> FilterOutcome.respond(e.getResponse().getStatus()))) {
            try (Stage stage = with(inbound(broken)).play("GET/api/x")) {
                assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
                assertThat(stage.outcome()).isEqualTo("500 internal x0 DONE/DONE kept 0");
                assertThat(stage.timesObserved()).isEqualTo(1);
                assertThat(stage.slot("in").stats().failures()).isEqualTo(1);
            }
        }
    }

    @Test
    void aFilterThatFailsOpenIsSkippedAndCounted() {
        Filter broken = TestFilter.of("in", FilterPhase.INBOUND, e -> {
                    throw new IllegalStateException("on purpose: a filter that throws");
                })
                .failing(FailurePolicy.FAIL_OPEN);
        try (Stage stage = with(broken).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
            assertThat(stage.slot("in").stats().failures()).isEqualTo(1);
        }
    }

    @Test
    void anOutboundFilterReceivesEveryResponseIncludingTheGateways() {
        Filter plusOne = outbound(e -> {
            e.getResponse().setStatus(e.getResponse().getStatus() + 1);
            return e.proceed();
        });
        try (Stage stage = with(plusOne).play("GET/api/x" + OK)) {
            assertThat(stage.outcome()).isEqualTo("201 - x1 DONE/DONE kept 1");
        }
        try (Stage stage = with(plusOne).play("GET/nowhere")) {
            assertThat(stage.client().seen()).containsExactly("405", "problem", "end", "over");
        }
        try (Stage stage = with(plusOne, inbound(e -> e.respond(200, "x"))).play("GET/nowhere")) {
            assertThat(stage.client().seen()).containsExactly("201", "'x'", "end", "over");
        }
    }

    @Test
    void anOutboundFilterThatThrowsKeepsTheResponseUnlessItFailsClosed() {
        TestFilter broken = TestFilter.of("out", FilterPhase.OUTBOUND, e -> {
            throw new IllegalStateException("on purpose: a filter that throws");
        });
        try (Stage stage = with(broken).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
        }
        try (Stage stage = with(broken.failing(FailurePolicy.FAIL_CLOSED)).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
            assertThat(stage.outcome()).isEqualTo("500 internal x1 DONE/DONE kept 0");
        }
    }

    @Test
    void anOutboundFilterMayReplaceTheResponseOfTheOrigin() {
        try (Stage stage = with(outbound(e -> e.respond(503, "not today"))).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("503", "'not today'", "end", "over");
            assertThat(stage.heldPieces()).isZero();
        }
    }

    @Test
    void aStatusThatHasNoBodyGetsNone() {
        Filter empty = outbound(e -> {
            e.getResponse().setStatus(204);
            return e.proceed();
        });
        try (Stage stage = with(empty).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("204", "end", "over");
            assertThat(stage.client().headers().contains("content-length")).isFalse();
        }
    }

    @Test
    void anErrorFilterMayRespond() {
        List<String> seen = new ArrayList<>();
        Filter kind = TestFilter.of("error", FilterPhase.ERROR, e -> {
            seen.add(Objects.requireNonNull(e.getError()).kind().label());
            return seen.size() == 1 ? e.respond(404, "nothing here") : e.proceed();
        });
        try (Stage stage = with(kind).play("GET/nowhere")) {
            assertThat(stage.client().seen()).containsExactly("404", "'nothing here'", "end", "over");
        }
        try (Stage stage = with(kind).play("GET/api/x connects hangs-up")) {
            assertThat(stage.client().seen()).containsExactly("502", "problem", "end", "over");
        }
        assertThat(seen).containsExactly("no-route", "origin-reset");
    }

    @Test
    void anErrorFilterThatFailsKeepsTheError() {
        for (FailurePolicy policy : FailurePolicy.values()) {
            Filter broken = TestFilter.of("error", FilterPhase.ERROR, e -> {
                        throw new IllegalStateException("on purpose: a filter that throws");
                    })
                    .failing(policy);
            try (Stage stage = with(broken).play("GET/nowhere")) {
                assertThat(stage.client().seen())
                        .containsExactly(policy == FailurePolicy.FAIL_OPEN ? "404" : "500", "problem", "end", "over");
            }
        }
    }

    @Test
    void anEndpointFilterRespondsInsteadOfTheUpstreamOrProceeds() {
        Filter endpoint = TestFilter.of(
                "endpoint",
                FilterPhase.ENDPOINT,
                e -> "yes".equals(e.getRequest().getQuery()) ? e.respond(200, "" + e.getRoute()) : e.proceed());
        try (Stage stage = with(endpoint).play("GET/api/x?yes")) {
            assertThat(stage.client().seen()).containsExactly("200", "'api'", "end", "over");
        }
        try (Stage stage = with(endpoint).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
        }
    }

    @Test
    void filtersRunInTheirOrderAndThenByName() {
        StringBuilder ran = new StringBuilder();
        List<Filter> filters = new ArrayList<>();
        for (String name : List.of("d", "b", "c", "a")) {
            filters.add(TestFilter.of(name, FilterPhase.INBOUND, e -> {
                        ran.append(name);
                        return e.proceed();
                    })
                    .at(name.equals("a") ? 1 : 0));
        }
        try (Stage stage = with(filters.toArray(Filter[]::new)).play("GET/api/x" + OK)) {
            assertThat(ran).hasToString("bcda");
            assertThat(stage.outcome()).startsWith("200");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1\r\nx-b: 2", "a\nb", "\u0000", "\u010a"})
    void aFilterCanNotBreakOutOfTheLineOfAHeaderField(String value) {
        Filter injecting = inbound(e -> {
            e.getRequest().getHeaders().set("x-a", value);
            return e.proceed();
        });
        try (Stage stage = with(injecting).play("GET/api/x")) {
            assertThat(stage.outcome()).isEqualTo("500 internal x0 DONE/DONE kept 0");
        }
        Filter splitting = outbound(e -> {
            e.getResponse().getHeaders().set("x-a", value);
            return e.proceed();
        });
        try (Stage stage = with(splitting).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
            assertThat(stage.client().headers().contains("x-a")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "transfer-encoding", "Connection", "TE", "Upgrade", "Host", "a b", ""})
    void aFilterHasNoSayInFraming(String name) {
        Filter meddling = inbound(e -> {
            e.getRequest().getHeaders().set(name, "7");
            return e.proceed();
        });
        try (Stage stage = with(meddling).play("GET/api/x")) {
            assertThat(stage.outcome()).isEqualTo("500 internal x0 DONE/DONE kept 0");
        }
    }

    @Test
    void rejectsChangesOfSentHeads() {
        Filter late = TestFilter.of("late", FilterPhase.OUTBOUND, e -> {
                    e.getRequest().setPath("/other");
                    return e.proceed();
                })
                .failing(FailurePolicy.FAIL_CLOSED);
        try (Stage stage = with(late).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
        }
    }

    @Test
    void anEjectedFilterDoesNotRunAndFailsItsExchangesIfItFailsClosed() {
        for (FailurePolicy policy : FailurePolicy.values()) {
            Filter guard = TestFilter.of("guard", FilterPhase.INBOUND, e -> e.respond(401))
                    .failing(policy);
            try (Stage stage = with(guard)) {
                stage.slot("guard").eject(FilterSlot.Ejection.NOT_RUN);
                stage.play("GET/api/x" + (policy == FailurePolicy.FAIL_OPEN ? OK : ""));
                assertThat(stage.client().seen().get(0)).isEqualTo(policy == FailurePolicy.FAIL_OPEN ? "200" : "500");
                assertThat(stage.slot("guard").stats().skipped()).isEqualTo(1);
            }
        }
    }

    @Test
    void theConditionOfADisabledFilterIsNotEvaluated() {
        for (FailurePolicy policy : FailurePolicy.values()) {
            Filter guard = new TestFilter.Applying(
                    TestFilter.of("guard", FilterPhase.INBOUND, e -> e.respond(401))
                            .failing(policy),
                    e -> {
                        throw new AssertionError("the condition was evaluated");
                    });
            try (Stage stage = with(guard)) {
                stage.slot("guard").stats().wish(FilterStats.Wish.LEAVE_OUT_REGARDLESS);
                stage.play("GET/api/x" + OK);
                assertThat(stage.client().seen().get(0)).isEqualTo("200");
                assertThat(stage.slot("guard").stats().skipped()).isEqualTo(1);
            }
        }
    }

    @Test
    void aFilterThatFailsClosedIsDisabledOnlyWithAConfirmation() {
        Filter guard =
                TestFilter.of("guard", FilterPhase.INBOUND, e -> e.respond(401)).failing(FailurePolicy.FAIL_CLOSED);
        try (Stage stage = with(guard)) {
            stage.slot("guard").stats().wish(FilterStats.Wish.LEAVE_OUT);
            stage.play("GET/api/x");
            assertThat(stage.client().seen().get(0)).isEqualTo("401");
            assertThat(stage.slot("guard").isDisabled()).isFalse();
        }
    }

    @Test
    void anEjectedFilterCostsNothingWhereItWouldNotHaveApplied() {
        Filter elsewhere =
                new TestFilter.Applying(TestFilter.of("guard", FilterPhase.INBOUND, e -> e.respond(401)), e -> false);
        try (Stage stage = with(elsewhere)) {
            stage.slot("guard").eject(FilterSlot.Ejection.NOT_RUN);
            stage.play("GET/api/x" + OK);
            assertThat(stage.client().seen().get(0)).isEqualTo("200");
        }
        try (Stage stage = with(elsewhere)) {
            // If the slow part is the query itself, the filter's scope is unknown.
            stage.slot("guard").eject(FilterSlot.Ejection.NOT_ASKED);
            stage.play("GET/api/x");
            assertThat(stage.client().seen().get(0)).isEqualTo("500");
        }
    }

    @Test
    void anAttributeIsKeptForTheFiltersAfter() {
        dev.lychgate.filter.AttributeKey<Integer> key = dev.lychgate.filter.AttributeKey.of("count", Integer.class);
        Filter sets = inbound(e -> {
            e.set(key, 7);
            return e.proceed();
        });
        Filter gets = outbound(e -> e.respond(200, "" + e.get(key)));
        try (Stage stage = with(sets, gets).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("200", "'7'", "end", "over");
        }
    }

    @Test
    void aFilterOfARouteRunsOnThatRouteOnly() {
        FilterSet filters = FilterSet.EMPTY.with(inbound(e -> e.respond(200, "mine")), java.util.Set.of("api"));
        try (Stage stage = new Stage(filters).play("GET/api/x")) {
            assertThat(stage.client().seen()).containsExactly("200", "'mine'", "end", "over");
        }
        try (Stage stage = new Stage(filters).play("GET/nowhere")) {
            assertThat(stage.client().seen()).containsExactly("404", "problem", "end", "over");
        }
    }
}
