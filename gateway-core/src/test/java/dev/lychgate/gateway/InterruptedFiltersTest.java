package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Test;

/** A filter that sets the interrupt flag of its event loop does not disturb the code that runs after it. */
class InterruptedFiltersTest {
    private record Interrupts() implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "interrupts";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            if (exchange.getRequest().getPath().equals("/interrupt")) {
                Thread.currentThread().interrupt();
            }
            return FilterOutcome.proceed();
        }
    }

    private record InterruptsInItsTransform() implements OutboundFilter, SyncFilter {
        @Override
        public String name() {
            return "interrupts-in-its-transform";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().transformBody(bytes -> {
                Thread.currentThread().interrupt();
                return bytes;
            });
            return FilterOutcome.proceed();
        }
    }

    private record Shows() implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "shows";
        }

        @Override
        public int order() {
            return 1;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            boolean interrupted = Thread.currentThread().isInterrupted();
            exchange.getRequest().getHeaders().set("x-interrupted", String.valueOf(interrupted));
            return FilterOutcome.proceed();
        }
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering(
                (r, c) -> c.send(Responses.ok(r.value("x-interrupted").orElse("none"))));
    }

    @Test
    void clearsTheFlagBeforeTheNextFilterAndTheNextRequest() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new Interrupts(), new Shows()))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/interrupt").body()).isEqualTo("false");
            assertThat(client.get("/next").body()).isEqualTo("false");
        }
    }

    @Test
    void clearsTheFlagThatABodyTransformSets() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .filters(FilterSet.of(new InterruptsInItsTransform(), new Shows()))
                        .start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/first").body()).isEqualTo("false");
            assertThat(client.get("/next").body()).isEqualTo("false");
        }
    }
}
