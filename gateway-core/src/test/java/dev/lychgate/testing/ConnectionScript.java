package dev.lychgate.testing;

import java.io.EOFException;
import java.net.SocketException;

/** The behavior of a {@link ScriptedOrigin} for one connection. When the script returns, the connection is closed. */
@FunctionalInterface
public interface ConnectionScript {
    /**
     * Runs on the connection's own thread and may block.
     *
     * @throws Exception if the peer did not behave as the script expected; fails the test
     */
    void play(ScriptedConnection connection) throws Exception;

    /** The same script, without a failure if the peer disconnects at any moment. */
    default ConnectionScript untilThePeerLeaves() {
        return connection -> {
            try {
                play(connection);
            } catch (EOFException | SocketException left) {
                // As it may.
            }
        };
    }
}
