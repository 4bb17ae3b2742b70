package dev.lychgate.zuul;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * An origin that responds with the value of the header {@code x-out} of the request, and keeps nothing of it. Requests have
 * no bodies.
 */
final class EchoOrigin implements AutoCloseable {
    private static final String NAME = "\nx-out:";

    private final ServerSocket server;

    private EchoOrigin(ServerSocket server) {
        this.server = server;
    }

    static EchoOrigin start() throws IOException {
        EchoOrigin origin = new EchoOrigin(new ServerSocket(0, 128, InetAddress.getLoopbackAddress()));
        start(origin::accept);
        return origin;
    }

    int port() {
        return server.getLocalPort();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "echo-origin");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                int at = head.toLowerCase(Locale.ROOT).indexOf(NAME);
                String value = at < 0
                        ? ""
                        : head.substring(at + NAME.length(), head.indexOf('\r', at))
                                .strip();
                out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + value.length() + "\r\n\r\n" + value)
                        .getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            // The gateway has closed the connection.
        }
    }

    /** Returns the next head; empty at the end of the connection. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder(256);
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.append((char) next);
            int length = head.length();
            if (next == '\n' && length >= 4 && head.charAt(length - 3) == '\n') {
                return head.toString();
            }
        }
        return "";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
