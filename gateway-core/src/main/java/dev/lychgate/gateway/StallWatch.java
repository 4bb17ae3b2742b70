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
 * Detects stalled event loops and reports them in the log, to {@link Gateway#notReady}, and to the {@link Consequences}.
 * Ejects the filter that blocks a loop, if the filter guard is configured to eject. It can't interrupt that filter:
 * everything on the loop waits until the filter returns or the process ends.
 */
final class StallWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);

    private final List<Watched> loops = new ArrayList<>();
    private final Supplier<GatewayConfig> config;
    private final Function<FilterSlot, FilterGuard> guards;
    private final Consequences consequences;

    /** Reactions to the results of a check. Called on the checking thread. */
    interface Consequences {
        /** A loop has stalled, or makes progress again. */
        void onChange();

        /** A check of all loops is complete. */
        void onLook();

        /** A loop has stalled for {@code stall.exit}. Called at each check from then on. */
        void onGivenUp();
    }

    private record Watched(Worker worker, LoopProgress progress) {
        boolean isStalled() {
            return progress.now() != Progress.MOVING;
        }
    }

    /**
     * @param config the settings of the stable generation; read at each check
     * @param guards the guards of filters; called on the checking thread
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
            LOG.error("internal error in the event-loop watchdog", e);
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
                // Before logging, because until then the loop gets new connections.
                consequences.onChange();
            }
            if (after == Progress.MOVING && before != Progress.MOVING) {
                LOG.warn("event loop {} makes progress again after {} ms", index(loop), still.toMillis());
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
                "event loop {} has made no progress for {} s, in {} at {}; {}, {}",
                index(loop),
                loop.progress.still().toSeconds(),
                slot == null
                        ? "no filter"
                        : slot + ", for " + Math.max(0, TimeUnit.NANOSECONDS.toMillis(now - guard.since())) + " ms,",
                slot == null ? top(stack) : FilterSlot.words(slot.placeIn(stack)),
                newConnections(loop),
                limits.exit().isZero()
                        ? "and the process does not exit (stall.exit is 0)"
                        : "and the process exits after " + Durations.print(limits.exit()));
    }

    private String newConnections(Watched loop) {
        if (!loop.isStalled()) {
            return "its connections are blocked";
        }
        return stalled() < loops.size() ? "new connections go to other loops" : "no new connection is served";
    }

    private static String top(StackTraceElement[] stack) {
        return stack.length == 0 ? "an unknown place" : stack[0].toString();
    }

    /** Ejects a filter only if its current run has lasted for {@code stall.after}: a busy loop is not its fault. */
    private void ejectFilter(LoopGuard guard, long now, GatewayConfig settings) {
        FilterSlot slot = guard.slot();
        boolean asked = guard.isAsked();
        boolean holds =
                now - guard.since() >= settings.lifecycle().stall().after().toNanos();
        if (slot != null
                && holds
                && !slot.isEjected()
                // The run began before the filter was off-loaded, and later ones hold no loop.
                && !(slot.isOffloaded() && guard.isRun())
                && guard.slot() == slot
                && guards.apply(slot).action() == FilterGuard.Action.EJECT) {
            FilterWatchdog.eject(slot, asked);
        }
    }

    private static int index(Watched loop) {
        return loop.worker.loop().index();
    }

    /** Returns the state of the loop with the least progress. Any thread. */
    Progress worst() {
        Progress worst = Progress.MOVING;
        for (Watched loop : loops) {
            Progress now = loop.progress.now();
            worst = now.compareTo(worst) > 0 ? now : worst;
        }
        return worst;
    }

    /** Returns the number of stalled loops. Any thread. */
    int stalled() {
        return (int) loops.stream().filter(Watched::isStalled).count();
    }

    /** Returns whether {@code of} has stalled. Any thread. */
    boolean isStalled(EventLoop of) {
        return loops.stream()
                .anyMatch(loop -> loop.isStalled() && loop.worker.loop().eventLoop() == of);
    }

    /** Returns whether {@code of} has stalled and another loop can take new connections. Any thread. */
    boolean isReplaceable(EventLoop of) {
        return stalled() < loops.size() && isStalled(of);
    }
}
