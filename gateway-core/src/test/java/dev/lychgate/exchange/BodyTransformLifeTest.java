package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.testing.TestFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The times at which transforms emit output. They are closed once, regardless of the end of their exchange. */
class BodyTransformLifeTest {
    private static final String CHUNKED = "says:HTTP/1.1_200_OK~Transfer-Encoding:_chunked~~";

    /** Emits each byte separately, and holds every third one until a flush. */
    private static final class OneByOne implements BodyTransform {
        private final StringBuilder waiting = new StringBuilder();
        private final boolean keepsThird;
        private String kept = "";
        private int closed;

        OneByOne(boolean keepsThird) {
            this.keepsThird = keepsThird;
        }

        @Override
        public byte[] piece(byte[] piece) {
            assertThat(closed).isZero();
            String text = new String(piece, StandardCharsets.US_ASCII);
            if (text.contains("x")) {
                throw new BodyRefusal(GatewayError.downstream(ErrorKind.BODY_TOO_LARGE, "no x"));
            }
            waiting.append(kept).append(text);
            kept = "";
            return more();
        }

        @Override
        public boolean hasMore() {
            assertThat(closed).isZero();
            return waiting.length() > (keepsThird ? 1 : 0);
        }

        @Override
        public byte[] more() {
            String next = waiting.substring(0, 1);
            waiting.deleteCharAt(0);
            if (keepsThird && !hasMore()) {
                kept += waiting;
                waiting.setLength(0);
            }
            return bytes(next);
        }

        @Override
        public byte[] flush() {
            assertThat(closed).isZero();
            String flushed = kept;
            kept = "";
            return bytes(flushed);
        }

        @Override
        public byte[] end() {
            return bytes(kept + "!");
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private final List<OneByOne> made = new ArrayList<>();

    private OneByOne make(boolean keepsThird) {
        OneByOne transform = new OneByOne(keepsThird);
        made.add(transform);
        return transform;
    }

    private FilterOutcome onRequest(FilterExchange e) {
        e.getRequest().transformBody(make(false));
        return e.proceed();
    }

    private FilterOutcome onAnswer(FilterExchange e) {
        e.getResponse().transformBody(make(true));
        return e.proceed();
    }

    private Stage both(Filter... more) {
        FilterSet filters = FilterSet.of(
                TestFilter.inbound(this::onRequest),
                TestFilter.of("first", FilterPhase.OUTBOUND, this::onAnswer).at(-1));
        for (Filter filter : more) {
            filters = filters.with(List.of(filter));
        }
        return new Stage(filters);
    }

    // ---- their end

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET/api/a connects says:HTTP/1.1_200_OK~Content-Length:_3~~abc",
                "GET/api/a connects " + CHUNKED + "3~abc~0~~",
                "GET/api/a connects " + CHUNKED + "3~abc~ leaves",
                "GET/api/a connects " + CHUNKED + "3~abc~ hangs-up",
                "GET/api/a connects slow " + CHUNKED + "3~abc~ time",
                "GET/api/a connects " + CHUNKED + "3~axc~",
                "GET/api/a connects says:HTTP/1.1_204_No_Content~~",
                "HEAD/api/a connects says:HTTP/1.1_200_OK~Content-Length:_3~~",
                "GET/api/a refuses",
                "GET/api/a leaves",
                "POST/api/a connects piece end says:HTTP/1.1_200_OK~Content-Length:_3~~abc",
                "POST/api/a connects piece says:HTTP/1.1_200_OK~Content-Length:_3~~abc",
                "POST/api/a connects piece breaks",
                "POST/api/a connects piece leaves",
                "POST/api/a connects full piece leaves",
                "POST/api/a time",
                "GET/local",
                "GET/nowhere"
            })
    void isToldOnceWhateverBecomesOfTheExchange(String events) {
        try (Stage stage = both().play(events)) {
            assertThat(stage.exchange().record().phase()).isEqualTo(Phase.CLOSED);
            assertThat(made).isNotEmpty().allSatisfy(t -> assertThat(t.closed).isEqualTo(1));
            assertThat(stage.heldPieces()).isZero();
        }
    }

