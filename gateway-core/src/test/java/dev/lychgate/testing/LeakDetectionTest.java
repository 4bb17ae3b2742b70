package dev.lychgate.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.container;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs small test classes in a separate engine: they are nested so that the build does not run them itself. */
@Tag("slow")
class LeakDetectionTest {
    @Test
    void failsAClassThatLeaksAPooledBuffer() {
        run(LeaksPooled.class)
                .containerEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                container(LeaksPooled.class),
                                finishedWithFailure(
                                        instanceOf(AssertionError.class),
                                        message(text -> text.contains("1 leaked resources")
                                                && text.contains("LeaksPooled.forgetsToRelease")))));
    }

    @Test
    void failsAClassThatLeaksAnUnpooledBuffer() {
        run(LeaksUnpooled.class).containerEvents().assertStatistics(counts -> counts.failed(1));
    }

    @Test
    void passesAClassThatReleases() {
        run(Releases.class).containerEvents().assertStatistics(counts -> counts.failed(0));
    }

    private static EngineExecutionResults run(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .selectors(selectClass(testClass))
                .execute();
    }

    static class LeaksPooled {
        @Test
        void forgetsToRelease() {
            ByteBuf forgotten = PooledByteBufAllocator.DEFAULT.directBuffer(64);
            forgotten.writeLong(1);
        }
    }

    static class LeaksUnpooled {
        @Test
        void forgetsToRelease() {
            ByteBuf forgotten = UnpooledByteBufAllocator.DEFAULT.directBuffer(64);
            forgotten.writeLong(1);
        }
    }

    static class Releases {
        @Test
        void letsGo() {
            PooledByteBufAllocator.DEFAULT.directBuffer(64).writeLong(1).release();
        }
    }
}
