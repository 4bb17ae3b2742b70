package dev.lychgate.testing;

/** The behavior of a {@link ScriptedOrigin} for one request of a persistent connection. */
@FunctionalInterface
public interface RequestScript {
    /**
     * Responds, resets, or stalls; runs on the connection's own thread.
     *
     * @throws Exception if the peer did not behave as the script expected; fails the test
     */
    void respond(RawMessage request, ScriptedConnection connection) throws Exception;
}
