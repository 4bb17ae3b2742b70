package dev.lychgate.http2;

/**
 * For each stream that has closed recently, records how the stream ended. The kind of the end determines how later
 * frames of the stream are handled.
 */
final class ClosedStreams {
    enum End {
        /** The end of the stream is no longer recorded, or there was no such stream. */
        UNKNOWN,
        /** Both sides sent END_STREAM. */
        FINISHED,
        /** The peer reset the stream. */
        RESET_BY_PEER,
        /** The gateway reset the stream. The peer may have sent late frames before the reset arrived. */
        RESET_BY_US
    }

    private static final int REMEMBERED = 256;

    private final int[] ids = new int[REMEMBERED];
    private final End[] ends = new End[REMEMBERED];
    private int next;

    void add(int stream, End end) {
        ids[next] = stream;
        ends[next] = end;
        next = (next + 1) % REMEMBERED;
    }

    End of(int stream) {
        for (int i = 0; i < REMEMBERED; i++) {
            if (ids[i] == stream) {
                return ends[i];
            }
        }
        return End.UNKNOWN;
    }
}
