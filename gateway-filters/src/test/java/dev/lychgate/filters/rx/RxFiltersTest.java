package dev.lychgate.filters.rx;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import io.reactivex.rxjava3.schedulers.Schedulers;
import io.reactivex.rxjava3.subjects.CompletableSubject;
import io.reactivex.rxjava3.subjects.SingleSubject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.slf4j.LoggerFactory;

/** Filters that return a source of RxJava: the effects of its signals and the life cycle of its subscription. */
@NullUnmarked // A null value fails the test that uses it.
@Tag("slow")
class RxFiltersTest {
    private static final FilterOutcome NO = FilterOutcome.fail(ErrorKind.NO_ROUTE, "no");

    private record OfSingle(Function<FilterExchange, Single<FilterOutcome>> source)
            implements InboundFilter, SingleFilter {
        @Override
        public Single<FilterOutcome> decide(FilterExchange exchange) {
            return source.apply(exchange);
        }
    }

    private record OfMaybe(Maybe<FilterOutcome> source) implements InboundFilter, MaybeFilter {
        @Override
        public Maybe<FilterOutcome> decide(FilterExchange exchange) {
            return source;
        }
    }

    private record OfCompletable(Completable source) implements InboundFilter, CompletableFilter {
        @Override
        public Completable work(FilterExchange exchange) {
            return source;
        }
    }

    private static Filter single(Single<FilterOutcome> source) {
        return new OfSingle(exchange -> source);
    }

    static final List<Filter> PROCEED = List.of(
            single(Single.just(FilterOutcome.proceed())),
            new OfMaybe(Maybe.just(FilterOutcome.proceed())),
            new OfMaybe(Maybe.empty()),
            new OfCompletable(Completable.complete()));

    static final List<Filter> REFUSE = List.of(single(Single.just(NO)), new OfMaybe(Maybe.just(NO)));

    static final List<Filter> FAIL = List.of(
            single(Single.error(new IOException("broken"))),
            new OfMaybe(Maybe.error(new IOException("broken"))),
            new OfCompletable(Completable.error(new IOException("broken"))));

    @ParameterizedTest
    @FieldSource("PROCEED")
    void theExchangeContinuesAtOnceIfTheSourceProceeds(Filter filter) {
        TestResult result = TestExchange.get("/").through(filter);
        assertThat(result.isDone()).isTrue();
        assertThat(result.getStatus()).isEqualTo(200);
    }

    @ParameterizedTest
    @FieldSource("REFUSE")
    void theItemOfTheSourceIsTheOutcome(Filter filter) {
        assertThat(TestExchange.get("/").through(filter).getStatus()).isEqualTo(404);
    }

    @ParameterizedTest
    @FieldSource("FAIL")
    void anErrorOfTheSourceIsAFailureOfTheFilter(Filter filter) {
        TestResult result = TestExchange.get("/").through(filter);
        assertThat(result.getStatus()).isEqualTo(500);
        assertThat(result.getFailures().get(0).getCause())
                .isInstanceOf(IOException.class)
                .hasMessage("broken");
    }

    @Test
    void aFilterWithoutASourceFails() {
        TestResult result = TestExchange.get("/").through(new OfSingle(exchange -> null), new OfMaybe(null));
        assertThat(result.getStatus()).isEqualTo(500);
        assertThat(result.getFailures().get(0).getCause()).hasMessage("the filter returned null");
    }

    @Test
    void aSourceWithAValueReturnsACompletedStage() throws Exception {
        CompletableFuture<FilterOutcome> stage =
                new OfSingle(exchange -> Single.just(NO)).filter(null).toCompletableFuture();
        assertThat(stage).isCompletedWithValue(NO);
    }

    @Test
    void theExchangeWaitsForASourceThatEmitsLater() {
        SingleSubject<FilterOutcome> later = SingleSubject.create();
        TestResult result = TestExchange.get("/").through(single(later));
        assertThat(result.isDone()).isFalse();
        later.onSuccess(FilterOutcome.proceed());
        assertThat(result.getStatus()).isEqualTo(200);
    }

    @Test
    void theTimeoutOfTheFilterDisposesTheSubscription() {
        SingleSubject<FilterOutcome> never = SingleSubject.create();
        TestResult result = TestExchange.get("/").through(single(never));
        assertThat(never.hasObservers()).isTrue();
        result.getClock().advance(Filter.DEFAULT_TIMEOUT);
        assertThat(result.getStatus()).isEqualTo(500);
        assertThat(never.hasObservers()).isFalse();
    }

    @Test
    void aClientThatDisconnectsDisposesTheSubscription() {
        CompletableSubject never = CompletableSubject.create();
        TestExchange.get("/").through(new OfCompletable(never)).leave();
        assertThat(never.hasObservers()).isFalse();
    }

    @Test
    void itemsAfterTheDisposalAreIgnored() throws Exception {
        CompletableFuture<FilterOutcome> stage;
        CompletableFuture<Runnable> emitter = new CompletableFuture<>();
        // Ignores its disposal, as some sources do.
        Single<FilterOutcome> deaf = Single.unsafeCreate(observer -> {
            observer.onSubscribe(io.reactivex.rxjava3.disposables.Disposable.disposed());
            emitter.complete(() -> observer.onSuccess(NO));
        });
        stage = new OfSingle(exchange -> deaf).filter(null).toCompletableFuture();
        stage.cancel(true);
        emitter.join().run();
        assertThat(stage).isCancelled();
    }

    @Test
    void anErrorAfterDisposalEndsNoThread() throws Exception {
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Single<FilterOutcome> blocked = Single.<FilterOutcome>fromCallable(() -> {
                    Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> uncaught.set(e));
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        interrupted.countDown();
                    }
                    return NO;
                })
                .subscribeOn(Schedulers.newThread());
        ListAppender<ILoggingEvent> log = listen("dev.lychgate.filters.rx");
        TestResult result = TestExchange.get("/").through(single(blocked));
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        result.getClock().advance(Duration.ofSeconds(5));
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(RxJavaPlugins.getErrorHandler()).isNotNull();
        awaitLine(log, "was abandoned");
        assertThat(uncaught.get()).isNull();
    }

    @Test
    void linesOfOtherThreadsCarryTheRequestId() {
        ListAppender<ILoggingEvent> log = listen("dev.lychgate.filter.OfSingle");
        TestResult result = TestExchange.get("/")
                .through(new OfSingle(exchange -> Single.fromCallable(() -> {
                            exchange.getLog().info("asked {}", "somebody");
                            return FilterOutcome.proceed();
                        })
                        .subscribeOn(Schedulers.io())));
        assertThat(result.getStatus()).isEqualTo(200);
        ILoggingEvent line = log.list.get(0);
        assertThat(line.getFormattedMessage()).isEqualTo(result.getRequestId() + " asked somebody");
        assertThat(line.getThreadName()).startsWith("Rx");
    }

    private static ListAppender<ILoggingEvent> listen(String logger) {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new java.util.concurrent.CopyOnWriteArrayList<>();
        lines.start();
        Logger log = (Logger) LoggerFactory.getLogger(logger);
        log.setLevel(ch.qos.logback.classic.Level.INFO);
        log.addAppender(lines);
        return lines;
    }

    private static void awaitLine(ListAppender<ILoggingEvent> log, String part) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (log.list.stream().noneMatch(line -> line.getMessage().contains(part))) {
            assertThat(System.nanoTime()).as(part).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