    @Test
    void closesTransformsOfABodyThatALaterFilterReplaces() {
        Filter replaces = TestFilter.of("second", FilterPhase.OUTBOUND, e -> {
            e.getResponse().setText("new");
            return e.proceed();
        });
        try (Stage stage = both(replaces).play("GET/api/a connects " + CHUNKED + "3~abc~0~~")) {
            assertThat(stage.client().seen()).containsExactly("200", "'new'", "end", "over");
            assertThat(made).hasSize(2).allSatisfy(t -> assertThat(t.closed).isEqualTo(1));
        }
    }

    @Test
    void closesTransformsOfAResponseThatALaterFilterReplaces() {
        Filter answers = TestFilter.of("second", FilterPhase.OUTBOUND, e -> e.respond(500, "mine"));
        try (Stage stage = both(answers).play("GET/api/a connects " + CHUNKED + "3~abc~")) {
            assertThat(stage.client().seen()).containsExactly("500", "'mine'", "end", "over");
            assertThat(made).hasSize(2).allSatisfy(t -> assertThat(t.closed).isEqualTo(1));
        }
    }

    @Test
    void aFailedCloseDoesNotFailTheExchange() {
        Filter rude = TestFilter.outbound(e -> {
            e.getResponse().transformBody(new BodyTransform() {
                @Override
                public byte[] piece(byte[] piece) {
                    return piece;
                }

                @Override
                public void close() {
                    throw new IllegalStateException("not now");
                }
            });
            return e.proceed();
        });
        try (Stage stage =
                new Stage(FilterSet.of(rude)).play("GET/api/a connects says:HTTP/1.1_200_OK~Content-Length:_3~~abc")) {
            assertThat(stage.client().seen()).containsExactly("200", "'abc'", "end", "over");
        }
    }

    // ---- parts

    @Test
    void partsOfAResponseAreSentAsTheClientReads() {
        try (Stage stage = both().play("GET/api/a connects slow " + CHUNKED + "4~abcd~0~~")) {
            assertThat(stage.client().seen()).containsExactly("200", "'a'");
            assertThat(stage.exchange().record().phase()).isEqualTo(Phase.RELAYING);
            stage.play("fast");
            assertThat(stage.client().seen()).containsExactly("200", "'a'", "'b'", "'c'", "'d!'", "end", "over");
            assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
        }
    }

    @Test
    void partsOfARequestAndItsEndAreSentAsTheOriginReads() {
        try (Stage stage = both().play("POST/api/a connects full piece end")) {
            String sent = stage.origins().received();
            assertThat(sent).endsWith("\r\n1\r\na\r\n");
            stage.play("drained");
            assertThat(stage.origins().received()).endsWith("1\r\nb\r\n1\r\nc\r\n1\r\n!\r\n0\r\n\r\n");
            stage.play("says:HTTP/1.1_200_OK~Content-Length:_0~~");
            assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
        }
    }

