package dev.lychgate.generation;

import dev.lychgate.config.MirrorConfig;
import dev.lychgate.http.MirrorField;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The mirror of a route: selects the requests to copy, and limits the concurrent copies. Each event loop counts its own
 * permits, without synchronization.
 */
public final class MirrorPolicy {
    private final MirrorConfig config;
    private final Set<HttpMethod> methods;
    private final double share;
    private final int most;
    private final long timeout;
    /** The number of copies in progress, by event loop. */
    private final int[] open;

    MirrorPolicy(MirrorConfig config, int loops) {
        this.config = config;
        this.methods = config.methods().stream().map(HttpMethod::valueOf).collect(Collectors.toUnmodifiableSet());
        this.share = config.share().fraction();
        this.most = (config.concurrent() + loops - 1) / loops;
        this.timeout = config.timeout().toNanos();
        this.open = new int[loops];
    }

    /** Returns the configuration of the mirror. */
    public MirrorConfig config() {
        return config;
    }

    /** Returns the timeout of a copy, in nanoseconds. */
    public long timeout() {
        return timeout;
    }

    /**
     * Decides whether a request is copied. Requests for tunnels and requests that are copies themselves are never
     * copied.
     */
    public boolean selects(RequestHead head, SplittableRandom random) {
        return methods.contains(head.method())
                && (share >= 1 || random.nextDouble() < share)
                && head.protocol() == null
                && !MirrorField.isIn(head.headers());
    }

    /**
     * Acquires a permit for a copy of a request.
     *
     * @param loop the index of the current event loop
     * @return false if no permit is free
     */
    public boolean enter(int loop) {
        if (open[loop] >= most) {
            return false;
        }
        open[loop]++;
        return true;
    }

    /**
     * Releases the permit of a copy that has ended.
     *
     * @param loop the index of the current event loop
     */
    public void leave(int loop) {
        open[loop]--;
    }
}
