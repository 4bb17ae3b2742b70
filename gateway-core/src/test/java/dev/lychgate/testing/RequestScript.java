package dev.lychgate.testing;

/** What a {@link ScriptedOrigin} does with one request of a kept-alive connection. */
@FunctionalInterface
public interface RequestScript {
    /**
     * Responds, resets, or stalls; runs on the connection's own thread.
     *
     * @throws Exception if the peer did not behave as the script expected; fails the test
     */
    void respond(RawMessage request, ScriptedConnection connection) throws Exception;
}
