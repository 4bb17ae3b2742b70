package dev.lychgate.server.handover;

import dev.lychgate.listener.InheritedSockets;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that this process replaces, if an upgrade has started this process. Used on one thread, except for
 * {@link #isPresent}.
 */
public final class Predecessor {
    /** The environment variable with the path of the Unix socket of the predecessor. */
    public static final String VARIABLE = "LYCHGATE_HANDOVER";

    private static final Logger LOG = LoggerFactory.getLogger(Predecessor.class);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static volatile boolean present;

    private final @Nullable Handover handover;

    private Predecessor(@Nullable Handover handover) {
        this.handover = handover;
    }

    /**
     * Returns whether the process that this process replaces still runs. Until that process has drained and ended, it
     * may use files that only one process may write.
     */
    public static boolean isPresent() {
        return present;
    }

    /**
     * Receives the listening sockets of the predecessor, for {@link InheritedSockets}. Has no effect if there is no
     * predecessor.
     *
     * @param path the value of the environment variable {@value #VARIABLE}; null or empty without a predecessor
     * @throws IOException if the sockets do not arrive
     */
    public static Predecessor receive(@Nullable String path) throws IOException, InterruptedException {
        if (path == null || path.isEmpty()) {
            return new Predecessor(null);
        }
        if (!Epoll.isAvailable()) {
            throw new IOException(VARIABLE + " is set, but a handover needs Linux with epoll");
        }
        Socket socket = Socket.newSocketDomain();
        Handover handover = new Handover(socket);
        try {
            long end = System.nanoTime() + LONGEST.toNanos();
            if (!socket.connect(new DomainSocketAddress(path))) {
                Handover.await(end, "the old process does not accept the connection", socket::finishConnect);
            }
            int[] count = {-1};
            Handover.await(end, "the old process sends no sockets", () -> (count[0] = handover.read()) >= 0);
            for (int i = 0; i < count[0]; i++) {
                int[] descriptor = {0};
                Handover.await(
                        end,
                        "the old process sends too few sockets",
                        () -> (descriptor[0] = handover.receiveDescriptor()) > 0);
                InheritedSockets.add(descriptor[0]);
            }
            InheritedSockets.holdBack();
            present = true;
            return new Predecessor(handover);
        } catch (IOException | InterruptedException | RuntimeException e) {
            handover.close();
            throw e;
        }
    }

    /**
     * Notifies the predecessor that this process is ready, waits for its consent, and accepts connections. Has no
     * effect if there is no predecessor.
     *
     * @param own returns the sockets of this process
     * @return false if the predecessor has ended without consent, so that this process must end
     */
    public boolean takeOver(Supplier<SharedSockets> own) throws InterruptedException {
        Handover with = handover;
        if (with == null) {
            return true;
        }
        try {
            for (InetSocketAddress unused : InheritedSockets.closeRest()) {
                LOG.info("inherited socket closed: no listener has the address {}", unused);
            }
            with.send(Handover.READY, System.nanoTime() + LONGEST.toNanos());
            Handover.await(Long.MAX_VALUE, "", () -> with.read() == Handover.GO);
        } catch (IOException e) {
            LOG.warn("the old process did not complete the upgrade: {}; this process ends", e.getMessage());
            return false;
        }
        InheritedSockets.release();
        SharedSockets sockets = own.get();
        sockets.accept();
        Thread watch = new Thread(() -> awaitEnd(with, sockets), "lychgate-predecessor");
        watch.setDaemon(true);
        watch.start();
        return true;
    }

    /** Waits until the predecessor has ended, and its copies of the sockets are closed. */
    private static void awaitEnd(Handover with, SharedSockets sockets) {
        try {
            Handover.await(Long.MAX_VALUE, "", () -> with.read() > Byte.MAX_VALUE);
        } catch (IOException e) {
            LOG.info("the old process has ended");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        present = false;
        sockets.keep();
        with.close();
    }
}
