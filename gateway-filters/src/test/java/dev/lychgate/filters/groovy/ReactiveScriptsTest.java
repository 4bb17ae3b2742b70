package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filter.Filter;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reactive types that an {@code async { }} closure may return, and the effects of their signals. */
@Tag("slow")
class ReactiveScriptsTest {
    private static final String IMPORTS = """
            import dev.lychgate.filter.FilterExchange
            import dev.lychgate.filter.FilterOutcome
            import io.reactivex.rxjava3.core.*
            import java.util.concurrent.*
            import org.reactivestreams.FlowAdapters
            import org.reactivestreams.Publisher
            """;

    private static TestResult run(String script) throws Exception {
        try (BuiltFilters built = Sources.build("inbound/a.groovy", IMPORTS + script)) {
            Filter filter = built.filters().get(0).filter();
            return TestExchange.get("/").origin(200, "from the origin").through(filter);
        }
    }

    private static String reason(TestResult result) {
        return String.valueOf(result.getFailures().get(0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Single.just(e.respond(403))",
                "Maybe.just(e.respond(403))",
                "Observable.just(e.respond(403))",
                "Flowable.just(e.respond(403))",
                "Flowable.just(e.respond(403)) as Publisher<FilterOutcome>",
                "FlowAdapters.toFlowPublisher(Flowable.just(e.respond(403)))",
                "CompletableFuture.completedFuture(e.respond(403))",
                "CompletableFuture.completedFuture(e.respond(403)).minimalCompletionStage()",
                "e.respond(403)",
            })
    void theItemOfASourceIsTheOutcome(String source) throws Exception {
        try (TestResult result = run("async { e -> " + source + " }")) {
            assertThat(result.getStatus()).isEqualTo(403);
            assertThat(result.getSent()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Single.just('anything')",
                "Maybe.empty()",
                "Completable.complete()",
                "Observable.empty()",
                "Flowable.empty()",
                "FlowAdapters.toFlowPublisher(Flowable.empty())",
            })
    void theExchangeContinuesAfterASourceWithoutAnOutcome(String source) throws Exception {
        try (TestResult result = run("async { e -> " + source + " }")) {
            assertThat(result.getStatus()).isEqualTo(200);
            assertThat(result.getText()).isEqualTo("from the origin");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Single", "Maybe", "Completable", "Observable", "Flowable"})
    void anErrorIsTheFailureOfTheFilter(String type) throws Exception {
        try (TestResult result = run("async { e -> " + type + ".error(new IOException('broken')) }")) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains("broken");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Observable", "Flowable"})
    void onlyTheFirstItemIsRequested(String type) throws Exception {
        System.clearProperty("test.emitted");
        try (TestResult result = run("""
                async { e ->
                    %s.range(403, 3).map { status ->
                        System.setProperty('test.emitted', System.getProperty('test.emitted', '') + status)
                        e.respond(status)
                    }
                }
                """.formatted(type))) {
            assertThat(result.getStatus()).isEqualTo(403);
            assertThat(System.getProperty("test.emitted")).isEqualTo("403");
        } finally {
            System.clearProperty("test.emitted");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Single.never()",
                "Maybe.never()",
                "Completable.never()",
                "Observable.never()",
                "Flowable.never()",
                "FlowAdapters.toFlowPublisher(Flowable.never())"
            })
    void anEndlessSourceIsAbandonedAfterTheTimeoutOfTheFilter(String source) throws Exception {
        try (TestResult result = run("timeout '1s'\nasync { e -> " + source + " }")) {
            result.getClock().advance(Duration.ofSeconds(2));
            assertThat(result.getStatus()).isEqualTo(500);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Single", "Maybe", "Completable", "Observable", "Flowable"})
    void theSubscriptionIsDisposedOfWhenTheFilterIsAbandoned(String type) throws Exception {
        System.clearProperty("test.disposed");
        String dispose = type.equals("Flowable") ? "doOnCancel" : "doOnDispose";
        try (TestResult result = run("""
                timeout '1s'
                async { e -> %s.never().%s { System.setProperty('test.disposed', '%s') } }
                """.formatted(type, dispose, type))) {
            assertThat(System.getProperty("test.disposed")).isNull();
            result.getClock().advance(Duration.ofSeconds(2));
            assertThat(System.getProperty("test.disposed")).isEqualTo(type);
        } finally {
            System.clearProperty("test.disposed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Single", "Flowable"})
    void theSubscriptionIsDisposedOfWhenTheClientDisconnects(String type) throws Exception {
        System.clearProperty("test.disposed");
        String dispose = type.equals("Flowable") ? "doOnCancel" : "doOnDispose";
        try (TestResult result = run("async { e -> %s.never().%s { System.setProperty('test.disposed', 'yes') } }"
                .formatted(type, dispose))) {
            assertThat(System.getProperty("test.disposed")).isNull();
            result.leave();
            assertThat(System.getProperty("test.disposed")).isEqualTo("yes");
        } finally {
            System.clearProperty("test.disposed");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Single.just(1).map { Single.just(e.respond(403)) }",
                "CompletableFuture.completedFuture(1).thenApply { Single.just(e.respond(403)) }",
                "CompletableFuture.completedFuture(1).thenApply { CompletableFuture.completedFuture(e.respond(403)) }",
            })
    void aNestedStageFails(String source) throws Exception {
        try (TestResult result = run("async { e -> " + source + " }")) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains("thenCompose or flatMap");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "filter { e -> Single.just(e.respond(403)) }",
                "blocking { e -> Single.just(e.respond(403)) }",
                "blocking { e -> Completable.complete() }"
            })
    void aSourceWithoutASubscriberFails(String script) throws Exception {
        try (TestResult result = run(script)) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains("async { }");
        }
    }

    @Test
    void otherResultsFailAndTheMessageNamesTheirTypes() throws Exception {
        try (TestResult result = run("async { e -> new StringBuilder('secret') }")) {
            assertThat(result.getStatus()).isEqualTo(500);
            assertThat(reason(result)).contains("java.lang.StringBuilder").doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SingleFilter { @Override Single<? extends FilterOutcome> decide(FilterExchange e) { Single.just(e.respond(403)) } }",
                "MaybeFilter { @Override Maybe<? extends FilterOutcome> decide(FilterExchange e) { Maybe.just(e.respond(403)) } }",
                "SingleFilter { @Override Single<FilterOutcome.Respond> decide(FilterExchange e) { Single.just(e.respond(403)) } }",
                "SingleFilter { @Override Single<FilterOutcome> decide(FilterExchange e) { Single.<FilterOutcome>just(e.respond(403)) } }",
                "AsyncFilter { @Override CompletionStage<? extends FilterOutcome> filter(FilterExchange e) {"
                        + " CompletableFuture.completedFuture(e.respond(403)) } }",
                """
                SingleFilter {
                    @Override
                    Single<? extends FilterOutcome> decide(FilterExchange e) {
                        if (e.request.path == '/') {
                            return Single.just(e.respond(403))
                        }
                        Single.just(1).map { n -> n > 1 ? e.respond(404) : e.proceed() }
                    }
                }
                """,
            })
    void aClassMayDeclareTheTypeOfItsOutcome(String type) throws Exception {
        String imports = IMPORTS + "import dev.lychgate.filter.AsyncFilter\nimport dev.lychgate.filters.rx.*\n";
        try (BuiltFilters built = Sources.build("inbound/A.groovy", imports + "class A implements " + type);
                TestResult result =
                        TestExchange.get("/").through(built.filters().get(0).filter())) {
            assertThat(result.getStatus()).isEqualTo(403);
        }
    }
}
