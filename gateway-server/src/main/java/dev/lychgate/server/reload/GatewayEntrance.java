package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;
import dev.lychgate.generation.RequestCopies;
import dev.lychgate.generation.Split;
import dev.lychgate.route.RequestGroups;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Introduces candidates into a running gateway, in addition to its stable generation. */
record GatewayEntrance(ReloadableGateway gateway) implements Rollouts.Entrance {
    @Override
    public CandidateTraffic introduce(BuiltGeneration next, RolloutPlan plan, @Nullable RequestCopies copies) {
        RequestGroups include =
                RequestGroups.compile("rollout.include", plan.config().include());
        long salt = ThreadLocalRandom.current().nextLong();
        Split split = new Split(plan.first(), salt, plan.config().by(), include);
        Split first = copies == null ? split : split.copiedTo(copies);
        return new Candidate(gateway, gateway.introduce(next.assembly(), first), split);
    }

    /** @param split the division of the exchanges in the first step, with the salt that all steps use */
    private record Candidate(ReloadableGateway gateway, Generation generation, Split split)
            implements CandidateTraffic {
        @Override
        public long number() {
            return generation.number();
        }

        @Override
        public void split(double share) {
            gateway.split(split.withShare(share));
        }

        @Override
        public Generation promote() {
            return gateway.promote();
        }

        @Override
        public void withdraw() {
            gateway.withdraw();
        }
    }
}
