package dev.lychgate.server.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A connection to an embedded server, for one request at a time. The methods block, so they must not be called on event
 * loops. The JDK's HTTP client is not used, because its many classes would fill the cache of classes that the command
 * {@code cache} creates for the gateway.
 */
final class LoopbackConnection implements Closeable {
    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *(\\d+)\r\n");

    private final Socket socket;
    private final InputStream in;

    /** @param timeoutMillis time limit of each read; a longer read throws {@link SocketTimeoutException} */
    LoopbackConnection(InetSocketAddress server, int timeoutMillis) throws IOException {
        socket = new Socket(server.getAddress(), server.getPort());
        socket.setSoTimeout(timeoutMillis);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Sends a request and reads the complete response.
     *
     * @return the response head, in lower case
     * @throws IOException if no response arrives, or if the response has no content-length
     */
    String ask(String method, String target, byte[] body) throws IOException {
        String head =
                method + " " + target + " HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: " + body.length + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(ISO_8859_1));
        socket.getOutputStream().write(body);
        String answer = head();
        Matcher length = LENGTH.matcher(answer);
        if (!length.find()) {
            throw new IOException("a response without content-length to " + target);
        }
        in.skipNBytes(Long.parseLong(length.group(1)));
        return answer;
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || head.lastIndexOf("\r\n\r\n") != head.length() - 4) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the connection was closed within a response");
            }
            head.append((char) next);
        }
        return head.toString().toLowerCase(Locale.ROOT);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
