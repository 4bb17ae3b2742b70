package dev.lychgate.http2;

import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all HTTP/2 peers together have sent that nobody has taken yet. The windows bound it for each of them, but not for
 * thousands: a process whose memory is full can't serve anybody, so there is a limit for all of them, too. Any thread.
 */
public final class HeldBodies {
    /** Of this process: a quarter of the memory that buffers may have. */
    public static final HeldBodies OF_PROCESS = new HeldBodies(PlatformDependent.maxDirectMemory() / 4);

    private final long most;
    private final AtomicLong held = new AtomicLong();

    HeldBodies(long most) {
        this.most = most;
    }

    /** Counts bytes that are to be kept. @return false if that would be too much; they are not counted then */
    public boolean take(long bytes) {
        if (held.addAndGet(bytes) <= most) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /** So many bytes are kept no longer. */
    public void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    /** How much more may be kept, in bytes. */
    public long left() {
        return most - held.get();
    }
}
