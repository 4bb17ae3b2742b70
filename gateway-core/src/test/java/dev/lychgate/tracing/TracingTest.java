package dev.lychgate.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Propagation;
import dev.lychgate.config.SampleRate;
import dev.lychgate.config.TracingConfig;
import dev.lychgate.config.TracingConfig.Accept;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The trace context of a request, its treatment in the gateway, and the context for origins. */
class TracingTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

    private final SplittableRandom random = new SplittableRandom(1);

    private static Tracing tracing(double share, Accept accept, Propagation... forms) {
        return new Tracing(new TracingConfig(new SampleRate(share), accept, List.of(forms), "test", null));
    }

    private static Tracing w3c(double share) {
        return tracing(share, Accept.TRUSTED, Propagation.W3C);
    }

    private static HttpHeaders fields(String... lines) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String line : lines) {
            int colon = line.indexOf(':');
            headers.add(line.substring(0, colon), line.substring(colon + 1).trim());
        }
        return headers;
    }

    private TraceContext trusted(String... lines) {
        return w3c(0).begin(fields(lines), true, random);
    }

    private static void isAnother(TraceContext trace) {
        assertThat(trace.traceId()).hasSize(32).matches("[0-9a-f]+").isNotEqualTo(TRACE);
        assertThat(trace.parent()).isZero();
        assertThat(trace.state()).isEmpty();
    }

    // ---- W3C

    @Test
    void aTraceContinuesWithASpanOfTheGateway() {
        TraceContext trace = trusted("traceparent: " + PARENT, "tracestate: a=1,b=2");
        assertThat(trace.traceId()).isEqualTo(TRACE);
        assertThat(TraceContext.spanId(trace.parent())).isEqualTo(SPAN);
        assertThat(TraceContext.spanId(trace.span())).hasSize(16).isNotEqualTo(SPAN);
        assertThat(trace.sampled()).isTrue();
        assertThat(trace.state()).isEqualTo("a=1,b=2");
    }

    @ParameterizedTest
    @CsvSource({"00, false", "01, true", "02, false", "03, true", "ff, true", "fe, false"})
    void theLastBitOfTheFlagsSaysWhetherItIsRecorded(String flags, boolean sampled) {
        TraceContext trace = trusted("traceparent: 00-" + TRACE + "-" + SPAN + "-" + flags);
        assertThat(trace.traceId()).isEqualTo(TRACE);
        assertThat(trace.sampled()).isEqualTo(sampled);
    }

    @Test
    void readsTheFirstFieldsOfLaterVersions() {
        assertThat(trusted("traceparent: cc-" + TRACE + "-" + SPAN + "-01-and-more")
                        .traceId())
                .isEqualTo(TRACE);
        assertThat(trusted("traceparent: cc-" + TRACE + "-" + SPAN + "-01").traceId())
                .isEqualTo(TRACE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-" + TRACE + "-" + SPAN + "-01",
                "00-" + TRACE + "-" + SPAN + "-01-more",
                "00-" + TRACE + "-" + SPAN + "-01.",
                "cc-" + TRACE + "-" + SPAN + "-01.what",
                "00-" + TRACE + "-" + SPAN + "-0",
                "00-" + TRACE + "-" + SPAN + "-0x",
                "00-" + TRACE + "-" + SPAN,
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01",
                "00-" + TRACE + "-B7AD6B7169203331-01",
                "0-" + TRACE + "-" + SPAN + "-01",
                "00_" + TRACE + "-" + SPAN + "-01",
                "00-" + TRACE + "_" + SPAN + "-01",
                "00-" + TRACE + "-" + SPAN + "_01",
                "00-0af7651916cd43dd8448eb211c80319-" + SPAN + "-01",
                "00-\u0660af7651916cd43dd8448eb211c80319c-" + SPAN + "-01",
                "..-" + TRACE + "-" + SPAN + "-01"
            })
    void ignoresMalformedTraceparents(String value) {
        HttpHeaders request = fields("tracestate: a=1");
        request.add("traceparent", (Object) value);
        isAnother(w3c(0).begin(request, true, random));
        assertThat(request).isEmpty();
    }

    @Test
    void severalTraceparentsAreIgnored() {
        isAnother(trusted("traceparent: " + PARENT, "traceparent: " + PARENT));
    }

    @Test
    void statesInSeveralFieldsAreOne() {
        assertThat(trusted("traceparent: " + PARENT, "tracestate: a=1", "tracestate: b=2")
                        .state())
                .isEqualTo("a=1,b=2");
    }

    @Test
    void aStateThatIsTooLongIsNotPassedOn() {
        assertThat(trusted("traceparent: " + PARENT, "tracestate: a=" + "x".repeat(510))
                        .state())
                .hasSize(512);
        assertThat(trusted("traceparent: " + PARENT, "tracestate: a=" + "x".repeat(511))
                        .state())
                .isEmpty();
    }

    // ---- B3

    @ParameterizedTest
    @CsvSource({
        "b3: " + TRACE + "-" + SPAN + "-1, true",
        "b3: " + TRACE + "-" + SPAN + "-0, false",
        "b3: " + TRACE + "-" + SPAN + "-d, true",
        "b3: " + TRACE + "-" + SPAN + "-1-05e3ac9a4f6e3b90, true",
        "b3: " + TRACE + "-" + SPAN + ", false"
    })
    void aTraceOfB3GoesOn(String field, boolean sampled) {
        TraceContext trace = trusted(field);
        assertThat(trace.traceId()).isEqualTo(TRACE);
        assertThat(TraceContext.spanId(trace.parent())).isEqualTo(SPAN);
        assertThat(trace.sampled()).isEqualTo(sampled);
    }

    @Test
    void idsOfB3MayBeShort() {
        assertThat(trusted("b3: 8448eb211c80319c-" + SPAN + "-1").traceId())
                .isEqualTo("00000000000000008448eb211c80319c");
    }

    @Test
    void aTraceOfB3InSeveralFieldsContinues() {
        TraceContext trace = trusted("X-B3-TraceId: " + TRACE, "X-B3-SpanId: " + SPAN, "X-B3-Sampled: 1");
        assertThat(trace.traceId()).isEqualTo(TRACE);
        assertThat(TraceContext.spanId(trace.parent())).isEqualTo(SPAN);
        assertThat(trace.sampled()).isTrue();
        assertThat(trusted("X-B3-TraceId: " + TRACE, "X-B3-SpanId: " + SPAN, "X-B3-Flags: 1")
                        .sampled())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b3: 1", "b3: d", "x-b3-sampled: 1", "x-b3-flags: 1"})
    void theWordToRecordHoldsForATraceThatBeginsHere(String field) {
        TraceContext trace = trusted(field);
        isAnother(trace);
        assertThat(trace.sampled()).isTrue();
        assertThat(w3c(1).begin(fields("b3: 0"), true, random).sampled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b3: x",
                "b3: -",
                "b3: --",
                "b3: " + TRACE,
                "b3: " + TRACE + "-",
                "b3: " + TRACE + "-123-1",
                "b3: 00000000000000000000000000000000-" + SPAN + "-1",
                "b3: " + TRACE + "-0000000000000000-1",
                "x-b3-traceid: " + TRACE,
                "x-b3-traceid: zz"
            })
    void ignoresMalformedB3(String field) {
        TraceContext trace = trusted(field);
        isAnother(trace);
        assertThat(trace.sampled()).isFalse();
    }

    @Test
    void prefersTheStandardFormOfTwo() {
        String other = "11111111111111111111111111111111";
        assertThat(trusted("b3: " + other + "-" + SPAN + "-1", "traceparent: " + PARENT)
                        .traceId())
                .isEqualTo(TRACE);
    }

    // ---- trusted contexts

    @Test
    void anUntrustedTraceStartsAnew() {
        HttpHeaders request = fields("traceparent: " + PARENT, "tracestate: a=1", "b3: 1", "x-b3-sampled: 1");
        TraceContext trace = w3c(0).begin(request, false, random);
        isAnother(trace);
        assertThat(trace.sampled()).isFalse();
        assertThat(request).isEmpty();
    }

    @Test
    void anUntrustedTraceContinuesIfAllAreAccepted() {
        Tracing all = tracing(0, Accept.ALL, Propagation.W3C);
        assertThat(all.begin(fields("traceparent: " + PARENT), false, random).traceId())
                .isEqualTo(TRACE);
    }

    @Test
    void aShareOfTheTracesThatBeginHereIsRecorded() {
        Tracing some = w3c(0.1);
        long sampled = 0;
        for (int i = 0; i < 20_000; i++) {
            sampled += some.begin(fields(), true, random).sampled() ? 1 : 0;
        }
        assertThat(sampled).isBetween(1_800L, 2_200L);
        assertThat(w3c(1).begin(fields(), true, random).sampled()).isTrue();
        assertThat(w3c(0).begin(fields(), true, random).sampled()).isFalse();
    }

    // ---- contexts for origins

    @Test
    void sendsOriginsEveryConfiguredForm() {
        Tracing all = tracing(1, Accept.TRUSTED, Propagation.values());
        HttpHeaders request = fields("traceparent: " + PARENT, "tracestate: a=1", "x-b3-flags: 1");
        TraceContext trace = all.begin(request, true, random);
        all.write(trace, 0x1234, request);
        assertThat(request.get("traceparent")).isEqualTo("00-" + TRACE + "-0000000000001234-01");
        assertThat(request.get("tracestate")).isEqualTo("a=1");
        assertThat(request.get("b3")).isEqualTo(TRACE + "-0000000000001234-1");
        assertThat(request.get("x-b3-traceid")).isEqualTo(TRACE);
        assertThat(request.get("x-b3-spanid")).isEqualTo("0000000000001234");
        assertThat(request.get("x-b3-sampled")).isEqualTo("1");
        assertThat(request.contains("x-b3-flags")).isFalse();
    }

    @Test
    void theNextAttemptSendsItsOwnSpanOnly() {
        Tracing tracing = w3c(0);
        HttpHeaders request = fields();
        TraceContext trace = tracing.begin(request, true, random);
        tracing.write(trace, 1, request);
        tracing.write(trace, 2, request);
        assertThat(request.getAll("traceparent")).containsExactly("00-" + trace.traceId() + "-0000000000000002-00");
    }
}
