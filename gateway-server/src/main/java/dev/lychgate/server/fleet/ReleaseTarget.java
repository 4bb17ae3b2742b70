package dev.lychgate.server.fleet;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The gateway of a node, which serves releases. Methods block unless they state otherwise. */
public interface ReleaseTarget {
    /**
     * Builds and checks the release in a directory without serving it.
     *
     * @return the reasons of a refusal; empty if the release can be served
     */
    List<String> prepare(Path release);

    /**
     * Makes a release active and puts it into force. No other change of the gateway occurs during this call.
     *
     * @param link the link to the active release
     * @param why the reason for the change
     * @param author the author that the head states
     * @return the reasons of a refusal, after which the link is reverted; empty if the release is in force
     * @throws IOException if the link cannot be changed
     */
    List<String> activate(Link link, String why, String author) throws IOException;

    /** Returns the traffic of the node in the last seconds. Does not block. */
    CompletableFuture<NodeTraffic> traffic();

    /** The link to the active release. */
    interface Link {
        /** Makes the new release active. */
        void activate() throws IOException;

        /** Makes the previously active release active again. */
        void revert() throws IOException;
    }
}
