package dev.lychgate.exchange;

/** The effects of faults on one exchange that last. On the exchange's event loop. */
interface Injected {
    /** No effects. */
    Injected NONE = new Injected() {
        @Override
        public void cancel() {}

        @Override
        public void drain() {}
    };

    /** Cancels the delay. Without effect after its end. */
    void cancel();

    /** Ends the delay and the limit of speed, because the gateway is shutting down. */
    void drain();
}
