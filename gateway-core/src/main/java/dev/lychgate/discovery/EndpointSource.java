package dev.lychgate.discovery;

import dev.lychgate.upstream.FoundEndpoint;
import dev.lychgate.upstream.SourceQuestion;
import java.util.List;

/** A source of endpoints, such as a registry of services. Thread-safe. */
public interface EndpointSource extends AutoCloseable {
    /**
     * Starts to watch a service. Does not block.
     *
     * @param question the service that the source watches
     */
    Watch watch(SourceQuestion question, Listener listener);

    /** Ends all watches and the threads of the source. Does not wait for them. */
    @Override
    void close();

    /** The watch of one service. */
    interface Watch extends AutoCloseable {
        /** Ends the watch. Does not block. The listener may still get one report after this call. */
        @Override
        void close();
    }

    /** Receives the reports of a watch. The source may call the methods on any thread; they do not block. */
    interface Listener {
        /**
         * The source reports all endpoints of the service. The list may be empty, and may be equal to the previous
         * list.
         *
         * @param endpoints all endpoints; not changed after the call
         */
        void found(List<FoundEndpoint> endpoints);

        /** The source has confirmed that the last set of endpoints is still complete. */
        void confirmed();

        /**
         * The source cannot be read, or its response is refused. The watch continues.
         *
         * @param reason the reason, for operators; without secrets
         */
        void failed(String reason);
    }
}
