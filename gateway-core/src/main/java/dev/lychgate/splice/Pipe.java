package dev.lychgate.splice;

import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pipe of the kernel: what is spliced into it comes out in the same order. Neither direction ever waits. */
final class Pipe {
    private static final Logger LOG = LoggerFactory.getLogger(Pipe.class);
    /** The position of what has none, as sockets and pipes. */
    private static final long NONE = -1;

    private final FileDescriptor readEnd;
    private final FileDescriptor writeEnd;

    private Pipe(FileDescriptor[] ends) {
        readEnd = ends[0];
        writeEnd = ends[1];
    }

    /** A new one. @throws IOException if there is no descriptor left, most likely */
    static Pipe open() throws IOException {
        return new Pipe(FileDescriptor.pipe());
    }

    /** Moves bytes off a socket into the pipe. @return how many: 0 if none are there, if the pipe is full, or at the end */
    int fill(int socket, long most) throws IOException {
        return Native.splice(socket, NONE, writeEnd.intValue(), NONE, most);
    }

    /** Moves {@code most} bytes, no more than are in the pipe, on to a socket. @return how many: 0 if it takes none now */
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
            LOG.warn("one end of a pipe could not be closed", e);
        }
    }
}
