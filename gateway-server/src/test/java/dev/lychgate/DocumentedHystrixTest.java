package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.hystrix.Hystrix;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The filter of docs/filters.md that calls a service with a Hystrix command has the documented effect. */
@Tag("slow")
class DocumentedHystrixTest {
    private static final Pattern SNIPPET =
            Pattern.compile("```groovy\\n// inbound/Plan.groovy\\n(.*?)```", Pattern.DOTALL);

    @AfterEach
    void forgetCircuitsAndSettings() {
        Hystrix.reset();
        System.clearProperty("plans.service");
        System.clearProperty("plans.patience");
    }

    private static BuiltFilters filterOfThePage(int port, Duration patience) throws Exception {
        System.setProperty("plans.service", "http://127.0.0.1:" + port + "/plans/");
        System.setProperty("plans.patience", patience.toString());
        Matcher snippet = SNIPPET.matcher(Files.readString(Path.of("../docs/filters.md")));
        assertThat(snippet.find()).isTrue();
        return new GroovyFilters()
                .build(FilterSources.of(List.of(new FilterSource("inbound/Plan.groovy", snippet.group(1)))));
    }

    private static TestResult ask(BuiltFilters built) {
        Filter filter = built.filters().get(0).filter();
        return TestExchange.get("/").cookie("customer", "c1").through(filter);
    }

    private static String plan(TestResult result) {
        assertThat(result.getStatus()).isEqualTo(200);
        SentRequest sent = Objects.requireNonNull(result.getSent());
        return String.valueOf(sent.header("x-plan"));
    }

    @Test
    void theOriginReceivesThePlanOfTheService() throws Exception {
        try (ScriptedOrigin service = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("gold " + r.target())));
                BuiltFilters built = filterOfThePage(service.port(), Duration.ofSeconds(30));
                TestResult result = ask(built)) {
            assertThat(plan(result)).isEqualTo("gold /plans/c1");
        }
    }

    @Test
    void theFallbackReplacesAFailingServiceUntilTheCircuitOpens() throws Exception {
        try (ScriptedOrigin service = ScriptedOrigin.start().onConnection(c -> c.awaitEnd());
                BuiltFilters built = filterOfThePage(service.port(), Duration.ofMillis(50))) {
            long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            int before = -1;
            // A circuit opens by the counters of half a second ago, after 20 failures.
            while (service.connectionsAccepted() != before && System.nanoTime() < end) {
                before = service.connectionsAccepted();
                for (int i = 0; i < 5; i++) {
                    try (TestResult result = ask(built)) {
                        assertThat(plan(result)).isEqualTo("basic");
                    }
                }
            }
            assertThat(service.connectionsAccepted()).isEqualTo(before);
        }
    }

    @Test
    void theCallIsCancelledAfterATimeoutOrADisconnect() throws Exception {
        try (ScriptedOrigin service = ScriptedOrigin.start().onConnection(c -> c.awaitEnd());
                BuiltFilters built = filterOfThePage(service.port(), Duration.ofMinutes(5))) {
            try (TestResult result = ask(built)) {
                service.awaitConnections(1);
                assertThat(result.isDone()).isFalse();
                result.getClock().advance(Duration.ofSeconds(2));
                assertThat(result.getStatus()).isEqualTo(500);
                service.awaitOpenConnections(0);
            }
            try (TestResult result = ask(built)) {
                service.awaitConnections(2);
                result.leave();
                service.awaitOpenConnections(0);
            }
        }
    }
}
