package dev.lychgate.gateway;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LoopGuard;
import dev.lychgate.config.Durations;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.StallConfig;
import dev.lychgate.exchange.Worker;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects stalled event loops, logs them, and reports them to {@link Gateway#notReady} and to the {@link Consequences}.
 * If the settings {@code filters.guard} require it, ejects the filter that blocks a loop. The filter can't be
 * interrupted, so all exchanges on the loop wait until the filter returns or the process ends.
 */
final class StallWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);

    private final List<Watched> loops = new ArrayList<>();
    private final Supplier<GatewayConfig> config;
    private final Function<FilterSlot, FilterGuard> guards;
    private final Consequences consequences;

    /** Receives the results of checks of the event loops. Called on the watchdog thread. */
    interface Consequences {
        /** Called when a loop has stalled, and when a stalled loop makes progress again. */
        void onChange();

        /** Called at the end of each check of all loops. */
        void onLook();

        /**
         * Called when a loop has stalled for {@code stall.exit}, and again after each check while the stall continues.
         */
        void onGivenUp();
    }

    private record Watched(Worker worker, LoopProgress progress) {
        boolean isStalled() {
            return progress.now() != Progress.MOVING;
        }
    }

    /**
     * Creates a watch of these workers. The watch does nothing until {@link #start} is called.
     *
     * @param config supplies the configuration of the stable generation; called at each check
     * @param guards returns the guard of a filter; called on the watchdog thread
     */
    StallWatch(
            List<Worker> workers,
            Supplier<GatewayConfig> config,
            Function<FilterSlot, FilterGuard> guards,
            Consequences consequences) {
        this.config = config;
        this.guards = guards;
        this.consequences = consequences;
        long now = System.nanoTime();
        workers.forEach(worker ->
                loops.add(new Watched(worker, new LoopProgress(worker.loop().sweeps(), now))));
    }

    void start(ScheduledExecutorService thread) {
        thread.scheduleWithFixedDelay(this::look, LoopProgress.LOOK, LoopProgress.LOOK, TimeUnit.NANOSECONDS);
    }

    private void look() {
        try {
            look(System.nanoTime());
        } catch (RuntimeException e) {
            LOG.error("internal error while checking event loops for stalls; the next check runs as scheduled", e);
        }
    }

    private void look(long now) {
        GatewayConfig settings = config.get();
        for (Watched loop : loops) {
            Progress before = loop.progress.now();
            Duration still = loop.progress.still();
            Progress after = loop.progress.look(
                    loop.worker.loop().sweeps(), now, settings.lifecycle().stall());
            if ((after == Progress.MOVING) != (before == Progress.MOVING)) {
                // Called before logging, because a stalled loop gets new connections until this call.
                consequences.onChange();
            }
            if (after == Progress.MOVING && before != Progress.MOVING) {
                LOG.warn("event loop {} makes progress again after a stall of {} ms", index(loop), still.toMillis());
            }
            if (loop.progress.isLineDue()) {
                report(loop, now, settings.lifecycle().stall());
            }
            if (after != Progress.MOVING) {
                ejectFilter(loop.worker.guard(), now, settings);
            }
        }
        consequences.onLook();
        if (worst() == Progress.GIVEN_UP) {
            consequences.onGivenUp();
        }
    }

    private void report(Watched loop, long now, StallConfig limits) {
        LoopGuard guard = loop.worker.guard();
        FilterSlot slot = guard.slot();
        StackTraceElement[] stack = LoopProbe.stack(loop.worker);
        LOG.warn(
                "event loop {} has made no progress for {} s; it {} at {}; {}; {}",
                index(loop),
                loop.progress.still().toSeconds(),
                slot == null
                        ? "runs code outside filters,"
                        : "has run " + slot + " for " + Math.max(0, TimeUnit.NANOSECONDS.toMillis(now - guard.since()))
                                + " ms and is",
                slot == null ? top(stack) : FilterSlot.words(slot.placeIn(stack)),
                newConnections(loop),
                limits.exit().isZero()
                        ? "the process does not exit (stall.exit is 0)"
                        : "the process exits when the stall has lasted " + Durations.print(limits.exit()));
    }

    private String newConnections(Watched loop) {
        if (!loop.isStalled()) {
            return "its connections are blocked";
        }
        return stalled() < loops.size() ? "new connections go to other loops" : "no new connection is served";
    }

    private static String top(StackTraceElement[] stack) {
        return stack.length == 0 ? "an unknown position" : stack[0].toString();
    }

    /**
     * Ejects the running filter if its current call has lasted for {@code stall.after}. If the call has lasted for less
     * time, other work has stalled the loop, and the filter is not ejected.
     */
    private void ejectFilter(LoopGuard guard, long now, GatewayConfig settings) {
        FilterSlot slot = guard.slot();
        boolean asked = guard.isAsked();
        boolean holds =
                now - guard.since() >= settings.lifecycle().stall().after().toNanos();
        if (slot != null
                && holds
                && !slot.isEjected()
                // A filter that is already off-loaded is not ejected for an earlier run, because its later runs block
                // no loop.
                && !(slot.isOffloaded() && guard.isRun())
                && guard.slot() == slot
                && guards.apply(slot).action() == FilterGuard.Action.EJECT) {
            FilterWatchdog.eject(slot, asked);
        }
    }

    private static int index(Watched loop) {
        return loop.worker.loop().index();
    }

    /** Returns the worst state of all loops. Thread-safe. */
    Progress worst() {
        Progress worst = Progress.MOVING;
        for (Watched loop : loops) {
            Progress now = loop.progress.now();
            worst = now.compareTo(worst) > 0 ? now : worst;
        }
        return worst;
    }

    /** Returns the number of stalled loops. Thread-safe. */
    int stalled() {
        return (int) loops.stream().filter(Watched::isStalled).count();
    }

    /** Returns whether {@code of} has stalled. Thread-safe. */
    boolean isStalled(EventLoop of) {
        return loops.stream()
                .anyMatch(loop -> loop.isStalled() && loop.worker.loop().eventLoop() == of);
    }

    /** Returns whether {@code of} has stalled and another loop can accept new connections. Thread-safe. */
    boolean isReplaceable(EventLoop of) {
        return stalled() < loops.size() && isStalled(of);
    }
}
