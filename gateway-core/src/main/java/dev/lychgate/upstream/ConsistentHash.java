package dev.lychgate.upstream;

import org.jspecify.annotations.Nullable;

/**
 * Selects an endpoint by a key, with a {@link MaglevTable}: a key determines a slot of the table, and each slot has an
 * endpoint as its owner. If this exchange has tried the owner, or the owner has reached its {@link LoadBound}, the
 * owners of the following slots are considered. The following owners differ from key to key, so the load of a failing
 * endpoint is spread over all other endpoints.
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
     * Limits the concurrent attempts at each endpoint. If an endpoint has reached its limit, a consistent hash selects
     * another endpoint. The limit is the endpoint's share of all attempts in progress, multiplied by a configured
     * factor and rounded up. Attempts are counted per event loop, so rounding makes the limit less strict while a loop
     * has few attempts.
     *
     * @see <a href="https://arxiv.org/abs/1608.01350">Mirrokni and others, Consistent Hashing with Bounded Loads,
     *     2016</a>
     */
    static final class LoadBound {
        private final EndpointSet set;
        private final EndpointLoad[] loads;
        private final UpstreamLoad all;
        private final double bound;

        /**
         * Creates the limits for a set of endpoints.
         *
         * @param bound the limit as a multiple of the share of an endpoint; more than 1
         */
        LoadBound(EndpointSet set, UpstreamLoad all, double bound) {
            this.set = set;
            this.loads = all.of(set);
            this.all = all;
            this.bound = bound;
        }

        boolean admits(int index) {
            // The number of attempts at the endpoint and the number of all attempts include the new attempt.
            return loads[index].outstanding() + 1 <= Math.ceil(bound * (all.outstanding() + 1) * set.share(index));
        }
    }
}
