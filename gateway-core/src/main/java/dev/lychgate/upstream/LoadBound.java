package dev.lychgate.upstream;

/**
 * How much an endpoint may have under way before a consistent hash passes it over: so many times its share of all that is
 * under way, rounded up. Counted on one event loop, and so looser than it sounds while a loop has little under way.
 *
 * @see <a href="https://arxiv.org/abs/1608.01350">Mirrokni and others, Consistent Hashing with Bounded Loads, 2016</a>
 */
final class LoadBound {
    private final EndpointSet set;
    private final EndpointLoad[] loads;
    private final UpstreamLoad all;
    private final double bound;

    /** @param bound above 1 */
    LoadBound(EndpointSet set, UpstreamLoad all, double bound) {
        this.set = set;
        this.loads = all.of(set);
        this.all = all;
        this.bound = bound;
    }

    boolean admits(int index) {
        // The one to come is among all, as it would be among its endpoint's.
        return loads[index].outstanding() + 1 <= Math.ceil(bound * (all.outstanding() + 1) * set.share(index));
    }
}
