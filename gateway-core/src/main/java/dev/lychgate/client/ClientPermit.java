package dev.lychgate.client;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The permit of a client for one connection, request or stream, or the reason for its refusal. The event loop that has
 * received the permit must end the permit exactly once.
 */
public final class ClientPermit {
    private static final int NO_PLACE = -1;

    /** A permit for a connection, request or stream to which neither a limit nor a ban rule applies. */
    public static final ClientPermit UNLIMITED = new ClientPermit(null, null, NO_PLACE, null, null);

    private final @Nullable ClientRefusal refusal;
    private final @Nullable ClientCounts counts;
    private final int place;
    private final @Nullable ClientProtection watch;
    private final @Nullable InetAddress client;

    private ClientPermit(
            @Nullable ClientRefusal refusal,
            @Nullable ClientCounts counts,
            int place,
            @Nullable ClientProtection watch,
            @Nullable InetAddress client) {
        this.refusal = refusal;
        this.counts = counts;
        this.place = place;
        this.watch = watch;
        this.client = client;
    }

    static ClientPermit refused(ClientRefusal why) {
        return new ClientPermit(why, null, NO_PLACE, null, null);
    }

    /** Returns a permit that occupies a place of {@code counts}. */
    static ClientPermit counted(ClientCounts counts, int place) {
        return new ClientPermit(null, counts, place, null, null);
    }

    /** Returns a copy of this permit for a request. The ban rule of {@code by} counts the response to this request. */
    ClientPermit watched(ClientProtection by, InetAddress of) {
        return new ClientPermit(null, counts, place, by, of);
    }

    /** Returns the reason why the client is refused; null if the client is accepted. */
    public @Nullable ClientRefusal refusal() {
        return refusal;
    }

    /** Ends the permit when the connection, request or stream has ended. */
    public void end() {
        if (counts != null && place != NO_PLACE) {
            counts.leave(place);
        }
    }

    /**
     * Counts the response to a request for the rule that bans clients.
     *
     * @param status the status that was sent
     */
    public void responded(int status) {
        if (watch != null && client != null) {
            watch.responded(client, status);
        }
    }
}
