package dev.lychgate.server.metrics;

import java.util.Map;

/** The figures of rollouts. Thread-safe; no method blocks. */
public interface RolloutFigures {
    /** Returns the candidate's share of the exchanges, 0 to 1; NaN without a candidate. */
    double share();

    /**
     * Returns the number of rollouts that ended.
     *
     * @param result {@code promoted}, {@code aborted} or {@code superseded}
     */
    long ended(String result);

    /** Receives the number of exchanges of each generation. */
    interface Exchanges {
        /**
         * @param role {@code stable} or {@code candidate}
         * @param status the class of the status, such as {@code 2xx}; {@code none} for exchanges without a status
         */
        void count(String role, String status, long exchanges);
    }

    /** Reports the exchanges of both generations in all rollouts since the start. */
    void exchanges(Exchanges to);

    /** Returns the number of copied requests in all shadows of candidates since the start, by their result. */
    Map<String, Long> shadowed();

    /**
     * Returns the number of requests for which the candidate's decision differed in a shadow, by the kind of the
     * difference.
     */
    Map<String, Long> shadowDifferences();
}
