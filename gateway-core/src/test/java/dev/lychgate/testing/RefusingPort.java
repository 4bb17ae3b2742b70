package dev.lychgate.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of 127.0.0.1 that refuses every connection for as long as this is open: bound, so that nobody else gets it, but
 * never listening; that is left to {@link ScriptedOrigin#startAt}.
 */
public final class RefusingPort implements AutoCloseable {
    private final Socket holder = new Socket();

    /** Takes a free port. */
    public RefusingPort() throws IOException {
        holder.setReuseAddress(true);
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** The address that refuses. */
    public InetSocketAddress address() {
        return (InetSocketAddress) holder.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        holder.close();
    }
}
