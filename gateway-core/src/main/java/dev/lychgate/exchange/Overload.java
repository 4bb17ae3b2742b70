package dev.lychgate.exchange;

import dev.lychgate.config.SheddingConfig;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import dev.lychgate.resilience.LoadShedding;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks ten times a second how late an event loop is, or how long requests wait for their turn on it, and how full memory is, and says
 * from that whose requests it refuses.
 * Looks only where load is shed at all. On its loop.
 */
final class Overload extends Deadline {
    private static final long TICK = 100_000_000L;

    /** Loaded where load is shed, and nowhere else: by {@link #prepare}, for it takes a while. */
    private static final class Heap {
        private static final List<MemoryPoolMXBean> POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .toList();
    }

    /** Any thread but an event loop, before loops meet a generation with these settings. */
    static void prepare(@Nullable SheddingConfig next) {
        if (next != null) {
            Objects.requireNonNull(Heap.POOLS, "pools of memory");
        }
    }

    private final Loop loop;
    private @Nullable SheddingConfig config;
    private @Nullable LoadShedding shedding;
    private long due;

    Overload(Loop loop) {
        this.loop = loop;
    }

    /** A generation with these settings takes over; null sheds nothing. */
    void adopt(@Nullable SheddingConfig next) {
        if (Objects.equals(config, next)) {
            return;
        }
        config = next;
        shedding = next == null ? null : new LoadShedding(next);
        loop.deadlines().remove(this);
        if (next != null) {
            arm();
        }
    }

    /** Whether a request of that priority is to be refused. */
    boolean sheds(int priority) {
        LoadShedding s = shedding;
        return s != null && s.sheds(priority);
    }

    private void arm() {
        due = loop.nanoTime() + TICK;
        loop.deadlines().arm(this, TICK);
    }

    @Override
    protected void onDeadline() {
        LoadShedding s = shedding;
        if (s == null) {
            return;
        }
        long now = loop.nanoTime();
        // The wheel itself may be up to two of its ticks late. Whoever waits its turn waits for the loop, too.
        long late = Math.max(now - due - 2 * TICK, loop.turn().waited(now));
        s.observe(Math.max(0, late), direct(), heap(), now);
        arm();
    }

    private static double direct() {
        long most = PlatformDependent.maxDirectMemory();
        return most <= 0 ? 0 : (double) Math.max(0, PlatformDependent.usedDirectMemory()) / most;
    }

    /** What was left in use when memory was collected last: before that it says nothing. */
    private static double heap() {
        long used = 0;
        for (MemoryPoolMXBean pool : Heap.POOLS) {
            MemoryUsage left = pool.getCollectionUsage();
            used += left == null ? 0 : left.getUsed();
        }
        return (double) used / Runtime.getRuntime().maxMemory();
    }
}
