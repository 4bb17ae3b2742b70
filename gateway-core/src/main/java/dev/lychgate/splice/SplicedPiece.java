package dev.lychgate.splice;

import io.netty.channel.Channel;
import io.netty.channel.FileRegion;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.AbstractReferenceCounted;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * A chunk of a body whose bytes are in a pipe. The chunk owns the pipe until the chunk is released. Netty treats the
 * chunk as a file region: it queues the chunk between buffers, and transfers bytes whenever the socket accepts them.
 *
 * <p>The rules for owners of buffers apply: a write transfers ownership, and the owner of a chunk that is not written
 * releases the chunk. Used on one event loop.
 */
public final class SplicedPiece extends AbstractReferenceCounted implements FileRegion {
    private static final int NOWHERE = -1;

    private final Pipes pipes;
    private final Pipe pipe;
    private final int count;
    private int transferred;
    private int socket = NOWHERE;

    private SplicedPiece(Pipes pipes, Pipe pipe, int count) {
        this.pipes = pipes;
        this.pipe = pipe;
        this.count = count;
    }

    /**
     * Moves available bytes of a socket into a pipe.
     *
     * @param most the maximum number of bytes
     * @return the chunk; null if no bytes are available, the peer has ended its output, or no pipe is available
     * @throws IOException if the connection failed
     */
    static @Nullable SplicedPiece of(Pipes pipes, int socket, long most) throws IOException {
        Pipe pipe = pipes.take();
        if (pipe == null) {
            return null;
        }
        int count = 0;
        try {
            count = pipe.fill(socket, most);
        } finally {
            if (count <= 0) {
                pipes.giveBack(pipe);
            }
        }
        return count <= 0 ? null : new SplicedPiece(pipes, pipe, count);
    }

    /**
     * Sets the channel to which the chunk will be written. Must be called before the write. {@link Splicing#isPossible}
     * must be true for {@code channel}.
     */
    public void goTo(Channel channel) {
        socket = ((EpollSocketChannel) channel).fd().intValue();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        if (socket == NOWHERE) {
            throw new IllegalStateException("the spliced chunk has no destination");
        }
        int moved = pipe.drain(socket, count - transferred);
        transferred += moved;
        return moved;
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    public long transferred() {
        return transferred;
    }

    @Override
    @Deprecated
    public long transfered() {
        return transferred;
    }

    /** Returns the length of the chunk, in bytes. */
    @Override
    public long count() {
        return count;
    }

    @Override
    protected void deallocate() {
        if (transferred == count) {
            pipes.giveBack(pipe);
        } else {
            pipes.discard(pipe);
        }
    }

    @Override
    public SplicedPiece retain() {
        super.retain();
        return this;
    }

    @Override
    public SplicedPiece retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public SplicedPiece touch() {
        return this;
    }

    @Override
    public SplicedPiece touch(Object hint) {
        return this;
    }
}
