package dev.lychgate.exchange;

import static dev.lychgate.testing.TestFilter.inbound;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.testing.TestFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Any result of a filter and any later failure: the client gets a response, and the log gets a name. */
@NullUnmarked // Groovy does not check for null, so these values reach the gateway
class FilterFaultsTest {
    private static Stage with(Filter... filters) {
        return new Stage(FilterSet.of(filters));
    }

    private static Arguments row(String what, TestFilter.Decision decision) {
        return Arguments.of(what, decision);
    }

    static Stream<Arguments> nulls() {
        return Stream.of(
                row("fail without error", e -> FilterOutcome.fail(null)),
                row("fail without kind", e -> e.fail(null, "detail")),
                row("fail without detail", e -> e.fail(ErrorKind.INTERNAL, null)),
                row(
                        "error without side",
                        e -> new FilterOutcome.Fail(
                                new GatewayError(ErrorKind.INTERNAL, null, Retry.NEVER, "d", null))),
                row(
                        "error without retry",
                        e -> new FilterOutcome.Fail(new GatewayError(ErrorKind.INTERNAL, Side.LOCAL, null, "d", null))),
                row("refusal without error", e -> {
                    throw new BodyRefusal(null);
                }),
                row("text", e -> e.respond(200, null)),
                row("html", e -> FilterOutcome.respond(200).html(null)),
                row("json", e -> FilterOutcome.respond(200).json((String) null)),
                row("body", e -> FilterOutcome.respond(200).body(null, "text/plain")),
                row("type", e -> FilterOutcome.respond(200).body(new byte[1], null)),
                row("name of a field", e -> FilterOutcome.respond(200).header(null, "v")),
                row("value of a field", e -> FilterOutcome.respond(200).header("n", null)),
                row("target", e -> e.redirect(302, null)),
                row("method", e -> changed(e, () -> e.getRequest().setMethod(null))),
                row("path", e -> changed(e, () -> e.getRequest().setPath(null))),
                row("host", e -> changed(e, () -> e.getRequest().setHost(null))),
                row(
                        "map of cookies",
                        e -> changed(e, () -> e.getRequest().getCookies().put("a", "b"))),
                row(
                        "map of parameters",
                        e -> changed(
                                e, () -> e.getRequest().getQueryParameters().put("a", List.of("b")))),
                row("cookie", e -> changed(e, () -> e.getRequest().setCookie("a", null))),
                row("body of the request", e -> changed(e, () -> e.getRequest().setBody(null))),
                row("text of the request", e -> changed(e, () -> e.getRequest().setText(null))),
                row("transform", e -> changed(e, () -> e.getRequest().transformBody(null))),
                row("field", e -> changed(e, () -> e.getRequest().getHeaders().set("n", null))),
                row(
                        "field's name",
                        e -> changed(e, () -> e.getRequest().getHeaders().add(null, "v"))),
                row(
                        "field to remove",
                        e -> changed(e, () -> e.getRequest().getHeaders().remove(null))),
                row("route", e -> changed(e, () -> e.setRoute(null))),
                row("endpoint filter", e -> changed(e, () -> e.setEndpointFilter("unknown"))),
                row("upstream", e -> changed(e, () -> e.setUpstream(null))),
                row("response timeout", e -> changed(e, () -> e.setResponseTimeout(null))),
                row("exchange timeout", e -> changed(e, () -> e.setExchangeTimeout(null))),
                row("key", e -> changed(e, () -> e.set(null, "v"))),
                row("key's name", e -> changed(e, () -> e.get(AttributeKey.of(null, String.class)))),
                row("key's type", e -> changed(e, () -> e.get(AttributeKey.of("a", null)))));
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 5000})
    void aMethodThatIsTooLongIsTheFailureOfTheFilterThatSetIt(int length) {
        TestFilter.Decision decision = e -> changed(e, () -> e.getRequest().setMethod("M".repeat(length)));
        try (Stage stage = with(inbound(decision)).play("GET/api/x")) {
            assertThat(stage.client().seen()).startsWith("500");
            assertThat(stage.slot("in").stats().failures()).isEqualTo(1);
        }
    }

    private static FilterOutcome changed(FilterExchange exchange, Runnable change) {
        change.run();
        return exchange.proceed();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nulls")
    void aNullIsTheFailureOfTheFilterThatGaveIt(String what, TestFilter.Decision decision) {
        try (Stage stage = with(inbound(decision)).play("GET/api/x")) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
            assertThat(stage.slot("in").stats().failures()).isEqualTo(1);
            assertThat(stage.exchange().record().error().detail()).startsWith("inbound filter in failed: java.lang.");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorKind.class,
            names = {"CLIENT_GONE", "CLIENT_STALLED"})
    void aKindForTheLogOnlyIsRefusedAsAResponse(ErrorKind kind) {
        try (Stage stage = with(inbound(e -> e.fail(kind, "gone"))).play("GET/api/x")) {
            assertThat(stage.client().seen()).startsWith("500");
            assertThat(stage.slot("in").stats().failures()).isEqualTo(1);
        }
        GatewayError gone = GatewayError.downstream(kind, "gone");
        assertThatThrownBy(() -> new BodyRefusal(gone)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNullIsLoggedLikeAnythingElse() {
        Filter logs = inbound(e -> {
            e.getLog().info("it is {}", (Object[]) null);
            return e.respond(204);
        });
        try (Stage stage = with(logs).play("GET/api/x")) {
            assertThat(stage.client().seen()).startsWith("204");
        }
    }

    // ---- internal errors after a filter

    private record Later(CompletableFuture<FilterOutcome> response) implements InboundFilter, AsyncFilter {
        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            return response;
        }
    }

    private static IllegalStateException ours() {
        return new IllegalStateException("on purpose: a fault of ours");
    }

    @Test
    void anInternalErrorAfterAFilterCausesAResponse() {
        AtomicReference<Stage> staged = new AtomicReference<>();
        Filter before = inbound(e -> {
            staged.get().client().fault = ours();
            return e.proceed();
        });
        try (Stage stage = with(before)) {
            staged.set(stage);
            stage.play("GET/api/x");
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
            assertThat(stage.timesObserved()).isEqualTo(1);
        }
    }

    @Test
    void anInternalErrorAfterAFilterThatWaitedForTheBodyCausesAResponse() {
        AtomicReference<Stage> staged = new AtomicReference<>();
        Filter before = TestFilter.of("in", FilterPhase.INBOUND, e -> {
                    staged.get().client().fault = ours();
                    return e.proceed();
                })
                .needing(100);
        try (Stage stage = with(before)) {
            staged.set(stage);
            stage.play("POST/api/x piece end");
            assertThat(stage.client().seen()).contains("500").endsWith("over");
            assertThat(stage.heldPieces()).isZero();
        }
    }

    @Test
    void anInternalErrorAfterAnAsynchronousFilterCausesAResponse() {
        CompletableFuture<FilterOutcome> response = new CompletableFuture<>();
        try (Stage stage = with(new Later(response)).play("GET/api/x")) {
            stage.client().fault = ours();
            response.complete(FilterOutcome.proceed());
            stage.play("tasks");
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
        }
    }

    @Test
    void aFaultInTheHeadOfAnErrorResponseAbortsTheExchange() {
        AtomicReference<Stage> staged = new AtomicReference<>();
        Filter onError = TestFilter.of("error", FilterPhase.ERROR, e -> {
            staged.get().client().fault = ours();
            return e.proceed();
        });
        try (Stage stage = with(onError)) {
            staged.set(stage);
            stage.play("GET/nowhere");
            assertThat(stage.client().seen()).containsExactly("abort");
        }
    }

    /** Throwables that a filter in a dynamic language may throw. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("on purpose: no message");
        }
    }

    @Test
    void anExceptionWithoutAWorkingMessageIsAFailureLikeAnother() {
        Filter throwing = inbound(e -> {
            throw new Unspeakable();
        });
        try (Stage stage = with(throwing).play("GET/api/x")) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
        }
        Filter transforming = inbound(e -> {
            e.getRequest().transformBody(piece -> {
                throw new Unspeakable();
            });
            return e.proceed();
        });
        try (Stage stage = with(transforming).play("POST/api/x connects piece")) {
            assertThat(stage.client().seen()).contains("500");
        }
    }

    // ---- the context of log lines

    /** Never responds, and keeps the exchange that it has received. */
    private record GivenUp(String name, List<FilterExchange> given) implements InboundFilter, AsyncFilter {
        @Override
        public Duration timeout() {
            return Duration.ofMillis(name.equals("first") ? 100 : 10_000);
        }

        @Override
        public FailurePolicy onFailure() {
            return FailurePolicy.FAIL_OPEN;
        }

        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            given.add(exchange);
            return new CompletableFuture<>();
        }
    }

    @Test
    void logsWithTheNameOfAFilterAfterItsTimeout() {
        List<FilterExchange> given = new ArrayList<>();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger log = (Logger) LoggerFactory.getLogger("dev.lychgate.filter");
        log.addAppender(lines);
        try (Stage stage = with(new GivenUp("first", given), new GivenUp("second", given))) {
            stage.play("GET/api/x time");
            assertThat(given).hasSize(2);
            given.get(0).getLog().warn("late");
            given.get(1).getLog().warn("in time");
        } finally {
            log.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getLoggerName)
                .containsExactly("dev.lychgate.filter.first", "dev.lychgate.filter.second");
    }
}
