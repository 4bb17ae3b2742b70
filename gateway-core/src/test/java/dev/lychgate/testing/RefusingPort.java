package dev.lychgate.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of 127.0.0.1 that refuses every connection until this is closed: bound, so that no other process gets it, but never
 * listening; {@link ScriptedOrigin#startAt} listens there.
 */
public final class RefusingPort implements AutoCloseable {
    private final Socket holder = new Socket();

    /** Binds a free port. */
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
