package dev.lychgate.upstream;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Requests that arrive at random on random loops, and origins of ten workers each that serve them in order of arrival. Service
 * times are exponential, ten milliseconds in the mean; time is virtual.
 */
final class FleetSimulation {
    private static final int WORKERS = 10;
    private static final double SERVICE = 10e6;
    private static final int REQUESTS = 60_000;
    private static final int WARM_UP = 10_000;

    private record Answer(long at, long took, EndpointLoad load, int endpoint) {}

    private final Fleet fleet;
    private final int loops;
    private final double[] slowness;
    private final double load;
    private final SplittableRandom random = new SplittableRandom(2026);
    private final List<PriorityQueue<Long>> workers = new ArrayList<>();
    private final PriorityQueue<Answer> answers = new PriorityQueue<>(Comparator.comparingLong(Answer::at));
    private final long[] times = new long[REQUESTS - WARM_UP];
    private final int[] outstanding;
    private double unevenness;
    private long now;

    /**
     * @param load the requested share of the capacity of healthy origins
     * @param slowness how many times slower each origin is
     */
    FleetSimulation(Fleet fleet, int loops, double load, double... slowness) {
        this.fleet = fleet;
        this.loops = loops;
        this.load = load;
        this.slowness = slowness;
        this.outstanding = new int[slowness.length];
        for (int i = 0; i < slowness.length; i++) {
            workers.add(new PriorityQueue<>(
                    IntStream.range(0, WORKERS).mapToObj(w -> 0L).toList()));
        }
    }

    FleetSimulation run() {
        List<LoopBalancers> balancers = IntStream.range(0, loops)
                .mapToObj(i -> new LoopBalancers(i, new SplittableRandom(i), () -> now))
                .toList();
        double gap = SERVICE / (WORKERS * slowness.length * load);
        for (int i = 0; i < REQUESTS; i++) {
            now += (long) exponential(gap);
            while (!answers.isEmpty() && answers.element().at() <= now) {
                end(answers.remove());
            }
            begin(balancers.get(random.nextInt(loops)), i);
        }
        Arrays.sort(times);
        return this;
    }

    private void begin(LoopBalancers loop, int number) {
        Endpoint endpoint = Some.request(loop.of(fleet.upstream().whole()), Some.client(number));
        int index = fleet.numberOf(endpoint);
        EndpointLoad at = loop.load(endpoint);
        at.begin();
        outstanding[index]++;
        long free = Math.max(now, workers.get(index).remove());
        long done = free + (long) exponential(SERVICE * slowness[index]);
        workers.get(index).add(done);
        answers.add(new Answer(done, done - now, at, index));
        if (number >= WARM_UP) {
            times[number - WARM_UP] = done - now;
            unevenness += Arrays.stream(outstanding).max().orElse(0)
                    * (double) slowness.length
                    / Arrays.stream(outstanding).sum();
        }
    }

    private void end(Answer response) {
        response.load().end(response.took(), EndpointLoad.End.ANSWERED, response.at());
        outstanding[response.endpoint()]--;
    }

    private double exponential(double mean) {
        return -mean * StrictMath.log(1 - random.nextDouble());
    }

    /** The time that all but one of a hundred requests stay below, in milliseconds. */
    double p99() {
        return times[times.length * 99 / 100] / 1e6;
    }

    /**
     * Returns the number of requests of the busiest origin relative to the mean of all origins, as a mean over
     * time.
     */
    double busiest() {
        return unevenness / times.length;
    }
}
