package dev.lychgate.exchange;

/** The effects of faults on one exchange that last: a delay, or a limit of speed. On the exchange's event loop. */
interface Injected {
    /** No effects. */
    Injected NONE = new Injected() {
        @Override
        public void cancel() {}

        @Override
        public void drain() {}

        @Override
        public void close() {}
    };

    /** Cancels the delay, because the exchange fails. Without effect after its end. */
    void cancel();

    /** Ends the delay and the limit of speed, because the gateway is shutting down. */
    void drain();

    /** The exchange is over. */
    void close();
}
