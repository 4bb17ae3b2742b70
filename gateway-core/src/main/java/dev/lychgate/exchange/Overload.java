package dev.lychgate.exchange;

import dev.lychgate.config.OverloadConfig;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.Loop;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests to shed, by their priority. If the configuration has the section {@code overload}, this class
 * samples three values ten times per second: the lag of the event loop, the time for which requests wait for a turn,
 * and the use of memory. Used on one event loop.
 */
final class Overload extends Deadline {
    private static final long TICK = 100_000_000L;

    /**
     * The memory pools of the heap. The look-up of the pools is slow, so {@link #prepare} initializes this class in
     * advance if the configuration has the section {@code overload}.
     */
    private static final class Heap {
        private static final List<MemoryPoolMXBean> POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .toList();
    }

    /**
     * Initializes {@link Heap}. Must be called before event loops adopt the settings {@code next}, on a thread that is
     * not an event loop.
     */
    static void prepare(@Nullable OverloadConfig next) {
        if (next != null) {
            Objects.requireNonNull(Heap.POOLS, "pools of memory");
        }
    }

    private final Loop loop;
    private @Nullable OverloadConfig config;
    private @Nullable LoadShedding shedding;
    private long due;

    Overload(Loop loop) {
        this.loop = loop;
    }

    /**
     * Adopts the settings of a new generation. If {@code next} is null, the load of the gateway itself does not cause
     * shedding.
     */
    void adopt(@Nullable OverloadConfig next) {
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
        // A deadline may normally be up to two ticks late. Requests that wait for a turn also indicate load.
        long late = Math.max(now - due - 2 * TICK, loop.turn().waited(now));
        arm(); // first, so that an error while sampling does not end the ticks
        s.observe(Math.max(0, late), direct(), heap(), now);
    }

    private static double direct() {
        long most = PlatformDependent.maxDirectMemory();
        return most <= 0 ? 0 : (double) Math.max(0, PlatformDependent.usedDirectMemory()) / most;
    }

    /**
     * Returns the share of the heap that was in use after the last garbage collection; before the first collection, the
     * result has no meaning.
     */
    private static double heap() {
        long used = 0;
        for (MemoryPoolMXBean pool : Heap.POOLS) {
            MemoryUsage left = pool.getCollectionUsage();
            used += left == null ? 0 : left.getUsed();
        }
        return (double) used / Runtime.getRuntime().maxMemory();
    }
}
