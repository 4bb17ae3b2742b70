package dev.lychgate.testing;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Forwards one connection, and reads the types of the passing TLS records: the JDK's sockets treat the end of a connection as
 * an end inside TLS, whether it was or not. Only for TLS 1.2, because 1.3 hides the types.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5246#section-6.2.1">RFC 5246, 6.2.1 Fragmentation</a>
 */
public final class TlsTap implements Closeable {
    /** The record type before a regular end: close_notify. */
    public static final int ALERT = 21;

    private final ServerSocket server;
    private final CompletableFuture<Integer> there = new CompletableFuture<>();
    private final CompletableFuture<Integer> back = new CompletableFuture<>();
    private final CompletableFuture<Socket> from = new CompletableFuture<>();
    private final CompletableFuture<Socket> to = new CompletableFuture<>();

    private TlsTap(ServerSocket server) {
        this.server = server;
    }

    /** Listens for a connection to {@code target}. */
    public static TlsTap before(InetSocketAddress target) throws IOException {
        TlsTap tap = new TlsTap(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        start(() -> tap.accept(target));
        return tap;
    }

    /** Returns its address. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** The type of the last complete record before the end of the bytes to the target; waits for that end. */
    public int lastToTarget() throws Exception {
        return there.get(Wire.USUAL_LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** The type of the last whole record before the end of what the target has sent; waits for that end. */
    public int lastFromTarget() throws Exception {
        return back.get(Wire.USUAL_LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void accept(InetSocketAddress target) {
        try {
            Socket one = server.accept();
            from.complete(one);
            Socket other = new Socket(target.getAddress(), target.getPort());
            to.complete(other);
            start(() -> pass(one, other, there));
            start(() -> pass(other, one, back));
        } catch (IOException e) {
            there.completeExceptionally(e);
            back.completeExceptionally(e);
        }
    }

    private static void pass(Socket source, Socket sink, CompletableFuture<Integer> last) {
        int type = -1;
        try {
            DataInputStream in = new DataInputStream(source.getInputStream());
            OutputStream out = sink.getOutputStream();
            byte[] head = new byte[5];
            while (true) {
                try {
                    in.readFully(head);
                } catch (EOFException end) {
                    break;
                }
                byte[] body = new byte[(head[3] & 0xff) << 8 | (head[4] & 0xff)];
                in.readFully(body);
                type = head[0];
                out.write(head);
                out.write(body);
            }
            sink.shutdownOutput();
            last.complete(type);
        } catch (IOException e) {
            // After its alert, a side may reset the connection, because it reads no more.
            if (type == ALERT) {
                last.complete(type);
            } else {
                last.completeExceptionally(e);
            }
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tls-tap");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (CompletableFuture<Socket> socket : java.util.List.of(from, to)) {
                if (socket.isDone()) {
                    socket.join().close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
