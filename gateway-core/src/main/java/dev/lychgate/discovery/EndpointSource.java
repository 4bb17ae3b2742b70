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

    /** Receives the reports of a watch. The methods do not block, and the source may call them on any thread. */
    interface Listener {
        /**
         * Called when the source reports all endpoints of the service. The list may be empty, and may be equal to the
         * list that the source reported before.
         *
         * @param endpoints all endpoints; not changed after the call
         */
        void found(List<FoundEndpoint> endpoints);

        /** Called when the source confirms that its last report is still complete. */
        void confirmed();

        /**
         * Called when the source cannot be read, or when its response is refused. The watch continues.
         *
         * @param reason the reason, for operators; without secrets
         */
        void failed(String reason);
    }
}
