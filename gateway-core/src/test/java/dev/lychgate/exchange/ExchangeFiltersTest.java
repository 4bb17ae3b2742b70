package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterSet;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What filters may do to an exchange: let it pass, answer, refuse, or fail. */
class ExchangeFiltersTest {
    private static final String OK = " connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi ";

    private static InboundFilter inbound(Function<RequestHead, FilterOutcome> decision) {
        return new InboundFilter() {
            @Override
            public String name() {
                return "in";
            }

            @Override
            public FilterOutcome filter(RequestHead head) {
                return decision.apply(head);
            }
        };
    }

    private static OutboundFilter outbound(Consumer<ResponseHead> change) {
        return new OutboundFilter() {
            @Override
            public String name() {
                return "out";
            }

            @Override
            public void filter(ResponseHead head) {
                change.accept(head);
            }
        };
    }

    private static Stage with(InboundFilter... filters) {
        return new Stage(new FilterSet(List.of(filters), List.of()));
    }

    private static FilterOutcome teapot(String body) {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.add("Content-Length", "999");
        return new FilterOutcome.Respond(new ResponseHead(418, "Teapot", headers), body);
    }

    @Test
    void aFilterThatProceedsMayChangeTheRequestAndItsRouting() {
        InboundFilter elsewhere = inbound(head -> {
            head.path("/api/there");
            head.headers().set("X-Changed", "1");
            return FilterOutcome.PROCEED;
        });
        try (Stage stage = with(elsewhere).play("GET/nowhere" + OK)) {
            assertThat(stage.origins().received())
                    .startsWith("GET /api/there HTTP/1.1\r\n")
                    .containsIgnoringCase("\r\nx-changed: 1\r\n");
            assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
        }
    }

    @Test
    void aFilterThatAnswersSparesTheOriginAndTheFiltersAfterIt() {
        InboundFilter never = inbound(head -> {
            throw new AssertionError("not asked");
        });
        try (Stage stage = with(inbound(head -> teapot("short")), never).play("GET/api/x")) {
            assertThat(stage.client().seen()).containsExactly("418", "'short'", "end", "over");
            assertThat(stage.outcome()).isEqualTo("418 - x0 DONE/DONE kept 0");
            assertThat(stage.exchange().record().responseBytes()).isEqualTo(5);
        }
    }

    @Test
    void anAnswerToHeadKeepsItsBodyToItself() {
        try (Stage stage = with(inbound(head -> teapot("short"))).play("HEAD/api/x")) {
            assertThat(stage.client().seen()).containsExactly("418", "end", "over");
        }
    }

    @Test
    void aFilterThatRefusesSaysWhy() {
        InboundFilter refusing = inbound(
                head -> new FilterOutcome.Fail(GatewayError.downstream(ErrorKind.METHOD_NOT_ALLOWED, "not here")));
        try (Stage stage = with(refusing).play("POST/api/x piece end")) {
            assertThat(stage.client().seen()).containsExactly("405", "problem", "end", "over-early");
            assertThat(stage.outcome()).isEqualTo("405 method-not-allowed x0 ABORTED/DONE kept 0");
            assertThat(stage.heldPieces()).isZero();
        }
    }

    @Test
    void aFilterThatThrowsIsAnInternalError() {
        InboundFilter broken = inbound(head -> {
            throw new IllegalStateException("on purpose: a filter that throws");
        });
        try (Stage stage = with(broken).play("GET/api/x")) {
            assertThat(stage.client().seen()).containsExactly("500", "problem", "end", "over");
            assertThat(stage.outcome()).isEqualTo("500 internal x0 DONE/DONE kept 0");
            assertThat(stage.timesObserved()).isEqualTo(1);
        }
    }

    @Test
    void anOutboundFilterSeesEveryAnswerOursIncluded() {
        FilterSet filters = new FilterSet(List.of(), List.of(outbound(head -> head.status(head.status() + 1))));
        try (Stage stage = new Stage(filters).play("GET/api/x" + OK)) {
            assertThat(stage.outcome()).isEqualTo("201 - x1 DONE/DONE kept 1");
        }
        try (Stage stage = new Stage(filters).play("GET/nowhere")) {
            assertThat(stage.client().seen()).containsExactly("405", "problem", "end", "over");
        }
    }

    @Test
    void anOutboundFilterThatThrowsDoesNotCostTheAnswer() {
        OutboundFilter broken = outbound(head -> {
            throw new IllegalStateException("on purpose: a filter that throws");
        });
        try (Stage stage = new Stage(new FilterSet(List.of(), List.of(broken))).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
        }
    }

    @Test
    void aFilterCanNotBreakOutOfTheLineOfAHeaderField() {
        InboundFilter injecting = inbound(head -> {
            head.headers().set("x-a", "1\r\nx-b: 2");
            return FilterOutcome.PROCEED;
        });
        try (Stage stage = with(injecting).play("GET/api/x")) {
            assertThat(stage.outcome()).isEqualTo("500 internal x0 DONE/DONE kept 0");
        }
        OutboundFilter splitting = outbound(head -> {
            head.headers().set("x-a", "1\r\n\r\n<html>");
            head.headers().set("x\n", "1");
            head.headers().set("x-wide", "\u010a");
            head.headers().set("x-good", "1");
        });
        try (Stage stage = new Stage(new FilterSet(List.of(), List.of(splitting))).play("GET/api/x" + OK)) {
            assertThat(stage.client().seen()).containsExactly("200", "'hi'", "end", "over");
            assertThat(stage.client().headers().names()).contains("x-good").doesNotContain("x-a", "x\n", "x-wide");
        }
    }
}
