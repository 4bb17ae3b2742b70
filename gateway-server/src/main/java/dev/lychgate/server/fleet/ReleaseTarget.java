package dev.lychgate.server.fleet;

import java.nio.file.Path;
import java.util.List;

/** The gateway of a node, which serves releases. Its methods block. */
public interface ReleaseTarget {
    /**
     * Builds and checks the release in a directory without serving it.
     *
     * @return the reasons of a refusal; empty if the release can be served
     */
    List<String> prepare(Path release);

    /**
     * Puts the active release into force.
     *
     * @param why the reason for the change
     * @param author the author that the head states
     * @return the reasons of a refusal; empty if the release is in force
     */
    List<String> activate(String why, String author);
}
