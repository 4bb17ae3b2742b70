package dev.lychgate.splice;

import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pipe of the kernel, through which bytes move from one socket to another. Neither reading nor writing blocks. */
final class Pipe {
    private static final Logger LOG = LoggerFactory.getLogger(Pipe.class);
    /** The offset for file descriptors that have no position, such as sockets and pipes. */
    private static final long NONE = -1;

    private final FileDescriptor readEnd;
    private final FileDescriptor writeEnd;

    private Pipe(FileDescriptor[] ends) {
        readEnd = ends[0];
        writeEnd = ends[1];
    }

    /**
     * Opens a pipe.
     *
     * @throws IOException if the pipe cannot be opened, typically for lack of file descriptors
     */
    static Pipe open() throws IOException {
        return new Pipe(FileDescriptor.pipe());
    }

    /**
     * Moves bytes from a socket into the pipe.
     *
     * @return the number of moved bytes; 0 if no bytes are available or the pipe is full
     */
    int fill(int socket, long most) throws IOException {
        return Native.splice(socket, NONE, writeEnd.intValue(), NONE, most);
    }

    /**
     * Moves up to {@code most} bytes of the pipe's content to a socket.
     *
     * @return the number of moved bytes; 0 if the socket accepts no bytes now
     */
    int drain(int socket, long most) throws IOException {
        return Native.splice(readEnd.intValue(), NONE, socket, NONE, most);
    }

    void close() {
        close(readEnd);
        close(writeEnd);
    }

    private static void close(FileDescriptor end) {
        try {
            end.close();
        } catch (IOException e) {
            LOG.warn(
                    "one end of a splicing pipe could not be closed; the file descriptor of this end may stay open", e);
        }
    }
}
