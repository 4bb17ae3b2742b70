package dev.lychgate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A loopback port for a process that is started later. Port 0 would give a port that any outgoing connection of the machine may take
 * before the process binds it: these lie below the range from which systems choose such ports (from 32768 on Linux).
 */
public final class UnusedPort {
    private static final int FIRST = 10_000;
    private static final int AFTER_LAST = 32_768;

    /** Test processes that run at the same time usually choose from different parts of the range. */
    private static final int PARTS = 16;

    private static final int WIDTH = (AFTER_LAST - FIRST) / PARTS;
    private static final int FIRST_OF_PROCESS =
            FIRST + (int) (ProcessHandle.current().pid() % PARTS) * WIDTH;
    /** The ports that were returned before. */
    private static final Set<Integer> RETURNED = ConcurrentHashMap.newKeySet();

    private UnusedPort() {}

    /** Returns the number of a port that no socket uses at the moment, and that this process has not returned before. */
    public static int number() {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(FIRST_OF_PROCESS, FIRST_OF_PROCESS + WIDTH);
        } while (!unused(port) || !RETURNED.add(port));
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
