package dev.lychgate.upstream;

import org.jspecify.annotations.Nullable;

/**
 * The same endpoint for the same key, by a {@link MaglevTable}. A key whose endpoint has been tried in this exchange, or is
 * at its {@link LoadBound}, goes to whom the following slots belong to: for each key another one, so the neighbours of an
 * endpoint in trouble share what it leaves.
 */
final class ConsistentHash extends BalancingPolicy {
    private final MaglevTable table;
    private final RequestHash hash;
    private final @Nullable LoadBound bound;

    ConsistentHash(EndpointSet set, RequestHash hash, @Nullable LoadBound bound) {
        super(set);
        this.table = set.maglev();
        this.hash = hash;
        this.bound = bound;
    }

    @Override
    int first(BalanceContext context) {
        int slot = table.slot(hash.of(context));
        int owner = table.owner(slot);
        if (bound == null || bound.admits(owner)) {
            return owner;
        }
        int free = walk(slot, context, bound, false);
        return free < 0 ? owner : free;
    }

    @Override
    int another(BalanceContext context) {
        int slot = table.slot(hash.of(context));
        int free = walk(slot, context, bound, true);
        return free >= 0 || bound == null ? free : walk(slot, context, null, true);
    }

    private int walk(int from, BalanceContext context, @Nullable LoadBound within, boolean untried) {
        int slot = from;
        for (int i = 0; i < MaglevTable.SLOTS; i++) {
            int owner = table.owner(slot);
            boolean tried = untried && context.tried(set.endpoint(owner));
            if (!tried && (within == null || within.admits(owner))) {
                return owner;
            }
            slot = table.next(slot);
        }
        return -1;
    }

    /**
     * How much an endpoint may have under way before a consistent hash passes it over: so many times its share of all that is
     * under way, rounded up. Counted on one event loop, and so looser than it sounds while a loop has little under way.
     *
     * @see <a href="https://arxiv.org/abs/1608.01350">Mirrokni and others, Consistent Hashing with Bounded Loads, 2016</a>
     */
    static final class LoadBound {
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
}
