package dev.lychgate.server.handover;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the state of the process to the service manager that started it, such as systemd with {@code Type=notify}.
 * The protocol is that of {@code sd_notify(3)}: datagrams to the Unix socket that {@code NOTIFY_SOCKET} names. Without
 * this variable, no method has an effect. If a report can't be sent, the gateway logs a warning and continues.
 */
public final class NotifySocket {
    /** The environment variable with the path of the socket of the service manager. */
    public static final String VARIABLE = "NOTIFY_SOCKET";

    private static final Logger LOG = LoggerFactory.getLogger(NotifySocket.class);
    private static final int TRIES = 20;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(100);

    /** Whether another process serves in place of this one. */
    private static volatile boolean replaced;

    private final @Nullable String path;

    private NotifySocket(@Nullable String path) {
        this.path = path;
    }

    /**
     * Creates the reports to a service manager.
     *
     * @param path the value of the environment variable {@value #VARIABLE}; null or empty without a service manager
     */
    public static NotifySocket of(@Nullable String path) {
        return new NotifySocket(path == null || path.isEmpty() ? null : path);
    }

    /** Reports that all listeners are bound. */
    public void ready() {
        report("READY=1\nSTATUS=serving\nMAINPID=" + ProcessHandle.current().pid());
    }

    /**
     * Reports that another process serves from now on. Later reports of this process would concern the other process,
     * so they are not sent. Tries for two seconds.
     *
     * @return false if the report could not be sent
     */
    public boolean replacedBy(long process) throws InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            if (report("MAINPID=" + process)) {
                replaced = true;
                return true;
            }
            Thread.sleep(BETWEEN_TRIES.toMillis());
        }
        return false;
    }

    /** Reports that this process serves after all, because the other process has ended. */
    public void serves() {
        if (replaced) {
            replaced = false;
            report("MAINPID=" + ProcessHandle.current().pid());
        }
    }

    /** Reports that the drain has begun. */
    public void stopping() {
        report("STOPPING=1\nSTATUS=draining");
    }

    /** Returns false if there is a service manager to which the report could not be sent. */
    private boolean report(String state) {
        String to = path;
        if (to == null || replaced) {
            return true;
        }
        if (!to.startsWith("/")) {
            LOG.warn("the service manager is not notified: {} is {}, but the path of a socket is needed", VARIABLE, to);
        } else if (!Epoll.isAvailable()) {
            LOG.warn("the service manager is not notified: {} needs Linux with epoll", VARIABLE);
        } else {
            return send(to, state);
        }
        return false;
    }

    private static boolean send(String to, String state) {
        byte[] text = state.getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = ByteBuffer.allocateDirect(text.length).put(text).flip();
        try {
            Socket socket = Socket.newSocketDomainDgram();
            try {
                if (socket.sendToDomainSocket(message, 0, text.length, to.getBytes(StandardCharsets.UTF_8)) > 0) {
                    return true;
                }
                LOG.warn("the service manager is not notified: socket {} accepts no message at the moment", to);
            } finally {
                socket.close();
            }
        } catch (IOException e) {
            LOG.warn("the service manager is not notified: writing to socket {} failed: {}", to, e.getMessage());
        }
        return false;
    }
}
