package dev.lychgate.server.handover;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts the process that replaces this one, and passes the listening sockets to it. Blocks. */
public final class Successor {
    /**
     * The property that selects how the JVM starts processes. The value {@code FORK} avoids the JVM's helper program:
     * if the JVM has been replaced on the disk, this process can't use the helper of the new JVM.
     */
    private static final String LAUNCH = "jdk.lang.Process.launchMechanism";

    private static final Duration LONGEST_GO = Duration.ofSeconds(1);
    private static volatile boolean takenOver;

    private Successor() {}

    /** An upgrade failed; this process continues to serve. The message states the reason in one sentence. */
    public static final class FailedException extends Exception {
        private static final long serialVersionUID = 1;

        public FailedException(String message) {
            super(message);
        }
    }

    /** The decision of this process about a new process that is ready. */
    public interface Consent {
        /**
         * Consents to the upgrade. Called before the new process accepts connections.
         *
         * @throws FailedException to withdraw the upgrade
         */
        void give(Process ready) throws FailedException, InterruptedException;
    }

    /**
     * Starts a process with {@code command}, passes the sockets to it, and waits until it accepts connections. If it
     * ends, does not become ready in time or gets no consent, it is killed before it accepts any connection.
     *
     * @param command the command line of the new process, which inherits the standard streams and the environment
     * @param descriptors listening sockets of this process
     * @param within the time within which the new process must be ready
     * @return the process, which accepts connections
     */
    public static Process start(List<String> command, List<Integer> descriptors, Duration within, Consent consent)
            throws FailedException, InterruptedException {
        if (!Epoll.isAvailable() || descriptors.isEmpty() || descriptors.size() > Handover.MOST_SOCKETS) {
            throw new FailedException("an upgrade needs Linux and 1 to " + Handover.MOST_SOCKETS
                    + " listening sockets of the epoll transport");
        }
        if (System.getProperty(LAUNCH) == null) {
            System.setProperty(LAUNCH, "FORK");
        }
        Path directory = null;
        Socket listening = null;
        Process started = null;
        Handover handover = null;
        boolean done = false;
        try {
            directory = Files.createTempDirectory(
                    "lychgate", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path path = directory.resolve("handover");
            listening = Socket.newSocketDomain();
            listening.bind(new DomainSocketAddress(path.toString()));
            listening.listen(1);
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            builder.environment().put(Predecessor.VARIABLE, path.toString());
            started = builder.start();
            long end = System.nanoTime() + within.toNanos();
            handover = accepted(listening, started, end);
            handOver(handover, started, descriptors, end, consent);
            done = true;
            takenOver = true;
            return started;
        } catch (IOException e) {
            throw new FailedException("the new process does not serve: " + reason(e, started));
        } finally {
            if (!done && started != null) {
                // The process is killed before the connection is closed, so that it cannot react to the close.
                started.destroyForcibly().waitFor();
            }
            if (!done && handover != null) {
                handover.close();
            }
            close(listening);
            delete(directory);
        }
    }

    /** Returns whether another process serves in place of this one. */
    public static boolean hasTakenOver() {
        return takenOver;
    }

    /** Runs {@code end} on a separate thread when the time has passed. */
    public static void afterwards(Duration wait, Runnable end) {
        Thread thread = new Thread(
                () -> {
                    try {
                        Thread.sleep(wait.toMillis());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    end.run();
                },
                "lychgate-end");
        thread.start();
    }

    private static Handover accepted(Socket listening, Process started, long end)
            throws IOException, InterruptedException {
        byte[] peer = new byte[Byte.MAX_VALUE];
        int[] accepted = {-1};
        Handover.await(end, "it did not connect in time", () -> {
            requireAlive(started);
            return (accepted[0] = listening.accept(peer)) >= 0;
        });
        return new Handover(new Socket(accepted[0]));
    }

    /**
     * Passes the sockets to the new process, waits until it is ready, and lets it accept connections. After success,
     * the connection stays open until this process ends, so that the new process detects this end.
     */
    private static void handOver(
            Handover handover, Process started, List<Integer> descriptors, long end, Consent consent)
            throws IOException, FailedException, InterruptedException {
        handover.send((byte) descriptors.size(), end);
        for (int descriptor : descriptors) {
            handover.sendDescriptor(descriptor, end);
        }
        Handover.await(end, "it was not ready in time", () -> {
            requireAlive(started);
            return handover.read() == Handover.READY;
        });
        consent.give(started);
        handover.send(Handover.GO, System.nanoTime() + LONGEST_GO.toNanos());
    }

    private static void requireAlive(Process started) throws IOException {
        if (!started.isAlive()) {
            throw new IOException("it has ended");
        }
    }

    /**
     * Returns why the new process does not serve. If the process has ended, the reason states its exit code, because
     * the exit code explains more than a closed connection.
     */
    private static String reason(IOException failure, @Nullable Process started) throws InterruptedException {
        long seconds = Handover.CLOSED.equals(failure.getMessage()) ? 1 : 0;
        return started != null && started.waitFor(seconds, TimeUnit.SECONDS)
                ? "it has ended with the exit code " + started.exitValue() + "; its log states the reason"
                : String.valueOf(failure.getMessage());
    }

    private static void close(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // The socket has no further use.
        }
    }

    private static void delete(@Nullable Path directory) {
        try {
            if (directory != null) {
                Files.deleteIfExists(directory.resolve("handover"));
                Files.deleteIfExists(directory);
            }
        } catch (IOException e) {
            // The directory for temporary files is cleaned up by the system.
        }
    }
}
