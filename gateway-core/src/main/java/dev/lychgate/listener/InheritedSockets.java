package dev.lychgate.listener;

import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The listening sockets that this process has inherited from another process, until listeners adopt them. A socket
 * keeps its queue of new connections, so no connection is lost when another process takes over. Process-wide, because
 * descriptors belong to the process. Thread-safe.
 */
public final class InheritedSockets {
    private static final Queue<Socket> WAITING = new ConcurrentLinkedQueue<>();
    private static final Set<Integer> FOREIGN = ConcurrentHashMap.newKeySet();
    private static volatile boolean heldBack;

    private InheritedSockets() {}

    /**
     * Makes all listeners of this process, including listeners with new sockets, wait for
     * {@link Listener#acceptInherited} before they accept connections. Called before the listeners are bound.
     */
    public static void holdBack() {
        heldBack = true;
    }

    /** Returns whether listeners must not accept connections yet. */
    public static boolean isHeldBack() {
        return heldBack;
    }

    /** Ends the effect of {@link #holdBack} for listeners that are bound later. */
    public static void release() {
        heldBack = false;
    }

    /** Adds a listening TCP socket. The socket is closed by the listener that adopts it, or by {@link #closeRest}. */
    public static void add(int descriptor) {
        WAITING.add(new Socket(descriptor));
    }

    /**
     * Adds a listening TCP socket like {@link #add}. The process that bound the socket keeps it for later processes, so
     * this process must not shut the socket down or change its queue.
     */
    public static void addForeign(int descriptor) {
        FOREIGN.add(descriptor);
        add(descriptor);
    }

    /** Returns whether the socket was added by {@link #addForeign}. */
    static boolean isForeign(int descriptor) {
        return FOREIGN.contains(descriptor);
    }

    /**
     * Returns the descriptors of the sockets that are bound to an address, and removes them from the list. The caller
     * owns them. Empty for an address with port 0.
     */
    public static List<Integer> adopt(InetSocketAddress address) {
        List<Integer> adopted = new ArrayList<>();
        WAITING.removeIf(socket -> isSame(socket.localAddress(), address) && adopted.add(socket.intValue()));
        return adopted;
    }

    private static boolean isSame(InetSocketAddress one, InetSocketAddress other) {
        InetAddress first = one.getAddress();
        InetAddress second = other.getAddress();
        return one.getPort() == other.getPort()
                && (first.equals(second) || (first.isAnyLocalAddress() && second.isAnyLocalAddress()));
    }

    /**
     * Closes the sockets that no listener has adopted.
     *
     * @return their addresses
     */
    public static List<InetSocketAddress> closeRest() throws IOException {
        List<InetSocketAddress> closed = new ArrayList<>();
        for (Socket socket = WAITING.poll(); socket != null; socket = WAITING.poll()) {
            closed.add(socket.localAddress());
            socket.close();
        }
        return closed;
    }
}
