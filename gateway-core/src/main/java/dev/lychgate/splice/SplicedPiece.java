package dev.lychgate.splice;

import io.netty.channel.Channel;
import io.netty.channel.FileRegion;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.AbstractReferenceCounted;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a body that is in a pipe, which is this piece's own until it is released. Netty takes it for a part of a file: it
 * queues it between buffers, and asks it to move on as much as the socket takes, again and again until all is gone.
 *
 * <p>Owned like a buffer: who writes it hands it over, who does not releases it. Used on one event loop.
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
     * Takes what waits at a socket into a pipe.
     *
     * @param most how many bytes at most
     * @return null if there is none, if the other side has ended, or if there is no pipe
     * @throws IOException if the connection is broken
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

    /** Says where it goes; to be called before it is written to {@code channel}, which {@link Splicing#isPossible} has approved. */
    public void goTo(Channel channel) {
        socket = ((EpollSocketChannel) channel).fd().intValue();
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
        if (socket == NOWHERE) {
            throw new IllegalStateException("a piece in a pipe that goes nowhere");
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

    /** How many bytes it is long. */
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
