package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filters.groovy.BuiltFilters;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilter;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.testing.OriginResponse;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The filters that docs/call-outs.md shows do what the page states, and its defaults match the code. */
@Tag("slow")
class DocumentedCallOutsTest {
    private static final Path PAGE = Path.of("../docs/call-outs.md");
    private static final Pattern SNIPPET = Pattern.compile("```groovy\\n// (\\S+)\\n(.*?)```", Pattern.DOTALL);

    private static TestResult run(TestExchange exchange) throws Exception {
        List<FilterSource> files = new ArrayList<>();
        Matcher snippets = SNIPPET.matcher(Files.readString(PAGE));
        while (snippets.find()) {
            files.add(new FilterSource(snippets.group(1), snippets.group(2)));
        }
        assertThat(files).hasSize(3);
        try (BuiltFilters built = new GroovyFilters().build(FilterSources.of(files))) {
            List<Filter> filters =
                    built.filters().stream().map(GroovyFilter::filter).toList();
            return exchange.through(filters);
        }
    }

    @Test
    void theLoopOfThePageForwardsTheWholeQuery() throws Exception {
        Matcher loop = Pattern.compile("```groovy\\n(def call = .*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE));
        assertThat(loop.find()).isTrue();
        String script = "async { exchange ->\n" + loop.group(1) + "call.send().thenApply { exchange.proceed() }\n}\n";
        FilterSources sources = FilterSources.of(List.of(new FilterSource("inbound/search.groovy", script)));
        TestExchange exchange =
                TestExchange.get("/?a=1&a=2&b=%20x&c=a+b").origin(200).upstream("users", 200, "");
        try (BuiltFilters built = new GroovyFilters().build(sources);
                TestResult result = exchange.through(built.filters().get(0).filter())) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(result.sentTo("users").get(0).toString()).isEqualTo("GET /search?a=1&a=2&b=%20x&c=a%20b");
        }
    }

    @Test
    void theScriptSendsThePlanOfTheCustomer() throws Exception {
        TestExchange known = TestExchange.get("/orders/1")
                .cookie("customer", "ada")
                .origin(200)
                .upstream("users", 200, "{\"plan\":\"gold\"}");
        try (TestResult result = run(known)) {
            assertThat(Objects.requireNonNull(result.getSent()).header("x-plan"))
                    .isEqualTo("gold");
            assertThat(result.sentTo("users").get(0).getPath()).isEqualTo("/users/ada");
        }
        try (TestResult result =
                run(TestExchange.get("/orders/1").cookie("customer", "ada").upstream("users", 404, ""))) {
            assertThat(result.getStatus()).isEqualTo(403);
        }
        for (String customer : List.of("..", "a/b", "")) {
            try (TestResult result = run(TestExchange.get("/orders/1")
                    .header("cookie", "customer=" + customer)
                    .upstream("users", 200, ""))) {
                assertThat(result.getStatus()).as(customer).isEqualTo(403);
                assertThat(result.sentTo("users")).as(customer).isEmpty();
            }
        }
        try (TestResult result =
                run(TestExchange.get("/orders/1").cookie("customer", "ada").upstream("users", request -> null))) {
            result.getClock().advance(Duration.ofMillis(300));
            assertThat(result.getStatus()).isEqualTo(504);
        }
    }

    @Test
    void theClassCombinesTwoCallOuts() throws Exception {
        TestExchange exchange = TestExchange.get("/offers")
                .origin(200)
                .upstream(
                        "users",
                        request -> request.getPath().equals("/plan")
                                ? OriginResponse.of(200).body("gold")
                                : OriginResponse.hangUp());
        try (TestResult result = run(exchange)) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(Objects.requireNonNull(result.getSent()).header("x-offer"))
                    .isEqualTo("gold none");
        }
    }

    @Test
    void theScriptForAUrlSendsTheTokenOfTheLogin() throws Exception {
        TestExchange exchange = TestExchange.get("/reports")
                .origin(200)
                .upstream("https://login.example.com", 200, "{\"access_token\":\"t1\"}");
        try (TestResult result = run(exchange)) {
            assertThat(Objects.requireNonNull(result.getSent()).header("authorization"))
                    .isEqualTo("Bearer t1");
            SentRequest login = result.sentTo("https://login.example.com").get(0);
            assertThat(login.getMethod() + " " + login.getPath()).isEqualTo("POST /oauth/token");
            assertThat(login.header("host")).isEqualTo("login.example.com");
        }
        try (TestResult result = run(TestExchange.get("/reports").origin(200))) {
            assertThat(result.getStatus()).isEqualTo(500);
        }
    }

    @Test
    void theDefaultsMatchTheCode() throws Exception {
        String page = Files.readString(PAGE);
        assertThat(FilterCall.DEFAULT_TIMEOUT).isEqualTo(Duration.ofSeconds(2));
        assertThat(FilterCall.DEFAULT_MAX_BODY).isEqualTo(1 << 20);
        assertThat(page).contains("including retries; 2 s by default", "1 MiB by default");
    }
}
