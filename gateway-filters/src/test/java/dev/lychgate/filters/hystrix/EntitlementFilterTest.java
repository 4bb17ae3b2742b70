package dev.lychgate.filters.hystrix;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.hystrix.Hystrix;
import dev.lychgate.filter.Filter;
import dev.lychgate.filters.testing.TestExchange;
import dev.lychgate.filters.testing.TestResult;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import rx.Single;
import rx.schedulers.TestScheduler;
import rx.subjects.PublishSubject;

/** A filter in Java that calls a service with a command of Hystrix, as docs/filters.md recommends. */
@NullUnmarked // A null value fails the test that uses it.
@Tag("slow")
@Tag("each-jdk")
class EntitlementFilterTest {
    @AfterEach
    void forgetCircuits() {
        Hystrix.reset();
    }

    private static TestResult ask(Filter filter) {
        return TestExchange.get("/").cookie("customer", "c1").through(filter);
    }

    private static String plan(TestResult result) {
        assertThat(result.getStatus()).isEqualTo(200);
        return result.getSent().header("x-plan");
    }

    @Test
    void sendsThePlanOfTheServiceToTheOrigin() {
        assertThat(plan(ask(new EntitlementFilter(customer -> Single.just("gold of " + customer)))))
                .isEqualTo("gold of c1");
    }

    @Test
    void ignoresRequestsWithoutACustomer() {
        Filter filter = new EntitlementFilter(customer -> Single.error(new AssertionError("asked")));
        assertThat(plan(TestExchange.get("/").through(filter))).isNull();
    }

    @Test
    void waitsForASlowService() {
        PublishSubject<String> later = PublishSubject.create();
        TestResult result = ask(new EntitlementFilter(customer -> later.toSingle(), new TestScheduler()));
        assertThat(result.isDone()).isFalse();
        later.onNext("gold");
        later.onCompleted();
        assertThat(plan(result)).isEqualTo("gold");
    }

    @Test
    void fallsBackWhenTheServiceFails() {
        assertThat(plan(ask(new EntitlementFilter(customer -> Single.error(new IOException("down"))))))
                .isEqualTo("basic");
    }

    @Test
    void fallsBackWhenTheServiceIsSlow() {
        PublishSubject<String> never = PublishSubject.create();
        TestScheduler clock = new TestScheduler();
        TestResult result = ask(new EntitlementFilter(customer -> never.toSingle(), clock));
        assertThat(result.isDone()).isFalse();
        clock.advanceTimeBy(300, TimeUnit.MILLISECONDS);
        assertThat(plan(result)).isEqualTo("basic");
    }

    @Test
    void doesNotCallWhileTheCircuitIsOpen() {
        AtomicInteger asked = new AtomicInteger();
        Filter filter = new EntitlementFilter(customer -> {
            asked.incrementAndGet();
            return Single.error(new IOException("down"));
        });
        // A circuit opens by the counters of half a second ago.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        int before = -1;
        while (asked.get() != before && System.nanoTime() < end) {
            for (int i = 0; i < 30; i++) {
                before = asked.get();
                assertThat(plan(ask(filter))).isEqualTo("basic");
            }
        }
        assertThat(asked.get()).isEqualTo(before);
    }

    @Test
    void cancelsTheCallWhenTheClientDisconnects() {
        AtomicBoolean ended = new AtomicBoolean();
        PublishSubject<String> never = PublishSubject.create();
        TestResult result = ask(new EntitlementFilter(
                customer -> never.doOnUnsubscribe(() -> ended.set(true)).toSingle()));
        result.leave();
        assertThat(ended).isTrue();
    }
}
