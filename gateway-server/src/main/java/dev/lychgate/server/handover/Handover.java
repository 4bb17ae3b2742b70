package dev.lychgate.server.handover;

import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One end of the Unix socket between the old and the new process. The old process sends a byte with the number of
 * listening sockets, then each of them. The new process sends {@link #READY} when it is able to accept connections. The
 * old process then sends {@link #GO}, after which the new process accepts connections. The old process keeps the Unix
 * socket open until the process ends. Methods with a deadline block. They poll the Unix socket, because sockets of the
 * epoll transport are non-blocking. Not thread-safe.
 */
final class Handover implements AutoCloseable {
    static final byte READY = 'R';
    static final byte GO = 'G';
    /** The maximum number of sockets, so that the number fits into a byte. */
    static final int MOST_SOCKETS = 255;

    static final String CLOSED = "the other process has closed the connection";
    private static final Duration PAUSE = Duration.ofMillis(10);

    private final Socket socket;
    private final ByteBuffer single = ByteBuffer.allocateDirect(1);

    Handover(Socket socket) {
        this.socket = socket;
    }

    /** An operation that may have to wait. */
    interface Step {
        /** Returns whether the operation is complete. */
        boolean run() throws IOException;
    }

    /**
     * Repeats an operation until it is complete.
     *
     * @param end the deadline, in units of {@link System#nanoTime}; {@link Long#MAX_VALUE} without a deadline
     * @throws IOException if the operation fails; also, with the message {@code late}, if it is not complete in time
     */
    static void await(long end, String late, Step step) throws IOException, InterruptedException {
        while (!step.run()) {
            if (end != Long.MAX_VALUE && System.nanoTime() - end > 0) {
                throw new IOException(late);
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }

    void send(byte value, long end) throws IOException, InterruptedException {
        single.clear();
        single.put(value).flip();
        await(end, "the other process does not read", () -> socket.write(single, 0, 1) == 1);
    }

    void sendDescriptor(int descriptor, long end) throws IOException, InterruptedException {
        await(end, "the other process does not read", () -> socket.sendFd(descriptor) >= 0);
    }

    /**
     * Reads a byte if there is one.
     *
     * @return the byte; -1 if there is none yet
     * @throws IOException if the other process has closed the connection
     */
    int read() throws IOException {
        single.clear();
        int count = socket.read(single, 0, 1);
        if (count < 0) {
            throw new IOException(CLOSED);
        }
        return count == 0 ? -1 : single.get(0) & 0xff;
    }

    /**
     * Receives a descriptor if there is one.
     *
     * @return the descriptor, which this process owns; 0 if there is none yet
     * @throws IOException if the other process has closed the connection
     */
    int receiveDescriptor() throws IOException {
        int descriptor = socket.recvFd();
        if (descriptor < 0) {
            throw new IOException(CLOSED);
        }
        return descriptor;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection has no further use.
        }
    }
}
