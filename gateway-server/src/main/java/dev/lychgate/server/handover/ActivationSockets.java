package dev.lychgate.server.handover;

import dev.lychgate.listener.InheritedSockets;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listening sockets that a service manager has bound and passes to this process. For example, systemd passes the
 * sockets of the socket units of a service. The protocol is that of {@code sd_listen_fds(3)}: the variable {@code
 * LISTEN_FDS} contains the number of sockets, and {@code LISTEN_PID} contains the ID of the process that receives them.
 * The first socket has the descriptor 3. Used before the listeners are bound, on one thread.
 */
public final class ActivationSockets {
    private static final Logger LOG = LoggerFactory.getLogger(ActivationSockets.class);
    private static final int FIRST = 3;
    private static final int MOST = 1024;
    private static final Pattern FLAGS = Pattern.compile("^flags:\\s+([0-7]+)$", Pattern.MULTILINE);
    /** {@code O_NONBLOCK} of Linux. */
    private static final int NONBLOCK = 04000;

    private ActivationSockets() {}

    /**
     * Receives the sockets, for {@link InheritedSockets}.
     *
     * @param environment returns the value of an environment variable; null if it is not set
     * @return the number of sockets; 0 if none are passed to this process
     * @throws IOException if the sockets can't be used
     */
    public static int receive(UnaryOperator<@Nullable String> environment) throws IOException {
        String count = environment.apply("LISTEN_FDS");
        String process = environment.apply("LISTEN_PID");
        if (count == null || process == null) {
            return 0;
        }
        // If the IDs differ, the variables were inherited from a parent process, and the descriptors are not sockets
        // for this process.
        if (!process.equals(Long.toString(ProcessHandle.current().pid()))) {
            return 0;
        }
        int sockets = number(count);
        if (sockets > 0 && !Epoll.isAvailable()) {
            throw new IOException("LISTEN_FDS is set, but inherited sockets need Linux with epoll");
        }
        for (int descriptor = FIRST; descriptor < FIRST + sockets; descriptor++) {
            receive(descriptor);
        }
        return sockets;
    }

    private static int number(String count) throws IOException {
        try {
            int sockets = Integer.parseInt(count);
            if (sockets >= 0 && sockets <= MOST) {
                return sockets;
            }
        } catch (NumberFormatException e) {
            // The message below names the value.
        }
        throw new IOException("LISTEN_FDS is " + count + " (expected: a number from 0 to " + MOST + ")");
    }

    private static void receive(int descriptor) throws IOException {
        Matcher flags = FLAGS.matcher(Files.readString(Path.of("/proc/self/fdinfo/" + descriptor)));
        if (!flags.find()) {
            throw new IOException("the flags of the inherited socket " + descriptor + " are unknown");
        }
        if ((Integer.parseInt(flags.group(1), 8) & NONBLOCK) == 0) {
            throw new IOException("the inherited socket " + descriptor
                    + " would block an event loop; set NonBlocking=yes in the section [Service] of the unit");
        }
        if (new Socket(descriptor).localAddress() == null) {
            throw new IOException("the inherited descriptor " + descriptor + " is not a TCP socket");
        }
        InheritedSockets.addForeign(descriptor);
    }

    /** Closes the received sockets that no listener has adopted, and logs their addresses. */
    public static void closeUnused() {
        try {
            for (InetSocketAddress unused : InheritedSockets.closeRest()) {
                LOG.warn("inherited socket closed: neither a listener nor admin has the address {}", unused);
            }
        } catch (IOException e) {
            LOG.warn("an inherited socket could not be closed", e);
        }
    }
}
