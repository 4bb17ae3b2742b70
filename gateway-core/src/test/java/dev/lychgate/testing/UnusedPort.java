package dev.lychgate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A loopback port for a process that is started later. Port 0 would give a port that any outgoing connection of the machine may take
 * before the process binds it: these lie below the range from which systems choose such ports (from 32768 on Linux).
 */
public final class UnusedPort {
    private static final int FIRST = 10_000;
    private static final int AFTER_LAST = 32_768;

    private UnusedPort() {}

    /** Returns the number of a port that no socket uses at the moment. */
    public static int number() {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(FIRST, AFTER_LAST);
        } while (!unused(port));
        return port;
    }

    private static boolean unused(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
