package dev.lychgate.server.metrics;

import dev.lychgate.loop.Headroom;
import dev.lychgate.loop.MemoryBudget;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.function.ToDoubleFunction;

/**
 * The memory of the process: the JVM's own areas and direct buffers, under the names that dashboards know, and the pooled
 * allocator that all traffic goes through, which the JVM's counters may not see.
 */
final class MemoryMeters {
    private MemoryMeters() {}

    static void bind(MeterRegistry registry) {
        new JvmMemoryMetrics().bindTo(registry);
        buffers(registry, "direct", "reserved", a -> a.metric().usedDirectMemory());
        buffers(registry, "direct", "pinned", a -> a.pinnedDirectMemory());
        buffers(registry, "heap", "reserved", a -> a.metric().usedHeapMemory());
        buffers(registry, "heap", "pinned", a -> a.pinnedHeapMemory());
        FunctionCounter.builder("lychgate.buffers.refused", Headroom.class, none -> Headroom.refused())
                .description("Connections closed because no direct memory was left")
                .register(registry);
        Gauge.builder("lychgate.memory.unfinished", MemoryBudget.OF_PROCESS, MemoryBudget::held)
                .description("Memory of messages that are not complete")
                .baseUnit("bytes")
                .register(registry);
        FunctionCounter.builder("lychgate.memory.reclaimed", MemoryBudget.OF_PROCESS, MemoryBudget::reclaimed)
                .description("Unfinished messages aborted because their memory was needed")
                .register(registry);
    }

    private static void buffers(
            MeterRegistry registry, String area, String state, ToDoubleFunction<PooledByteBufAllocator> bytes) {
        Gauge.builder("lychgate.buffers", PooledByteBufAllocator.DEFAULT, bytes)
                .description("Netty's pooled buffers: what the pool has reserved, and what of it is pinned by use")
                .baseUnit("bytes")
                .tag("area", area)
                .tag("state", state)
                .register(registry);
    }
}
