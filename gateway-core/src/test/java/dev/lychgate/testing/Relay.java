package dev.lychgate.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A relay to a port on the loopback address. Its connections can become silent without being closed. */
public final class Relay implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean silent;

    /** @param target the address to which the relay connects; its scheme and host have no effect */
    public Relay(URI target) throws IOException {
        this.target = target.getPort();
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the address of the relay, as a URL. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    /** From now on, nothing that arrives is forwarded. */
    public void becomeSilent() {
        silent = true;
    }

    /** Forwards what arrives on new connections again. */
    public void forwardAgain() {
        silent = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket from = server.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(from);
                sockets.add(to);
                start(() -> forward(from, to));
                start(() -> forward(to, from));
            }
        } catch (IOException e) {
            // The relay was closed.
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        boolean dead = false;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                // A connection that lost bytes stays silent, as behind a firewall that forgot it.
                dead |= silent;
                if (!dead) {
                    out.write(buffer, 0, read);
                }
            }
            if (!dead && !silent) {
                to.close();
            }
        } catch (IOException e) {
            // The relay or one of the peers was closed.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket each : sockets) {
            each.close();
        }
    }
}
