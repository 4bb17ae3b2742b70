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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks from outside whether each event loop makes progress, and reports one that does not: in the log, to {@link Gateway#notReady},
 * and to the {@link Consequences}. It ejects the filter that holds a loop, if the guard of filters ejects. It can't interrupt that
 * filter: what lives on the loop waits until the filter returns, or the process ends.
 */
final class StallWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);

    private final List<Watched> loops = new ArrayList<>();
    private final Supplier<GatewayConfig> config;
    private final Consequences consequences;

    /** What follows from a look. Called on the thread that looks. */
    interface Consequences {
        /** Another loop stands still, or one makes progress again. */
        void onChange();

        /** The loops have been looked at. */
        void onLook();

        /** A loop has stood still for {@code stall.exit}. Called at each look from then on. */
        void onGivenUp();
    }

    private record Watched(Worker worker, LoopProgress progress) {
        boolean isStalled() {
            return progress.now() != Progress.MOVING;
        }
    }

    /** @param config the settings in force; read at each look */
    StallWatch(List<Worker> workers, Supplier<GatewayConfig> config, Consequences consequences) {
        this.config = config;
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
            LOG.error("a fault of ours while event loops were looked at", e);
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
                // Before the log lines: until then the loop gets new connections.
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
                        : slot + ", for " + TimeUnit.NANOSECONDS.toMillis(now - guard.since()) + " ms,",
                slot == null ? top(stack) : FilterSlot.words(slot.placeIn(stack)),
                newConnections(loop),
                limits.exit().isZero()
                        ? "and the gateway does not give up (stall.exit is 0)"
                        : "and the gateway gives up after " + Durations.print(limits.exit()));
    }

    private String newConnections(Watched loop) {
        if (!loop.isStalled()) {
            return "its connections wait";
        }
        return stalled() < loops.size() ? "new connections go to other loops" : "no new connection is served";
    }

    private static String top(StackTraceElement[] stack) {
        return stack.length == 0 ? "an unknown place" : stack[0].toString();
    }

    /** Not the filter of a loop that has much to do: the one that is in it all the time. */
    private static void ejectFilter(LoopGuard guard, long now, GatewayConfig settings) {
        FilterSlot slot = guard.slot();
        boolean asked = guard.isAsked();
        boolean holds =
                now - guard.since() >= settings.lifecycle().stall().after().toNanos();
        if (slot != null
                && holds
                && !slot.isEjected()
                && guard.slot() == slot
                && settings.filters().guard().action() == FilterGuard.Action.EJECT) {
            FilterWatchdog.eject(slot, asked);
        }
    }

    private static int index(Watched loop) {
        return loop.worker.loop().index();
    }

    /** How the loop is that makes the least progress. Any thread. */
    Progress worst() {
        Progress worst = Progress.MOVING;
        for (Watched loop : loops) {
            Progress now = loop.progress.now();
            worst = now.compareTo(worst) > 0 ? now : worst;
        }
        return worst;
    }

    /** How many loops stand still. Any thread. */
    int stalled() {
        return (int) loops.stream().filter(Watched::isStalled).count();
    }

    /** Whether {@code of} stands still. Any thread. */
    boolean isStalled(EventLoop of) {
        return loops.stream()
                .anyMatch(loop -> loop.isStalled() && loop.worker.loop().eventLoop() == of);
    }

    /** Whether {@code of} stands still, and another one does not, to which new connections can go. Any thread. */
    boolean isReplaceable(EventLoop of) {
        return stalled() < loops.size() && isStalled(of);
    }
}
