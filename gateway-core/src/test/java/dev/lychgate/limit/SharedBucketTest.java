package dev.lychgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.LimitKey;
import dev.lychgate.config.Rate;
import dev.lychgate.config.RateLimitConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.config.RateLimitConfig.OnLoss;
import dev.lychgate.config.RateLimitConfig.Scope;
import dev.lychgate.config.RateLimitConfig.Unit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gateways with leases from a store in virtual time: the bound of their admitted units, and their refusals. */
class SharedBucketTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000L;
    private static final long KEY = 42;

    private static RateLimitConfig limit(String rate, int burst, Unit unit, OnLoss onLoss) {
        return new RateLimitConfig(
                List.of(LimitKey.parse("client")),
                Rate.parse(rate),
                burst,
                unit,
                Mode.ENFORCE,
                1000,
                Scope.FLEET,
                onLoss);
    }

    /** One gateway. */
    private static final class Gateway {
        final SharedLimit limit;
        final ModelStore store;

        Gateway(RateLimitConfig config, ModelStore store) {
            this.store = store;
            this.limit = new SharedLimit(
                    "tested", config, new SharedLimitStore(store.view(), store::now), new LimitCounts());
        }

        SharedBucket bucket() {
            SharedBucket known = limit.find(KEY);
            return known != null ? known : limit.add(KEY, "values", store.now());
        }

        boolean admits() {
            return bucket().take(store.now()) >= 0;
        }
    }

    private static List<Gateway> gateways(int count, RateLimitConfig config, ModelStore store) {
        List<Gateway> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Gateway(config, store));
        }
        store.gateways(count);
        return all;
    }

    /** The times at which units were admitted. */
    private static final class Admitted {
        private final List<Long> times = new ArrayList<>();

        void add(long at) {
            times.add(at);
        }

        int count() {
            return times.size();
        }

        long from(long start, long end) {
            return times.stream().filter(at -> at >= start && at < end).count();
        }

        /** Returns the most by which the units of any interval exceed {@code rate * t}. */
        double mostBeyond(double perNano) {
            double least = Double.MAX_VALUE;
            double most = 0;
            for (int i = 0; i < times.size(); i++) {
                double line = i - perNano * times.get(i);
                least = Math.min(least, line);
                most = Math.max(most, line + 1 - least);
            }
            return most;
        }
    }

    /** Demand of one gateway that changes between silence, its rate and bursts. */
    private static final class Demand {
        private final SplittableRandom random;
        private final double rate;
        private long phaseEnds;
        private double now;

        Demand(SplittableRandom random, double rate) {
            this.random = random;
            this.rate = rate;
        }

        int arrivals(long at, long elapsed) {
            if (at > phaseEnds) {
                phaseEnds = at + random.nextLong(MS, SECOND / 2);
                now = switch (random.nextInt(4)) {
                    case 0 -> 0;
                    case 1 -> rate * 10;
                    default -> rate;
                };
            }
            double mean = now * elapsed / SECOND;
            return (int) mean + (random.nextDouble() < mean - (int) mean ? 1 : 0);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void admitsAtMostTheBoundOverEachInterval(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int count = random.nextInt(1, 7);
        int rate = (int) Math.pow(10, random.nextDouble(1.7, 4)) + 1;
        int burst = random.nextInt(1, 2 * rate);
        ModelStore store = new ModelStore(random.split(), random.nextLong(1, 5 * MS));
        List<Gateway> all = gateways(count, limit(rate + "/s", burst, Unit.REQUESTS, OnLoss.SHARE), store);
        List<Demand> demands = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            demands.add(new Demand(random.split(), rate * random.nextDouble(0.1, 3) / count));
        }
        Admitted admitted = new Admitted();
        long start = store.now();
        long step = MS / 5;
        for (long at = start; at < start + 10 * SECOND; at += step) {
            store.advanceTo(at);
            for (int i = 0; i < count; i++) {
                for (int n = demands.get(i).arrivals(at, step); n > 0; n--) {
                    if (all.get(i).admits()) {
                        admitted.add(at);
                    }
                    // Another limit has refused the request.
                    if (random.nextInt(50) == 0 && all.get(i).admits()) {
                        all.get(i).bucket().giveBack(at);
                    }
                }
            }
        }
        SharedLimit one = all.get(0).limit;
        assertThat(admitted.count()).isPositive();
        assertThat(admitted.mostBeyond(rate / (double) SECOND))
                .as("%s gateways, %s/s, burst %s, lease %s", count, rate, burst, one.lease())
                .isLessThanOrEqualTo(burst + count * (double) (one.lease() + one.debt()));
    }

    @ParameterizedTest
    @CsvSource({"3, 1000, 2000", "4, 1000, 2000", "16, 1000, 3000", "4, 10000, 20000", "2, 50, 500", "3, 1000, 1100"})
    void admitsTheRateInTheLongRun(int count, int rate, int demand) {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        List<Gateway> all = gateways(count, limit(rate + "/s", rate / 2, Unit.REQUESTS, OnLoss.SHARE), store);
        Admitted admitted = new Admitted();
        run(all, store, demand, 63 * SECOND, admitted);
        long begin = SECOND + 3 * SECOND;
        assertThat(admitted.from(begin, begin + 60 * SECOND) / 60.0).isBetween(0.995 * rate, 1.005 * rate);
        // Few questions: at most one per gateway in the pause, and one for each half of a lease.
        assertThat(store.asked())
                .isLessThan(63 * (count * 60 + 8 * rate / (int) all.get(0).limit.lease()));
    }

    /**
     * Sends a demand that is skewed over the gateways, by chance at each step.
     *
     * @return the number of requests
     */
    private static int run(List<Gateway> all, ModelStore store, double demand, long time, Admitted admitted) {
        SplittableRandom random = new SplittableRandom(7);
        double[] weights = new double[all.size()];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = Math.pow(0.8, i);
            sum += weights[i];
        }
        int requests = 0;
        long start = store.now();
        long step = MS / 5;
        for (long at = start; at < start + time; at += step) {
            store.advanceTo(at);
            for (int i = 0; i < weights.length; i++) {
                double mean = demand * weights[i] / sum * step / SECOND;
                int arrivals = (int) mean + (random.nextDouble() < mean - (int) mean ? 1 : 0);
                requests += arrivals;
                for (int n = arrivals; n > 0; n--) {
                    if (all.get(i).admits()) {
                        admitted.add(at);
                    }
                }
            }
        }
        return requests;
    }

    @ParameterizedTest
    @CsvSource({"3, 1000, 800", "4, 1000, 900", "16, 1000, 900", "4, 10000, 9000", "3, 60, 40"})
    void refusesAlmostNothingBelowTheRate(int count, int rate, int demand) {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        List<Gateway> all = gateways(count, limit(rate + "/s", rate, Unit.REQUESTS, OnLoss.SHARE), store);
        Admitted admitted = new Admitted();
        int requests = run(all, store, demand, 30 * SECOND, admitted);
        assertThat(admitted.count() / (double) requests).isGreaterThan(0.999);
    }

    @Test
    void theFirstRequestsOfAKeyAreAdmittedOnDebtWithoutWaiting() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS);
        Gateway gateway = new Gateway(limit("100/s", 100, Unit.REQUESTS, OnLoss.SHARE), store);
        for (int i = 0; i < 10; i++) {
            assertThat(gateway.admits()).as("request %s", i).isTrue();
        }
        assertThat(gateway.admits()).as("beyond the debt").isFalse();
        assertThat(gateway.limit.unleased()).isEqualTo(1);
        store.advanceTo(store.now() + 5 * MS);
        assertThat(gateway.admits()).isTrue();
        assertThat(store.asked()).isLessThan(5);
    }

    @Test
    void anEmptyBucketIsNotAskedForUntilItHasAUnit() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS);
        Gateway gateway = new Gateway(limit("1000/10s", 20, Unit.REQUESTS, OnLoss.SHARE), store);
        for (int i = 0; i < 100; i++) {
            gateway.admits();
            store.advanceTo(store.now() + MS / 10);
        }
        int asked = store.asked();
        long decision = gateway.bucket().take(store.now());
        assertThat(decision).isBetween(-25 * MS, -MS);
        for (int i = 0; i < 1000; i++) {
            assertThat(gateway.admits()).isFalse();
        }
        assertThat(store.asked()).isEqualTo(asked);
    }

    @Test
    void aFrozenStoreIsLostAfterTheDeadlineAndEachGatewayAdmitsItsShare() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        List<Gateway> all = gateways(4, limit("1000/s", 100, Unit.REQUESTS, OnLoss.SHARE), store);
        run(all, store, 2000, 2 * SECOND, new Admitted());
        store.freeze();
        Admitted alone = new Admitted();
        long frozen = store.now();
        run(all, store, 4000, 10 * SECOND, alone);
        assertThat(all).allMatch(gateway -> gateway.limit.isLost());
        // Each gateway has a separate full bucket and the rate; the gateway with the least demand uses less than its
        // share.
        assertThat(alone.from(frozen + SECOND, frozen + 10 * SECOND) / 9.0).isBetween(900.0, 1001.0);
        assertThat(alone.from(frozen + 31 * MS, frozen + 40 * MS)).isPositive();
        assertThat(alone.mostBeyond(1000.0 / SECOND)).isLessThanOrEqualTo(100 + 4 * 20 + 4 * 20);
        int asked = store.asked();
        run(all, store, 4000, SECOND, new Admitted());
        assertThat(store.asked())
                .as("a lost store has one question of each gateway")
                .isEqualTo(asked);

        store.thaw();
        Admitted after = new Admitted();
        run(all, store, 2000, 10 * SECOND, after);
        assertThat(all).noneMatch(gateway -> gateway.limit.isLost());
        assertThat(after.mostBeyond(1000.0 / SECOND)).isLessThanOrEqualTo(100 + 4 * 40);
        assertThat(after.count() / 10.0).isBetween(950.0, 1020.0);
    }

    @Test
    void aStoppedStoreIsAskedOnceInAWhileUntilItResponds() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        List<Gateway> all = gateways(1, limit("100/s", 100, Unit.REQUESTS, OnLoss.CLOSED), store);
        store.down(true);
        Admitted admitted = new Admitted();
        run(all, store, 1000, SECOND, admitted);
        assertThat(admitted.count()).as("the first one, on debt").isEqualTo(1);
        assertThat(store.asked()).isBetween(10, 25);
        assertThat(all.get(0).limit.onLossDecisions()).isGreaterThan(900);
        store.down(false);
        run(all, store, 50, SECOND, admitted);
        assertThat(admitted.count()).isGreaterThan(35);
    }

    @Test
    void withOpenEveryRequestIsAdmittedDuringALossAndNoneIsChargedAfterwards() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        List<Gateway> all = gateways(1, limit("100/s", 100, Unit.REQUESTS, OnLoss.OPEN), store);
        store.down(true);
        Admitted admitted = new Admitted();
        int requests = run(all, store, 1000, SECOND, admitted);
        assertThat(admitted.count()).isEqualTo(requests);
        store.down(false);
        store.advanceTo(store.now() + 60 * MS);
        all.get(0).admits();
        store.advanceTo(store.now() + 60 * MS);
        int available = 0;
        for (int i = 0; i < 300; i++) {
            available += all.get(0).admits() ? 1 : 0;
            store.advanceTo(store.now() + MS / 10);
        }
        assertThat(available).isBetween(95, 130);
    }

    @Test
    void unitsThatALossAdmittedAreChargedAfterwards() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        List<Gateway> all = gateways(1, limit("100/s", 100, Unit.REQUESTS, OnLoss.SHARE), store);
        store.down(true);
        Admitted admitted = new Admitted();
        run(all, store, 1000, SECOND / 10, admitted);
        assertThat(admitted.count()).isBetween(90, 115);
        store.down(false);
        run(all, store, 1000, SECOND, admitted);
        assertThat(admitted.count()).isLessThanOrEqualTo(100 + 110 + 10 + 10);
    }

    @Test
    void bytesAreChargedWhenTheyAreKnownAndAnExhaustedKeyWaits() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        List<Gateway> all = gateways(2, limit("1000/s", 1000, Unit.BYTES, OnLoss.SHARE), store);
        Gateway first = all.get(0);
        Gateway second = all.get(1);
        assertThat(first.admits()).isTrue();
        assertThat(second.admits()).isTrue();
        first.bucket().charge(3000, store.now());
        store.advanceTo(store.now() + 5 * MS);
        assertThat(first.bucket().take(store.now())).isBetween(-2_010 * MS, -1_980 * MS);
        // The other gateway asks for a state older than a tenth of a second.
        store.advanceTo(store.now() + 120 * MS);
        second.admits();
        store.advanceTo(store.now() + 5 * MS);
        assertThat(second.admits()).isFalse();
        store.advanceTo(store.now() + 2 * SECOND);
        assertThat(first.admits()).isTrue();
        assertThat(second.admits()).isTrue();
    }

    private record Asked(Question question, AtomicInteger decided) {
        static Asked by(Gateway gateway) {
            AtomicInteger decided = new AtomicInteger();
            assertThat(gateway.bucket().take(gateway.store.now())).isEqualTo(SharedBucket.UNDECIDED);
            Question question = gateway.bucket().question(decided::incrementAndGet);
            question.ask();
            return new Asked(question, decided);
        }
    }

    @Test
    void aLowLimitIsExactOverGateways() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        List<Gateway> all = gateways(3, limit("10/m", 10, Unit.REQUESTS, OnLoss.SHARE), store);
        assertThat(all.get(0).limit.isExact()).isTrue();
        int admitted = 0;
        for (int i = 0; i < 10; i++) {
            Asked asked = Asked.by(all.get(i % 3));
            store.advanceTo(store.now() + 2 * MS);
            assertThat(asked.decided).hasValue(1);
            admitted += asked.question.decision() >= 0 ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(10);
        Asked refused = Asked.by(all.get(1));
        store.advanceTo(store.now() + 2 * MS);
        assertThat(refused.question.decision()).isBetween(-6 * SECOND, -5 * SECOND);
        int asked = store.asked();
        assertThat(all.get(1).bucket().take(store.now()))
                .as("known to be empty")
                .isBetween(-6 * SECOND, -5 * SECOND);
        assertThat(store.asked()).isEqualTo(asked);
        all.get(1).bucket().giveBack(store.now());
        store.advanceTo(store.now() + 2 * MS);
        Asked returned = Asked.by(all.get(2));
        store.advanceTo(store.now() + 2 * MS);
        assertThat(returned.question.decision()).isNotNegative();
    }

    @Test
    void aLateResponseOfTheStoreChangesNoDecisionAndReturnsItsUnit() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        Gateway gateway = new Gateway(limit("10/m", 2, Unit.REQUESTS, OnLoss.CLOSED), store);
        store.freeze();
        Asked late = Asked.by(gateway);
        store.advanceTo(store.now() + 10 * MS);
        late.question.expire();
        assertThat(late.question.decision()).isEqualTo(-SECOND);
        assertThat(late.decided).hasValue(1);
        assertThat(gateway.bucket().take(store.now()))
                .as("without a further question")
                .isEqualTo(-SECOND);

        store.thaw();
        store.advanceTo(store.now() + 5 * MS);
        assertThat(late.decided).hasValue(1);
        assertThat(gateway.limit.isLost()).isFalse();
        for (int i = 0; i < 2; i++) {
            Asked asked = Asked.by(gateway);
            store.advanceTo(store.now() + 2 * MS);
            assertThat(asked.question.decision()).as("unit %s", i).isNotNegative();
        }
    }

    @Test
    void anAbandonedQuestionReturnsItsUnit() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        Gateway gateway = new Gateway(limit("1/h", 1, Unit.REQUESTS, OnLoss.SHARE), store);
        Asked abandoned = Asked.by(gateway);
        abandoned.question.abandon();
        store.advanceTo(store.now() + 5 * MS);
        assertThat(abandoned.decided).hasValue(0);
        Asked next = Asked.by(gateway);
        store.advanceTo(store.now() + 2 * MS);
        assertThat(next.question.decision()).isNotNegative();
    }

    @Test
    void theLeaseOfAnIdleKeyIsReturnedWhenAnotherKeyTakesItsPlace() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        Gateway gateway = new Gateway(limit("100/s", 100, Unit.REQUESTS, OnLoss.SHARE), store);
        SharedBucket idle = gateway.bucket();
        assertThat(gateway.admits()).isTrue();
        store.advanceTo(store.now() + 5 * MS);
        long leased = idle.leased();
        assertThat(leased).isPositive();
        store.advanceTo(store.now() + 3 * SECOND);
        assertThat(idle.isInUse(store.now())).isFalse();
        // Of the same set: the upper half of a key selects it.
        for (int key = 0; key < Buckets.WAYS; key++) {
            gateway.limit.add(1000 + key, "value " + key, store.now());
        }
        assertThat(gateway.limit.find(KEY)).isNull();
        assertThat(store.returned()).isEqualTo(leased);
    }

    /** The time for which {@link Units} has no units, in nanoseconds. */
    private static final long EMPTY = 3600 * SECOND;

    /** Grants a number of units at once, and then nothing for an hour. */
    private static final class Units implements BucketStore {
        private long left;

        Units(long left) {
            this.left = left;
        }

        @Override
        public synchronized void ask(Bucket bucket, long owed, long wanted, Outcome outcome) {
            left -= owed;
            long granted = Math.max(0, Math.min(left, wanted));
            left -= granted;
            outcome.granted(granted, left, left > 0 ? 0 : EMPTY);
        }

        @Override
        public int parts() {
            return 1;
        }

        @Override
        public int partOf(String name) {
            return 0;
        }

        @Override
        public int gateways() {
            return 1;
        }

        @Override
        public long deadline() {
            return 10 * MS;
        }
    }

    @Test
    void allThreadsOfAGatewayUseOneLease() throws Exception {
        for (int round = 0; round < 20; round++) {
            int units = 20_000;
            SharedLimitStore fleet = new SharedLimitStore(new Units(units), () -> SECOND);
            RateLimitConfig config = limit("1000/s", units, Unit.REQUESTS, OnLoss.SHARE);
            SharedLimit limit = new SharedLimit("tested", config, fleet, new LimitCounts());
            SharedBucket bucket = limit.add(KEY, "values", SECOND);
            AtomicLong admitted = new AtomicLong();
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Thread thread = new Thread(() -> {
                    // A thread may pause during its call of the store. The others are then refused for a moment only.
                    long decision = bucket.take(SECOND);
                    while (decision > -EMPTY) {
                        if (decision >= 0) {
                            admitted.incrementAndGet();
                        }
                        decision = bucket.take(SECOND);
                    }
                });
                all.add(thread);
                thread.start();
            }
            for (Thread thread : all) {
                thread.join();
            }
            assertThat(admitted.get()).isBetween(units - limit.lease(), units + limit.debt());
        }
    }

    @Test
    void aFloodOfKeysCreatesNoMoreBucketsThanTheTableHasPlaces() {
        ModelStore store = new ModelStore(new SplittableRandom(1), MS / 2);
        Gateway gateway = new Gateway(limit("100/d", 100, Unit.REQUESTS, OnLoss.SHARE), store);
        SplittableRandom random = new SplittableRandom(2);
        Set<SharedBucket> buckets = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 20_000; i++) {
            long key = random.nextLong();
            SharedBucket known = gateway.limit.find(key);
            buckets.add(known != null ? known : gateway.limit.add(key, "value " + i, store.now()));
        }
        assertThat(buckets).hasSizeLessThanOrEqualTo(1024 + 128);
        assertThat(gateway.limit.used(store.now())).isEqualTo(1024);
        store.advanceTo(store.now() + 25 * 3600 * SECOND);
        assertThat(gateway.limit.used(store.now())).isZero();
        SharedBucket added = gateway.limit.add(5, "another", store.now());
        assertThat(gateway.limit.find(5)).isSameAs(added);
    }
}
