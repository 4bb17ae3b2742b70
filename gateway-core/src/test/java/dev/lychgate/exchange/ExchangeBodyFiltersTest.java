package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.testing.TestFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that filters need, replace or change, always with correct framing. */
@Tag("slow")
class ExchangeBodyFiltersTest {
    private static final class Shout implements BodyTransform {
        @Override
        public byte[] piece(byte[] piece) {
            return new String(piece, StandardCharsets.UTF_8)
                    .toUpperCase(Locale.ROOT)
                    .getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] end() {
            return "!".getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Counts a body without changing it. */
    private static final class Count implements BodyTransform {
        private int bytes;

        @Override
        public byte[] piece(byte[] piece) {
            bytes += piece.length;
            if (bytes > 6) {
                throw new BodyRefusal(GatewayError.downstream(ErrorKind.BODY_TOO_LARGE, "more than six"));
            }
            return new byte[0];
        }

        @Override
        public boolean changes() {
            return false;
        }
    }

    private static Stage with(Filter... filters) {
        return new Stage(FilterSet.of(filters));
    }

    private static TestFilter in(TestFilter.Decision decision) {
        return TestFilter.of("in", FilterPhase.INBOUND, decision);
    }

    private static TestFilter out(TestFilter.Decision decision) {
        return TestFilter.of("out", FilterPhase.OUTBOUND, decision);
    }

    @Test
    void aFilterGetsTheWholeRequestWhichKeepsItsLength() {
        StringBuilder seen = new StringBuilder();
        Filter reads = in(e -> {
                    seen.append(e.getRequest().getText());
                    return e.proceed();
                })
                .needing(100);
        try (Stage stage = with(reads).play("POST/api/x piece piece")) {
            assertThat(seen).isEmpty();
            stage.play("end");
            assertThat(seen).hasToString("abcabc");
            stage.play("connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi");
            assertThat(stage.origins().received()).endsWith("\r\n\r\n6\r\nabcabc\r\n0\r\n\r\n");
            assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
            assertThat(stage.heldPieces()).isZero();
        }
    }

    @Test
    void aFilterMayReplaceTheRequestBody() {
        Filter replaces = in(e -> {
                    e.getRequest().setText(e.getRequest().getText() + "d");
                    return e.proceed();
                })
                .needing(100);
        try (Stage stage = with(replaces).play("POST/api/x piece end connects")) {
            assertThat(stage.origins().received())
                    .contains("content-length: 4\r\n")
                    .doesNotContain("transfer-encoding")
                    .endsWith("\r\n\r\nabcd");
        }
    }

    @Test
    void anUnreadRequestThatIsReplacedIsDiscardedOnArrival() {
        Filter replaces = in(e -> {
            e.getRequest().setText("new");
            return e.proceed();
        });
        try (Stage stage = with(replaces).play("POST/api/x connects piece piece end")) {
            assertThat(stage.origins().received())
                    .contains("content-length: 3\r\n")
                    .endsWith("\r\n\r\nnew");
            stage.play("says:HTTP/1.1_200_OK~Content-Length:_2~~hi");
            assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
            assertThat(stage.heldPieces()).isZero();
        }
    }

    @Test
    void aRequestAboveTheLimitOfAFilterIsRefused() {
        Filter reads = in(e -> e.proceed()).needing(5);
        try (Stage stage = with(reads).play("POST/api/x piece piece")) {
            assertThat(stage.client().seen()).containsExactly("resume", "413", "problem", "end", "over-early");
            assertThat(stage.heldPieces()).isZero();
        }
    }

    @Test
    void aRequestWithoutABodyIsCompleteAtOnce() {
        Filter reads =
                in(e -> e.respond(200, "<" + e.getRequest().getText() + ">")).needing(5);
        try (Stage stage = with(reads).play("GET/api/x")) {
            assertThat(stage.client().seen()).containsExactly("200", "'<>'", "end", "over");
        }
    }

    @Test
    void aRequestIsChangedChunkByChunk() {
        Filter shouts = in(e -> {
            e.getRequest().transformBody(new Shout());
            return e.proceed();
        });
        try (Stage stage = with(shouts).play("POST/api/x connects piece piece end")) {
            assertThat(stage.origins().received())
                    .contains("transfer-encoding: chunked\r\n")
                    .endsWith("3\r\nABC\r\n3\r\nABC\r\n1\r\n!\r\n0\r\n\r\n");
        }
    }

    @Test
    void aRequestThatIsOnlyReadIsForwardedUnchanged() {
        Filter counts = in(e -> {
            e.getRequest().getHeaders().set("content-digest", "d");
            e.getRequest().transformBody(new Count());
            return e.proceed();
        });
        try (Stage stage = with(counts).play("POST/api/x connects piece piece end")) {
            assertThat(stage.origins().received())
                    .contains("content-digest: d\r\n")
                    .endsWith("3\r\nabc\r\n3\r\nabc\r\n0\r\n\r\n");
        }
        try (Stage stage = with(counts).play("POST/api/x connects piece piece piece")) {
            assertThat(stage.client().seen()).contains("413");
        }
    }

    @Test
    void aTransformReadsABodyThatAnotherFilterReadsWhole() {
        TestFilter counts = in(e -> {
                    e.getRequest().transformBody(new Count());
                    return e.proceed();
                })
                .at(-1);
        Filter reads =
                TestFilter.of("reads", FilterPhase.INBOUND, e -> e.proceed()).needing(100);
        try (Stage stage = with(counts, reads).play("POST/api/x piece piece end connects")) {
            assertThat(stage.origins().received())
                    .contains("content-length: 6\r\n")
                    .endsWith("\r\n\r\nabcabc");
        }
        try (Stage stage = with(counts, reads).play("POST/api/x piece piece piece")) {
            assertThat(stage.client().seen()).contains("413");
        }
    }

    @Test
    void aFilterThatFailsOpenDoesNotRunWithAHeldBodyThatIsTooLongForIt() {
        TestFilter patient = out(e -> e.proceed()).needing(100).at(-1);
        Filter choosy = TestFilter.of(
                        "choosy",
                        FilterPhase.OUTBOUND,
                        e -> e.respond(200, e.getResponse().getText()))
                .needing(3);
        try (Stage stage =
                with(patient, choosy).play("GET/api/x connects says:HTTP/1.1_201_OK~Content-Length:_6~~longer")) {
            assertThat(stage.client().seen()).contains("201", "'longer'", "end");
            assertThat(stage.slot("choosy").stats().failures()).isEqualTo(1);
            assertThat(stage.slot("choosy").stats().runs()).isZero();
        }
    }

    @Test
    void theConditionOfAFilterThatNeedsABodyIsEvaluatedOnce() {
        AtomicInteger asked = new AtomicInteger();
        Filter reads = new TestFilter.Applying(in(e -> e.proceed()).needing(100), e -> asked.incrementAndGet() > 0);
        try (Stage stage = with(reads).play("POST/api/x piece piece end connects")) {
            assertThat(asked).hasValue(1);
            assertThat(stage.slot("in").stats().runs()).isEqualTo(1);
        }
    }

    @Test
    void aFilterGetsTheWholeResponseAndMayReplaceIt() {
        Filter replaces = out(e -> {
                    e.getResponse().setText("<" + e.getResponse().getText() + ">");
                    return e.proceed();
                })
                .needing(100);
        try (Stage stage = with(replaces)
                .play(
                        "GET/api/x connects says:HTTP/1.1_200_OK~ETag:_\"1\"~Content-Encoding:_x~Digest:_d~Content-Length:_4~~hi")) {
            assertThat(stage.client().seen()).isEmpty();
            stage.play("says:ho");
            assertThat(stage.client().seen()).containsExactly("200", "'<hiho>'", "end", "over");
            assertThat(stage.client().headers().get("etag")).isEqualTo("W/\"1\"");
            assertThat(stage.client().headers().names()).doesNotContain("content-encoding", "digest");
            assertThat(stage.exchange().record().responseBytes()).isEqualTo(6);
        }
    }

    @Test
    void aResponseAboveTheLimitBypassesAFilterUnlessItFailsClosed() {
        TestFilter reads = out(e -> e.respond(200, "read")).needing(3);
        String response = "GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_6~~hi says:ho";
        try (Stage stage = with(reads).play(response)) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "'ho'");
            stage.play("says:hu");
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "'ho'", "'hu'", "end", "over");
        }
        try (Stage stage = with(reads.failing(FailurePolicy.FAIL_CLOSED)).play(response)) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
        }
    }

    @Test
    void aFilterThatDoesNotApplyDelaysNoBody() {
        TestFilter reads = out(e -> e.respond(200, "read")).needing(3).failing(FailurePolicy.FAIL_CLOSED);
        Filter elsewhere = new TestFilter.Applying(reads, e -> false);
        try (Stage stage = with(elsewhere).play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_6~~hi")) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'");
            stage.play("says:hoho");
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "'hoho'", "end", "over");
        }
    }

    @Test
    void aResponseIsChangedChunkByChunk() {
        Filter shouts = out(e -> {
            e.getResponse().transformBody(new Shout());
            return e.proceed();
        });
        try (Stage stage = with(shouts).play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_4~~hi says:ho")) {
            assertThat(stage.client().seen()).containsExactly("200", "'HI'", "'HO'", "'!'", "end", "over");
            assertThat(java.util.Objects.requireNonNull(
                                    stage.exchange().record().responseHead())
                            .framing())
                    .isEqualTo(dev.lychgate.http.BodyFraming.CHUNKED);
        }
    }

    @Test
    void aResponseOfTheGatewayIsFilteredLikeAnother() {
        Filter counts = out(e -> {
            e.getResponse().transformBody(new Count());
            return e.proceed();
        });
        try (Stage stage = with(counts).play("GET/local")) {
            assertThat(stage.client().seen()).containsExactly("200", "'local'", "end", "over");
        }
        Filter shouts = out(e -> {
            e.getResponse().transformBody(new Shout());
            return e.proceed();
        });
        try (Stage stage = with(shouts).play("GET/local")) {
            assertThat(stage.client().seen()).containsExactly("200", "'LOCAL!'", "end", "over");
        }
        Filter reads = out(e -> e.respond(200, e.getResponse().getText() + "?")).needing(100);
        try (Stage stage = with(reads).play("GET/local")) {
            assertThat(stage.client().seen()).containsExactly("200", "'local?'", "end", "over");
        }
    }

    @Test
    void theResponseToAHeadHasNoBodyRegardlessOfFilters() {
        Filter replaces = out(e -> {
                    e.getResponse().setText("new");
                    return e.proceed();
                })
                .needing(100);
        try (Stage stage = with(replaces).play("HEAD/api/x connects says:HTTP/1.1_200_OK~Content-Length:_2~~")) {
            assertThat(stage.client().seen()).containsExactly("200", "end", "over");
        }
    }

    @Test
    void theResponseToAHeadHasNoEndOfATransformEither() {
        Filter shouts = out(e -> {
            e.getResponse().transformBody(new Shout());
            return e.proceed();
        });
        try (Stage stage = with(shouts).play("HEAD/api/x connects says:HTTP/1.1_200_OK~Content-Length:_2~~")) {
            assertThat(stage.client().seen()).containsExactly("200", "end", "over");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"304_Not_Modified~Content-Length:_11~~", "204_No_Content~~"})
    void anAnswerWithoutABodyHasNoneByAnyOtherStatus(String response) {
        Filter changes = out(e -> {
            e.getResponse().setStatus(200);
            return e.proceed();
        });
        try (Stage stage = with(changes).play("GET/api/x connects says:HTTP/1.1_" + response)) {
            assertThat(stage.client().seen()).containsExactly("200", "end", "over");
            ResponseHead head = Objects.requireNonNull(stage.exchange().record().responseHead());
            assertThat(head.framing()).isEqualTo(BodyFraming.LENGTH);
            assertThat(head.contentLength()).isZero();
            assertThat(head.headers().contains("content-length")).isFalse();
        }
    }

    @Test
    void aResetContentHasNoBody() {
        Filter changes = out(e -> {
            e.getResponse().setStatus(205);
            return e.proceed();
        });
        try (Stage stage = with(changes).play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi")) {
            assertThat(stage.client().seen()).startsWith("205").endsWith("end", "over");
            assertThat(stage.exchange().record().responseBytes()).isZero();
        }
    }

    /** Errors in a transform that Java's compiler rejects and Groovy's does not. */
    enum Wrong implements BodyTransform {
        CHECKED {
            @Override
            public byte[] piece(byte[] piece) {
                throw sneaky(new IOException("on purpose"));
            }
        },
        ERROR {
            @Override
            public byte[] piece(byte[] piece) {
                throw new Error("on purpose");
            }
        },
        TOO_MUCH {
            @Override
            public byte[] piece(byte[] piece) {
                throw new OutOfMemoryError("on purpose");
            }
        },
        NULL {
            @Override
            @SuppressWarnings("NullAway") // forbidden by the contract
            public byte[] piece(byte[] piece) {
                return null;
            }
        },
        AT_THE_END {
            @Override
            public byte[] piece(byte[] piece) {
                return piece;
            }

            @Override
            public byte[] end() {
                throw sneaky(new IOException("on purpose"));
            }
        };

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <E extends Throwable> RuntimeException sneaky(Throwable e) throws E {
            throw (E) e;
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyFaultOfATransformIsAFailureOfItsFilter(Wrong wrong) {
        Filter ofRequests = in(e -> {
            e.getRequest().transformBody(wrong);
            return e.proceed();
        });
        try (Stage stage = with(ofRequests).play("POST/api/x connects piece piece end")) {
            assertThat(stage.client().seen()).contains("500");
            assertThat(stage.slot("in").stats().failures()).isEqualTo(1);
            assertThat(stage.heldPieces()).isZero();
        }
        Filter ofAnswers = out(e -> {
            e.getResponse().transformBody(wrong);
            return e.proceed();
        });
        try (Stage stage = with(ofAnswers).play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi")) {
            assertThat(stage.client().seen()).doesNotContain("end");
            assertThat(stage.slot("out").stats().failures()).isEqualTo(1);
            assertThat(Objects.requireNonNull(stage.exchange().record().error()).detail())
                    .startsWith("outbound filter out failed in its body transform: ");
        }
        Filter reads = TestFilter.of("reads", FilterPhase.OUTBOUND, e -> e.proceed())
                .needing(100)
                .at(1);
        try (Stage stage =
                with(ofAnswers, reads).play("GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi")) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
        }
    }
}
