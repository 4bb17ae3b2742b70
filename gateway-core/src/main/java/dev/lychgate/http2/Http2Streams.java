package dev.lychgate.http2;

import dev.lychgate.loop.HeldMemory;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Registry of one connection's streams, with the windows and the send queue that they share. */
public final class Http2Streams {
    /**
     * Size of the connection window, in bytes, if the streams do not share a window. The window is effectively
     * unlimited, because received bytes are returned to the window immediately.
     */
    private static final int LARGE_WINDOW = 16 << 20;

    final SendQueue queue;
    final HeldMemory memory;
    final ByteBufAllocator allocator;
    final Http2Limits limits;
    private final Runnable onNone;
    private final IntObjectHashMap<Http2Stream> streams = new IntObjectHashMap<>();
    private final ClosedStreams closed = new ClosedStreams();
    private final ArrayList<Http2Stream> touched = new ArrayList<>();
    private final ReceiveWindow window;
    private int streamWindow;
    private int peerWindow = ReceiveWindow.INITIAL;
    private boolean ended;

    /**
     * Creates an empty registry.
     *
     * @param onNone called when the last open stream has closed
     */
    Http2Streams(Http2Limits limits, SendQueue queue, HeldMemory memory, ByteBufAllocator allocator, Runnable onNone) {
        this.limits = limits;
        this.queue = queue;
        this.memory = memory;
        this.allocator = allocator;
        this.onNone = onNone;
        this.window = new ReceiveWindow(connectionWindow(), connectionWindow());
        // Until the peer has received the gateway's settings, it may use the protocol's default window.
        this.streamWindow = Math.max(ReceiveWindow.INITIAL, limits.streamWindow());
    }

    /** Returns the size of the connection's receive window. */
    int connectionWindow() {
        return isWindowShared() ? limits.connectionWindow() : LARGE_WINDOW;
    }

    private boolean isWindowShared() {
        return limits.connectionWindow() > 0;
    }

    /** Registers a new stream. */
    public void add(Http2Stream stream) {
        streams.put(stream.id(), stream);
    }

    @Nullable
    Http2Stream get(int id) {
        return streams.get(id);
    }

    ClosedStreams.End closed(int id) {
        return closed.of(id);
    }

    /** Returns the number of open streams. */
    public int count() {
        return streams.size();
    }

    /** Returns a copy of the open streams, because streams may close during the iteration. */
    public List<Http2Stream> open() {
        return new ArrayList<>(streams.values());
    }

    void remove(Http2Stream stream, ClosedStreams.End how) {
        streams.remove(stream.id());
        closed.add(stream.id(), how);
        if (streams.isEmpty() && !ended) {
            onNone.run();
        }
    }

    /** Records a refused stream. Later frames of this stream are ignored. */
    void refused(int id) {
        if (closed.of(id) == ClosedStreams.End.UNKNOWN) {
            closed.add(id, ClosedStreams.End.RESET_BY_US);
        }
    }

    /** Aborts all streams with {@code error} at the end of the connection. */
    void end(Http2Error error) {
        ended = true;
        for (Http2Stream stream : open()) {
            stream.broken(error, ClosedStreams.End.RESET_BY_US);
        }
    }

    /** Records that {@code stream} has received events during this read. */
    public void touch(Http2Stream stream) {
        if (!stream.touched) {
            stream.touched = true;
            touched.add(stream);
        }
    }

    void onReadComplete() {
        for (int i = 0; i < touched.size(); i++) {
            Http2Stream stream = touched.get(i);
            stream.touched = false;
            stream.onReadComplete();
        }
        touched.clear();
    }

    // ---- windows

    /**
     * Counts received bytes against the connection's window.
     *
     * @return whether the bytes are within the window
     */
    boolean received(int bytes) {
        boolean within = window.received(bytes);
        if (!isWindowShared()) {
            giveBack(bytes);
        }
        return within;
    }

    /** Increases the connection's window by {@code bytes}, because this number of bytes was consumed. */
    void taken(int bytes) {
        if (isWindowShared()) {
            giveBack(bytes);
        }
    }

    private void giveBack(int bytes) {
        int increment = window.taken(bytes);
        if (increment > 0 && !ended) {
            queue.windowUpdate(0, increment);
        }
    }

    int streamWindow() {
        return streamWindow;
    }

    /** Applies the configured stream window, because the peer has acknowledged the settings. */
    void onAcknowledged() {
        int more = limits.streamWindow() - streamWindow;
        streamWindow = limits.streamWindow();
        for (Http2Stream stream : open()) {
            stream.input.grow(more);
        }
    }

    int peerWindow() {
        return peerWindow;
    }

    /** Changes the send windows of all streams, because the peer has changed its initial window size. */
    void peerWindow(int bytes) throws Http2Fault {
        int more = bytes - peerWindow;
        peerWindow = bytes;
        for (Http2Stream stream : open()) {
            if (!queue.grow(stream.output, more)) {
                throw Http2Fault.ofConnection(
                        Http2Error.FLOW_CONTROL_ERROR,
                        "SETTINGS_INITIAL_WINDOW_SIZE makes the window of a stream too large");
            }
        }
    }
}
