package dev.lychgate.server.admin;

import dev.lychgate.server.handover.Successor;
import dev.lychgate.server.json.Shape;
import org.jspecify.annotations.Nullable;

/** {@code /upgrade}: replaces the process. Blocks until the new process serves, so it runs on a separate thread. */
final class UpgradePage {
    /**
     * A completed upgrade.
     *
     * @param process the process ID of the new process
     * @param millis the time from the request until the new process served
     */
    record Upgraded(long process, long millis) {}

    static final Shape<Upgraded> SHAPE = new Shape<Upgraded>(
                    "Upgraded", "A new process, which serves; the old process drains.")
            .integer("process", "The process ID of the new process.", Upgraded::process)
            .integer("millis", "The time until the new process served, in milliseconds.", Upgraded::millis);

    private UpgradePage() {}

    static Upgraded run(@Nullable ProcessUpgrade upgrade) throws Rejection {
        if (upgrade == null) {
            throw Rejection.conflict("only a gateway that the command run has started can be upgraded");
        }
        long begin = System.nanoTime();
        try {
            long process = upgrade.run();
            return new Upgraded(process, (System.nanoTime() - begin) / 1_000_000);
        } catch (Successor.FailedException e) {
            throw Rejection.conflict(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Rejection.conflict("the upgrade was interrupted, because the gateway is stopping");
        }
    }
}
