package dev.lychgate.exchange;

import static dev.lychgate.testing.TestFilter.inbound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.testing.TestFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The record of an exchange states whether a filter failed in it. */
class FailedFilterRecordTest {
    private static final String OK = " connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi ";

    private static boolean hasFailedFilter(Filter filter, String events) {
        try (Stage stage = new Stage(FilterSet.of(filter)).play(events)) {
            assertThat(stage.timesObserved()).isEqualTo(1);
            return stage.exchange().record().hasFailedFilter();
        }
    }

    @ParameterizedTest
    @EnumSource(FailurePolicy.class)
    void aFilterThatThrowsHasFailedWhateverItsPolicy(FailurePolicy policy) {
        Filter throwing = TestFilter.of("in", FilterPhase.INBOUND, e -> {
                    throw new IllegalStateException("on purpose");
                })
                .failing(policy);

        assertThat(hasFailedFilter(throwing, "GET/api/x" + (policy == FailurePolicy.FAIL_OPEN ? OK : "")))
                .isTrue();
    }

    @Test
    void aFilterThatRejectsTheRequestHasNotFailed() {
        assertThat(hasFailedFilter(inbound(e -> e.respond(403)), "GET/api/x")).isFalse();
        assertThat(hasFailedFilter(inbound(e -> e.fail(ErrorKind.OVERLOADED, "not now")), "GET/api/x"))
                .isFalse();
    }

    @Test
    void aFailedTransformOfABodyIsAFailedFilter() {
        Filter transforming = inbound(e -> {
            e.getRequest().transformBody(piece -> {
                throw new IllegalStateException("on purpose");
            });
            return e.proceed();
        });

        assertThat(hasFailedFilter(transforming, "POST/api/x connects piece")).isTrue();
    }

    @Test
    void aFailureAfterTheEndOfTheExchangeCounts() {
        Filter late = inbound(e -> {
            e.onCompleted(completion -> {
                throw new IllegalStateException("on purpose");
            });
            return e.respond(204);
        });

        assertThat(hasFailedFilter(late, "GET/api/x")).isTrue();
    }
}
