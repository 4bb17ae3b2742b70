package dev.lychgate.server.discovery;

import java.io.IOException;
import java.util.List;

/** A registry with the service {@code api}, whose instances listen on loopback. */
interface TestRegistry extends AutoCloseable {
    /** An instance of the service. */
    record Instance(int port, boolean draining) {}

    /** Returns the settings of the source, such as {@code file: { directory: endpoints }}. */
    String settings();

    /** Replaces the instances. The registry loses its earlier state, such as versions and indexes, if the list is empty. */
    void become(List<Instance> instances) throws Exception;

    /** Makes the registry fail until {@link #become} is called. */
    void fail() throws Exception;

    @Override
    void close() throws IOException;
}
