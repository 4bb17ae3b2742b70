package dev.lychgate.tls;

import dev.lychgate.loop.HeldMemory;
import dev.lychgate.loop.Holding;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Forwards complete TLS records, and counts an incomplete record against the memory budget. This handler precedes the
 * TLS handler in the pipeline. Without this handler, the TLS handler would keep the buffer of a whole read for an
 * incomplete record, and the buffer would not be counted. If the memory of a record is reclaimed, this handler fires
 * the event {@link #RECLAIMED} and closes the connection without close_notify. Used on the connection's event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8446#section-5.1">RFC 8446, 5.1 Record Layer</a>
 */
public final class UnfinishedRecords extends ChannelInboundHandlerAdapter implements Holding.Owner {
    private enum State {
        /** The handler forwards complete records. */
        ASSEMBLING,
        /** The bytes are not TLS. All bytes are forwarded, and the TLS handler rejects them. */
        PASSING,
        /** The memory of the record was reclaimed. All input is discarded until the connection is closed. */
        DISCARDING
    }

    /**
     * The user event that is fired before the gateway closes a connection to reclaim the memory of an incomplete
     * record. The cause is a lack of memory, not a fault of the peer.
     */
    public static final Object RECLAIMED = new Object();

    /** Length of a record header in bytes: type, version and length. */
    private static final int HEADER = 5;

    private static final int LENGTH = 3;
    private static final int MAJOR_VERSION = 3;
    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 24;
    /** Maximum length of a record in bytes, including the header and the expansion that TLS 1.2 allows. */
    private static final int LONGEST = HEADER + (16 << 10) + 2048;

    private static final int NONE = -1;

    private final Channel channel;
    private final HeldMemory memory;
    private final Holding.Kind kind;
    private State state = State.ASSEMBLING;
    private @Nullable Holding holding;
    /**
     * The incomplete record. {@link #length} is its expected length; while its header is incomplete, {@link #length} is
     * the length of the header.
     */
    private @Nullable ByteBuf unfinished;

    private int length;
    /** Number of buffered bytes of a ClientHello that spans several records. */
    private int hello;
    /**
     * Whether a record has been completed since the last count against the memory budget. If a record has been
     * completed, the current incomplete record is recent.
     */
    private boolean completed;

    private UnfinishedRecords(Channel channel, HeldMemory memory, Holding.Kind kind) {
        this.channel = channel;
        this.memory = memory;
        this.kind = kind;
    }

    /** Creates a handler for a client connection. */
    public static UnfinishedRecords ofClient(Channel channel, HeldMemory memory) {
        return new UnfinishedRecords(channel, memory, Holding.Kind.HEAD);
    }

    /** Creates a handler for an origin connection. */
    public static UnfinishedRecords ofOrigin(Channel channel, HeldMemory memory) {
        return new UnfinishedRecords(channel, memory, Holding.Kind.RESPONSE_HEAD);
    }

    public void helloBytes(int bytes) {
        hello = bytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof ByteBuf in) || state == State.PASSING) {
            ctx.fireChannelRead(message);
            return;
        }
        try {
            if (state == State.ASSEMBLING) {
                assemble(ctx, in);
            }
        } finally {
            in.release();
        }
    }

    private void assemble(ChannelHandlerContext ctx, ByteBuf in) {
        ByteBuf begun = unfinished;
        if (begun != null) {
            if (!complete(begun, in)) {
                return;
            }
            unfinished = null;
            completed = true;
            ctx.fireChannelRead(begun);
        }
        int whole = state == State.PASSING ? in.readableBytes() : wholeRecords(in);
        if (whole < in.readableBytes() && !ctx.isRemoved()) {
            begin(ctx, in, in.readerIndex() + whole);
        }
        if (whole > 0) {
            completed = true;
            ctx.fireChannelRead(in.readRetainedSlice(whole));
        }
    }

    private boolean complete(ByteBuf record, ByteBuf in) {
        copy(in, record);
        if (length == HEADER && record.readableBytes() == HEADER) {
            int known = length(record, record.readerIndex());
            if (known == NONE) {
                state = State.PASSING;
                return true;
            }
            length = known;
            record.capacity(known);
            copy(in, record);
        }
        return record.readableBytes() == length;
    }

    private void copy(ByteBuf in, ByteBuf record) {
        record.writeBytes(in, Math.min(length - record.readableBytes(), in.readableBytes()));
    }

    private void begin(ChannelHandlerContext ctx, ByteBuf in, int at) {
        int come = in.writerIndex() - at;
        length = come < HEADER ? HEADER : length(in, at);
        ByteBuf record = ctx.alloc().directBuffer(length);
        record.writeBytes(in, at, come);
        unfinished = record;
    }

    private int wholeRecords(ByteBuf in) {
        int at = in.readerIndex();
        while (in.writerIndex() - at >= HEADER) {
            int record = length(in, at);
            if (record == NONE) {
                state = State.PASSING;
                return in.readableBytes();
            }
            if (record > in.writerIndex() - at) {
                break;
            }
            at += record;
        }
        return at - in.readerIndex();
    }

    /**
     * Returns the length of the record at {@code at}, including its header, or {@link #NONE} if the bytes are not a TLS
     * record.
     */
    private static int length(ByteBuf bytes, int at) {
        int type = bytes.getUnsignedByte(at);
        int length = HEADER + bytes.getUnsignedShort(at + LENGTH);
        boolean record = type >= FIRST_TYPE && type <= LAST_TYPE && bytes.getByte(at + 1) == MAJOR_VERSION;
        return record && length <= LONGEST ? length : NONE;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ByteBuf record = unfinished;
        count((record == null ? 0 : record.capacity()) + hello);
        ctx.fireChannelReadComplete();
    }

    private void count(int size) {
        Holding h = holding;
        if (h == null) {
            if (size == 0) {
                return;
            }
            h = memory.holding(this);
            holding = h;
        }
        if (completed) {
            completed = false;
            h.moved();
        }
        if (!h.hold(size, kind)) {
            h.abort();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        release();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        release();
    }

    private void release() {
        discard();
        Holding h = holding;
        if (h != null) {
            h.release();
        }
    }

    private void discard() {
        state = State.DISCARDING;
        ByteBuf record = unfinished;
        unfinished = null;
        if (record != null) {
            record.release();
        }
    }

    @Override
    public void releaseBytes() {
        discard();
        channel.config().setAutoRead(false);
    }

    @Override
    public void onReclaim() {
        channel.pipeline().fireUserEventTriggered(RECLAIMED);
        TlsChannels.cut(channel);
    }
}
