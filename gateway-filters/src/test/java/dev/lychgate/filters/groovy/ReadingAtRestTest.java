package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repeated reads of a filter directory that changes, and their result. */
@Tag("slow")
class ReadingAtRestTest {
    private static final FilterSources ONE = Sources.of("inbound/a.groovy", "1");
    private static final FilterSources TWO = Sources.of("inbound/a.groovy", "2");

    private final Deque<String> stamps = new ArrayDeque<>();
    private final Deque<ReadingAtRest.Reading> readings = new ArrayDeque<>();
    private int count;

    /** The last element of each is repeated. */
    private static <T> T next(Deque<T> of) {
        return of.size() > 1 ? of.remove() : of.element();
    }

    private FilterSources read() throws FilterFaultsException {
        return ReadingAtRest.read(() -> new DirectoryStamp(next(stamps), Map.of()), () -> {
            count++;
            return next(readings).read();
        });
    }

    private static FilterFaultsException fault() {
        return new FilterFaultsException(FilterFault.of("outbound", "is a link to a missing file"));
    }

    @Test
    void aDirectoryAtRestIsReadOnce() throws Exception {
        stamps.add("same");
        readings.add(() -> ONE);
        assertThat(read()).isSameAs(ONE);
        assertThat(count).isEqualTo(1);
    }

    @Test
    void aReadDuringAChangeIsRepeated() throws Exception {
        stamps.addAll(List.of("before", "after"));
        readings.addAll(List.of(() -> ONE, () -> TWO));
        assertThat(read()).isSameAs(TWO);
    }

    @Test
    void aFileThatVanishesBeforeTheReadIsNoFaultIfItReturns() throws Exception {
        stamps.add("same");
        readings.add(() -> {
            throw new NoSuchFileException("outbound");
        });
        readings.add(() -> TWO);
        assertThat(read()).isSameAs(TWO);
    }

    @Test
    void aFileThatVanishesEveryTimeIsRefused() {
        stamps.add("same");
        readings.add(() -> {
            throw new NoSuchFileException("outbound");
        });
        assertThatThrownBy(this::read).hasMessage("outbound: was removed before it was read");
    }

    @Test
    void aFaultDuringAChangeIsDroppedIfTheChangeEndsWithoutFaults() throws Exception {
        stamps.addAll(List.of("before", "after"));
        readings.add(() -> {
            throw fault();
        });
        readings.add(() -> TWO);
        assertThat(read()).isSameAs(TWO);
    }

    @Test
    void aFaultAtRestIsReportedAtOnce() {
        stamps.add("same");
        readings.add(() -> {
            throw fault();
        });
        assertThatThrownBy(this::read).hasMessage("outbound: is a link to a missing file");
        assertThat(count).isEqualTo(1);
    }

    @Test
    void theLastReadIsUsedIfADirectoryNeverComesToRest() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            stamps.add("change " + i);
        }
        readings.add(() -> ONE);
        assertThat(read()).isSameAs(ONE);
    }

    @Test
    void anInterruptReturnsTheCurrentRead() throws Exception {
        stamps.addAll(List.of("before", "after"));
        readings.addAll(List.of(() -> ONE, () -> TWO));
        Thread.currentThread().interrupt();
        assertThat(read()).isSameAs(ONE);
        assertThat(Thread.interrupted()).isTrue();
    }
}
