package dev.lychgate.exchange;

/** The lasting effects of faults on one exchange: a delay or a speed limit. Used on the exchange's event loop. */
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

    /** Cancels the delay, because the exchange fails. After the end of the delay, this method has no effect. */
    void cancel();

    /** Ends the delay and the speed limit, because the gateway is shutting down. */
    void drain();

    /** Releases all resources at the end of the exchange. */
    void close();
}
