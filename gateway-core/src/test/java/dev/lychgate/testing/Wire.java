package dev.lychgate.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One end of a TCP connection with a time limit for every operation. The socket's own timeout ends a blocking read, and closing
 * the socket ends a blocking write: Java has no other way.
 */
final class Wire implements Closeable {
    /** Long enough for several long pauses of a busy build machine. A test that passes does not wait for it. */
    static final Duration USUAL_LIMIT = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final ScheduledExecutorService WATCHDOG = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "wire-watchdog");
        thread.setDaemon(true);
        return thread;
    });
    /** Small, so that the count of sent bytes shows the progress up to a stalled reader. */
    private static final int WRITE_PIECE = 4096;

    /** A read or write. */
    interface Operation<T> {
        T run() throws IOException;
    }

    private final Socket socket;
    private final InputStream in;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Duration limit = USUAL_LIMIT;
    private volatile long bytesSent;
    private long deadline;

    Wire(Socket socket) throws IOException {
        this.socket = socket;
        // One write is one segment where possible: tests choose where a message is cut.
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(new TimedInput(socket.getInputStream()));
    }

    InputStream in() {
        return in;
    }

    Socket socket() {
        return socket;
    }

    long bytesSent() {
        return bytesSent;
    }

    void limit(Duration newLimit) {
        limit = newLimit;
    }

    /** Reads {@code what}, completely within the limit. */
    <T> T read(String what, Operation<T> operation) throws IOException {
        return read(what, limit, operation);
    }

    /** Reads bytes that may arrive late, because only the end of the test ends the wait. */
    <T> T readPatiently(String what, Operation<T> operation) throws IOException {
        return read(what, PATIENCE, operation);
    }

    private <T> T read(String what, Duration time, Operation<T> operation) throws IOException {
        deadline = System.nanoTime() + time.toNanos();
        try {
            return operation.run();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no " + what + " within " + time, e);
        }
    }

    void send(byte[] bytes) throws IOException {
        AtomicBoolean cutOff = new AtomicBoolean();
        Future<?> watch = WATCHDOG.schedule(
                () -> {
                    cutOff.set(true);
                    close();
                },
                limit.toNanos(),
                TimeUnit.NANOSECONDS);
        try {
            for (int from = 0; from < bytes.length; from += WRITE_PIECE) {
                int length = Math.min(WRITE_PIECE, bytes.length - from);
                socket.getOutputStream().write(bytes, from, length);
                count(length);
            }
        } catch (SocketException e) {
            if (cutOff.get()) {
                throw new AssertionError("the peer did not take " + bytes.length + " bytes within " + limit, e);
            }
            throw e;
        } finally {
            watch.cancel(false);
        }
    }

    /** Sends in {@code pieces} chunks of about the same size, with a pause before each but the first. */
    void sendSlowly(byte[] bytes, int pieces, Duration pause) throws IOException {
        for (int i = 0; i < pieces; i++) {
            if (i > 0) {
                pause(pause);
            }
            int from = (int) ((long) bytes.length * i / pieces);
            int to = (int) ((long) bytes.length * (i + 1) / pieces);
            send(Arrays.copyOfRange(bytes, from, to));
        }
    }

    /**
     * Reads and discards until the peer ends the connection.
     *
     * @return the kind of the end
     */
    Ending awaitEnd() throws IOException {
        return read("end of the connection", () -> {
            byte[] scrap = new byte[8192];
            try {
                while (in.read(scrap) >= 0) {
                    // Thrown away on purpose.
                }
                return Ending.CLOSED;
            } catch (SocketException e) {
                if (socket.isClosed()) {
                    throw e;
                }
                return Ending.RESET;
            }
        });
    }

    /** Fails if a byte or an end arrives within {@code time}. */
    void expectSilence(Duration time) throws IOException {
        deadline = System.nanoTime() + time.toNanos();
        try {
            int b = in.read();
            throw new AssertionError(b < 0 ? "connection closed" : "unexpected byte " + b + " '" + (char) b + "'");
        } catch (SocketTimeoutException silence) {
            // As expected.
        }
    }

    /** Ends the connection with a RST instead of a FIN. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        close();
    }

    /** Sends a FIN and continues reading. */
    void halfClose() throws IOException {
        socket.shutdownOutput();
    }

    boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xff) {
                throw new IllegalArgumentException("one char is one byte here: '" + text.charAt(i) + "'");
            }
        }
        return text.getBytes(ISO_8859_1);
    }

    private void pause(Duration pause) throws IOException {
        try {
            if (closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new SocketException("Socket closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer, many readers
    private void count(int bytes) {
        bytesSent += bytes;
    }

    /** Gives every read the remaining time of the operation. */
    private final class TimedInput extends InputStream {
        private final InputStream raw;

        TimedInput(InputStream raw) {
            this.raw = raw;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            return raw.read(bytes, from, length);
        }
    }
}
