package dev.lychgate.server.fleet;

import dev.lychgate.config.FleetConfig;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Examines whether this machine can follow and change a fleet: keys, state directory, store and clock. To test the
 * store, this class changes a separate part of the store that no node follows. Blocks.
 */
public final class FleetDoctor {
    /**
     * The suffix that is appended to the name of the fleet's space. The result names a separate part of the store, in
     * which this class tests the store. No fleet uses this part, because the name of a space contains no slash.
     */
    private static final String PLACE = "/doctor";

    private static final Duration WATCH_WITHIN = Duration.ofSeconds(5);
    private static final Duration MOST_SKEW = Duration.ofSeconds(5);
    /**
     * The free disk space, in bytes, below which the check of the disk results in a warning. It is sufficient for the
     * five releases that a node keeps, and for one new release.
     */
    private static final long ENOUGH_DISK = 6L * Release.LARGEST;

    private final FleetConfig config;
    private final Clock clock;
    private final List<Finding> findings = new ArrayList<>();

    /** The outcome of a check. */
    public enum Outcome {
        OK,
        /** The fleet works, but an operator should change something. */
        WARNING,
        FAILED
    }

    /**
     * A result.
     *
     * @param check the name of the check, such as {@code clock}
     * @param detail one line
     */
    public record Finding(String check, Outcome outcome, String detail) {}

    public FleetDoctor(FleetConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
    }

    /** Runs the checks and returns their results. A check is omitted if it depends on a failed check. */
    public List<Finding> run() throws InterruptedException {
        examineDisk();
        examineStore(readKeys());
        return List.copyOf(findings);
    }

    private void add(String check, Outcome outcome, String detail) {
        findings.add(new Finding(check, outcome, detail));
    }

    private Optional<TrustedKeys> readKeys() {
        try {
            TrustedKeys keys = TrustedKeys.read(config.trust());
            add("keys", Outcome.OK, "trusted keys: " + config.trust().size());
            return Optional.of(keys);
        } catch (FleetException e) {
            add("keys", Outcome.FAILED, e.reason());
            return Optional.empty();
        }
    }

    private void examineDisk() {
        Path state = Path.of(config.state()).toAbsolutePath();
        Path present = state;
        while (!Files.isDirectory(present) && present.getParent() != null) {
            present = present.getParent();
        }
        try {
            long free = Files.getFileStore(present).getUsableSpace();
            if (!Files.isWritable(present)) {
                add("disk", Outcome.FAILED, present + " can't be written");
            } else if (free < ENOUGH_DISK) {
                add(
                        "disk",
                        Outcome.WARNING,
                        present + ": " + (free >> 20) + " MiB free (expected: " + (ENOUGH_DISK >> 20)
                                + " MiB for six releases of the maximum size)");
            } else {
                add("disk", Outcome.OK, present + " can be written");
            }
        } catch (IOException e) {
            add("disk", Outcome.FAILED, present + ": " + e);
        }
    }

    private void examineStore(Optional<TrustedKeys> keys) throws InterruptedException {
        try (FleetStore store = FleetNode.store(config.store(), config.space())) {
            long begin = System.nanoTime();
            Optional<FleetStore.StoredHead> head = FleetNode.get(store.head());
            add("store", Outcome.OK, "responded after " + milliseconds(begin) + " ms");
            if (keys.isPresent()) {
                examineHead(head, keys.get());
            }
            examineClock(store);
        } catch (FleetException e) {
            boolean reached = e.kind() == FleetException.Kind.REFUSED;
            add(reached ? "head" : "store", Outcome.FAILED, e.reason());
            if (!reached) {
                return;
            }
        }
        examineChanges();
    }

    private void examineHead(Optional<FleetStore.StoredHead> stored, TrustedKeys keys) {
        if (stored.isEmpty()) {
            add(
                    "head",
                    Outcome.WARNING,
                    "space " + config.space() + " has no head; lychgate fleet init creates a head");
            return;
        }
        try {
            FleetHead head = FleetHead.verify(stored.get().bytes(), config.space(), keys);
            add("head", Outcome.OK, "epoch " + head.epoch() + " by " + head.author() + ", signed by a trusted key");
        } catch (FleetException e) {
            add("head", Outcome.FAILED, e.reason());
        }
    }

    private void examineClock(FleetStore store) throws FleetException, InterruptedException {
        Duration ahead = Duration.between(FleetNode.get(store.time()), clock.instant());
        boolean good = ahead.abs().compareTo(MOST_SKEW) <= 0;
        add(
                "clock",
                good ? Outcome.OK : Outcome.WARNING,
                good
                        ? "within " + MOST_SKEW.toSeconds() + " s of the clock of the store"
                        : Math.abs(ahead.toSeconds()) + " s " + (ahead.isNegative() ? "behind" : "ahead of")
                                + " the clock of the store (expected: at most " + MOST_SKEW.toSeconds() + " s)");
    }

    /** Changes a head that no node follows, and waits until a watch reports the change. */
    private void examineChanges() throws InterruptedException {
        String check = "compare-and-set";
        try (FleetStore store = FleetNode.store(config.store(), config.space() + PLACE)) {
            long epoch = FleetNode.get(store.head())
                    .map(FleetStore.StoredHead::epoch)
                    .orElse(0L);
            byte[] head = ("doctor " + clock.instant()).getBytes(StandardCharsets.UTF_8);
            boolean set = FleetNode.get(store.compareAndSetHead(epoch, head));
            boolean setAgain = FleetNode.get(store.compareAndSetHead(epoch, head));
            if (!set || setAgain) {
                add(
                        check,
                        Outcome.FAILED,
                        set
                                ? "the store accepted two heads of one epoch"
                                : "the store rejected a change, possibly because another check runs at the same time");
                return;
            }
            add(check, Outcome.OK, "of two changes of the same epoch, the store accepted only the first");
            check = "watch";
            examineWatch(store, epoch + 1, head);
        } catch (FleetException e) {
            add(check, Outcome.FAILED, e.reason());
        }
    }

    private void examineWatch(FleetStore store, long epoch, byte[] head) throws FleetException, InterruptedException {
        CountDownLatch watching = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        store.watchHead(new FleetStore.HeadListener() {
            @Override
            public void head(FleetStore.StoredHead reported) {
                watching.countDown();
                if (reported.epoch() > epoch) {
                    seen.countDown();
                }
            }

            @Override
            public void unavailable(FleetException reason) {
                // If the store stays unavailable, the check fails at its time limit.
            }
        });
        boolean began = watching.await(WATCH_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        long begin = System.nanoTime();
        FleetNode.get(store.compareAndSetHead(epoch, head));
        if (began && seen.await(WATCH_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
            add("watch", Outcome.OK, "reported a change after " + milliseconds(begin) + " ms");
        } else {
            add("watch", Outcome.FAILED, "reported no change within " + WATCH_WITHIN.toSeconds() + " s");
        }
    }

    private static long milliseconds(long begin) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }
}
