package dev.lychgate.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * An address where a connect neither succeeds nor fails: a listening socket that never accepts, with a full backlog, so that
 * the system drops every further SYN.
 */
public final class BlackHole implements AutoCloseable {
    private static final int SURELY_DROPPED_MILLIS = 300;
    private static final int MORE_THAN_ANY_BACKLOG = 64;

    private final ServerSocket server = new ServerSocket();
    private final List<Socket> fillers = new ArrayList<>();

    /** Opens the hole and fills its backlog. */
    public BlackHole() throws IOException {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        while (connectOnce()) {
            if (fillers.size() == MORE_THAN_ANY_BACKLOG) {
                close();
                throw new IOException("this system's backlog does not fill up");
            }
        }
    }

    /** The address that does not respond. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private boolean connectOnce() throws IOException {
        Socket filler = new Socket();
        fillers.add(filler);
        try {
            filler.connect(address(), SURELY_DROPPED_MILLIS);
            return true;
        } catch (SocketTimeoutException full) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket filler : fillers) {
            filler.close();
        }
        server.close();
    }
}
