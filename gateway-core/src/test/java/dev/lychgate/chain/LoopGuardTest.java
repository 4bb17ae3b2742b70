package dev.lychgate.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.TestFilter;
import org.junit.jupiter.api.Test;

class LoopGuardTest {
    private static final LogMark OUTER = new LogMark("outer", null);
    private static final LogMark INNER = new LogMark("inner", null);

    private final LoopGuard guard = new LoopGuard();
    private final FilterSlot a = TestFilter.slot("a");
    private final FilterSlot b = TestFilter.slot("b");

    @Test
    void exposesACallUntilItEnds() {
        guard.enter(a, () -> OUTER, 1, true);
        assertThat(guard.slot()).isSameAs(a);
        assertThat(guard.isAsked()).isTrue();
        guard.run();
        assertThat(guard.isRun()).isTrue();
        assertThat(LogMark.here()).isEqualTo(OUTER);
        guard.leave();
        assertThat(guard.slot()).isNull();
        assertThat(LogMark.here()).isNull();
    }

    @Test
    void exposesTheOuterCallAgainAfterANestedOne() {
        guard.enter(a, () -> OUTER, 1, true);
        guard.run();
        guard.enter(b, () -> INNER, 2, false);
        guard.enter(a, () -> INNER, 3, false);
        guard.leave();
        assertThat(guard.slot()).isSameAs(b);
        assertThat(guard.since()).isEqualTo(2);
        assertThat(guard.isRun()).isFalse();
        assertThat(LogMark.here()).isEqualTo(INNER);
        guard.leave();
        assertThat(guard.slot()).isSameAs(a);
        assertThat(guard.since()).isEqualTo(1);
        assertThat(guard.isRun()).isTrue();
        assertThat(LogMark.here()).isEqualTo(OUTER);
        guard.leave();
        assertThat(guard.slot()).isNull();
        guard.enter(b, () -> INNER, 4, false);
        guard.leave();
        assertThat(guard.slot()).isNull();
    }
}
