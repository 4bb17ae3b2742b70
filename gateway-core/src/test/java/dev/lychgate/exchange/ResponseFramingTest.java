package dev.lychgate.exchange;

import static dev.lychgate.testing.TestFilter.inbound;
import static dev.lychgate.testing.TestFilter.outbound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.testing.TestFilter;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The framing fields of a response head after changes by filters. */
class ResponseFramingTest {
    private static final String OF_FIVE = "HTTP/1.1_200_OK~Content-Length:_5~~";

    private static Stage with(Filter... filters) {
        return new Stage(FilterSet.of(filters));
    }

    private static Filter status(int changed) {
        return outbound(e -> {
            e.getResponse().setStatus(changed);
            return e.proceed();
        });
    }

    private static TestFilter text(String text) {
        return TestFilter.of("text", FilterPhase.OUTBOUND, e -> {
            e.getResponse().setText(text);
            return e.proceed();
        });
    }

    private static ResponseHead response(Stage stage) {
        return Objects.requireNonNull(stage.exchange().record().responseHead());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HEAD/api/x connects says:HTTP/1.1_200_OK~Content-Length:_5~~",
                "GET/api/x connects says:HTTP/1.1_304_Not_Modified~Content-Length:_5~~",
                "GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_5~~",
                "GET/api/x connects says:HTTP/1.1_200_OK~Transfer-Encoding:_chunked~Trailer:_t~~",
            })
    void aNoContentSaysNothingOfABody(String exchange) {
        try (Stage stage = with(status(204)).play(exchange)) {
            assertThat(stage.client().seen()).startsWith("204").endsWith("end", "over");
            assertThat(response(stage).framing()).isEqualTo(BodyFraming.NONE);
            assertThat(stage.client().headers().names()).doesNotContain("Content-Length", "content-length", "Trailer");
        }
    }

    @Test
    void aNotModifiedMayAnnounceTheLengthOfTheOmittedBody() {
        try (Stage stage = with(status(304)).play("HEAD/api/x connects says:" + OF_FIVE)) {
            assertThat(stage.client().headers().get("content-length")).isEqualTo("5");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"204_No_Content~~", "304_Not_Modified~Content-Length:_5~~"})
    void aResetContentSaysThatItIsEmptyWhateverItWas(String response) {
        try (Stage stage = with(status(205)).play("GET/api/x connects says:HTTP/1.1_" + response)) {
            assertThat(response(stage).framing()).isEqualTo(BodyFraming.NONE);
            assertThat(stage.client().headers().get("content-length")).isEqualTo("0");
        }
    }

    @Test
    void aTransformedBodyHasNoLengthBeforeItArrives() {
        try (Stage stage = with(text("short").needing(1000)).play("HEAD/api/x connects says:" + OF_FIVE)) {
            assertThat(stage.client().seen()).containsExactly("200", "end", "over");
            assertThat(stage.client().headers().contains("content-length")).isFalse();
        }
    }

    @Test
    void aTransformedResponseOfTheGatewayHasALength() {
        try (Stage stage = with(text("another")).play("HEAD/local")) {
            assertThat(stage.client().seen()).containsExactly("200", "end", "over");
            assertThat(stage.client().headers().get("content-length")).isEqualTo("7");
        }
    }

    @Test
    void trailersGoWithTheBodyTheyBelongedTo() {
        String chunked = "HTTP/1.1_200_OK~Transfer-Encoding:_chunked~Trailer:_t~~2~hi~0~t:_1~~";
        try (Stage stage = with(text("new")).play("GET/api/x connects says:" + chunked)) {
            assertThat(stage.client().seen()).containsExactly("200", "'new'", "end", "over");
            assertThat(stage.client().headers().contains("trailer")).isFalse();
        }
        Filter replaces = inbound(e -> {
            e.getRequest().setText("new");
            return e.proceed();
        });
        Filter announces = inbound(e -> e.proceed());
        try (Stage stage = with(replaces).trailer("t").play("POST/api/x connects")) {
            assertThat(stage.origins().received()).contains("content-length: 3").doesNotContainIgnoringCase("trailer");
        }
        try (Stage stage = with(announces).trailer("t").play("POST/api/x connects")) {
            assertThat(stage.origins().received()).containsIgnoringCase("trailer: t");
        }
    }

    /** A transform that fails in every call. */
    private static final class Broken implements BodyTransform {
        @Override
        public byte[] piece(byte[] piece) {
            throw new IllegalStateException("on purpose: a transform that throws");
        }

        @Override
        public byte[] end() {
            throw new IllegalStateException("on purpose: a transform that throws");
        }
    }

    @ParameterizedTest
    @CsvSource({"HEAD/api/x connects says:HTTP/1.1_200_OK~Content-Length:_5~~", "HEAD/local"})
    void noTransformRunsWhereNoBodyIsDue(String exchange) {
        Filter transforms = outbound(e -> {
            e.getResponse().transformBody(new Broken());
            return e.proceed();
        });
        try (Stage stage = with(transforms).play(exchange)) {
            assertThat(stage.client().seen()).containsExactly("200", "end", "over");
            assertThat(stage.slot("out").stats().failures()).isZero();
        }
    }

    @Test
    void aTransformReceivesTheReplacementOfAnEarlierFilter() {
        Filter transforms = TestFilter.of("transforms", FilterPhase.OUTBOUND, e -> {
                    e.getResponse().transformBody(piece -> new byte[] {'x'});
                    return e.proceed();
                })
                .at(1);
        try (Stage stage = with(text("new"), transforms).play("GET/api/x connects says:" + OF_FIVE)) {
            assertThat(stage.client().seen()).containsExactly("200", "'x'", "end", "over");
        }
    }
}
