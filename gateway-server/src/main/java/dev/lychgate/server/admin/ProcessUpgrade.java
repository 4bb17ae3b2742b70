package dev.lychgate.server.admin;

import dev.lychgate.server.handover.Successor;

/** Replaces the process of a gateway with a new one, which takes over the listening sockets. Thread-safe. */
public interface ProcessUpgrade {
    /**
     * Starts the new process, and returns when it serves. The old process then drains, and ends. Blocks.
     *
     * @return the process ID of the new process
     * @throws Successor.FailedException if the new process does not serve; the old process then continues
     */
    long run() throws Successor.FailedException, InterruptedException;
}
