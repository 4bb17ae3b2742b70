package dev.lychgate.http2;

/** Remembers how the last streams have ended: what still comes for them means different things. */
final class ClosedStreams {
    /** How a stream has ended. */
    enum End {
        /** Nobody knows any more, or it never was. */
        UNKNOWN,
        /** Both sides have said all. */
        FINISHED,
        /** The peer has reset it. */
        RESET_BY_PEER,
        /** We have reset it: the peer may not have known that when he sent. */
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
