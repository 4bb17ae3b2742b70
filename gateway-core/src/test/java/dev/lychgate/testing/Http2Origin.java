package dev.lychgate.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An origin with HTTP/2 without TLS that the test controls, valid or not: returns its connections in the order of their
 * arrival.
 */
public final class Http2Origin implements Closeable {
    private final ServerSocket server;
    private final List<Http2Client> accepted = new ArrayList<>();

    private Http2Origin(ServerSocket server) {
        this.server = server;
    }

    public static Http2Origin start() throws IOException {
        return new Http2Origin(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    /**
     * The next connection, after its preface.
     *
     * @param settings the first settings: ids and values
     */
    public Http2Client accept(int... settings) throws IOException {
        return acceptSilently().settings(settings);
    }

    /** The next connection, after its preface; sends no frames, not even settings. */
    public Http2Client acceptSilently() throws IOException {
        server.setSoTimeout((int) Wire.USUAL_LIMIT.toMillis());
        Http2Client connection = Http2Client.accepted(server.accept());
        accepted.add(connection);
        return connection;
    }

    /** Fails if a connection is made within {@code time}. */
    public void expectNoConnection(Duration time) throws IOException {
        server.setSoTimeout((int) time.toMillis());
        try {
            server.accept().close();
        } catch (SocketTimeoutException nobody) {
            return;
        }
        throw new AssertionError("another connection");
    }

    @Override
    public void close() throws IOException {
        for (Http2Client connection : accepted) {
            connection.close();
        }
        server.close();
    }
}