    @Test
    void theClientSendsNoMoreWhilePartsWait() {
        try (Stage stage = both().play("POST/api/a connects full piece")) {
            assertThat(stage.client().seen()).endsWith("pause");
            stage.play("drained piece end says:HTTP/1.1_200_OK~Content-Length:_0~~");
            assertThat(stage.client().seen()).contains("resume").endsWith("200", "'!'", "end", "over");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET/api/a connects " + CHUNKED + "3~abc~0~~",
                "GET/api/a connects says:HTTP/1.1_200_OK~Content-Length:_3~~abc",
                "GET/local"
            })
    void failsATransformThatReturnsNoBytesAndHasMore(String events) {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger requested = new AtomicInteger();
        Filter endless = TestFilter.outbound(e -> {
            e.getResponse().transformBody(new BodyTransform() {
                @Override
                public byte[] piece(byte[] piece) {
                    return piece;
                }

                @Override
                public boolean hasMore() {
                    return true;
                }

                @Override
                public byte[] more() {
                    requested.incrementAndGet();
                    return new byte[0];
                }

                @Override
                public boolean changes() {
                    asked.incrementAndGet();
                    return true;
                }
            });
            return e.proceed();
        });
        try (Stage stage = new Stage(FilterSet.of(endless)).play(events)) {
            assertThat(stage.exchange().record().phase()).isEqualTo(Phase.CLOSED);
            assertThat(requested).hasValue(1);
            // Each call of the filter's code outside of its run takes time of the loop.
            assertThat(asked).hasValueLessThanOrEqualTo(2);
            assertThat(stage.heldPieces()).isZero();
        }
    }

    // ---- retained chunks

    @Test
    void heldBytesAreForwardedAtTheEndOfEachRead() {
        try (Stage stage = both().play("GET/api/a connects " + CHUNKED + "3~abc~")) {
            assertThat(stage.client().seen()).containsExactly("200", "'a'", "'b'", "'c'");
            stage.play("says:2~de~");
            assertThat(stage.client().seen()).endsWith("'d'", "'e'");
        }
    }

    // ---- whole bodies

    @Test
    void aFilterReceivesTheWholeRequestOfThePreviousFilter() {
        Filter reads = TestFilter.of(
                        "second",
                        FilterPhase.INBOUND,
                        e -> e.respond(200, e.getRequest().getText()))
                .needing(10)
                .at(1);
        try (Stage stage = both(reads).play("POST/api/a piece piece end")) {
            assertThat(String.join("", stage.client().seen()).replace("'", "")).contains("200abcabc!!end");
        }
    }

    @Test
    void aFilterReceivesTheWholeResponseOfThePreviousFilter() {
        StringBuilder seen = new StringBuilder();
        Filter reads = TestFilter.of("second", FilterPhase.OUTBOUND, e -> {
                    seen.append(e.getResponse().getText());
                    return e.proceed();
                })
                .needing(10);
        try (Stage stage = both(reads).play("GET/api/a connects " + CHUNKED + "3~abc~ says:1~d~0~~")) {
            assertThat(seen).hasToString("abcd!");
            assertThat(stage.client().headers().get("content-length")).isNull();
            assertThat(stage.client().seen()).containsExactly("200", "'abcd!'", "end", "over");
        }
    }

    @Test
    void theOutputOfATransformCountsForTheLimitOfALaterFilter() {
        Filter reads = TestFilter.of("second", FilterPhase.INBOUND, e -> e.proceed())
                .needing(5)
                .at(1);
        try (Stage stage = both(reads).play("POST/api/a piece piece")) {
            assertThat(stage.client().seen()).contains("413");
            assertThat(made.get(0).closed).isEqualTo(1);
        }
    }

    @Test
    void aResponseTooLongForAFilterAfterATransformBypassesThatFilter() {
        Filter reads = TestFilter.of("second", FilterPhase.OUTBOUND, e -> e.respond(500))
                .needing(2);
        try (Stage stage = both(reads).play("GET/api/a connects " + CHUNKED + "4~abcd~ says:2~ef~0~~")) {
            assertThat(String.join("", stage.client().seen()).replace("'", "")).isEqualTo("200abcdef!endover");
        }
    }

    @Test
    void aTransformThatRefusesWhileAFilterWaitsCausesAnErrorAtOnce() {
        Filter reads =
                TestFilter.of("second", FilterPhase.OUTBOUND, e -> e.proceed()).needing(100);
        try (Stage stage = both(reads).play("GET/api/a connects " + CHUNKED + "3~axc~")) {
            assertThat(stage.client().seen()).containsExactly("413", "problem", "end", "over");
        }
    }
}
