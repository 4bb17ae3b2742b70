package dev.lychgate.server.recorder;

/** Takes recorded exchanges, on the recorder's thread: it may work, but not wait. */
public interface RecordedSink {
    void take(RecordedExchange exchange);

    /** All that was there has been taken; more will come in a moment. */
    default void pause() {}

    /** All there ever was has been taken. */
    default void end() {}
}
