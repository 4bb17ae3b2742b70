package dev.lychgate.server.admin;

import dev.lychgate.chain.FilterChains.Placement;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.FilterStats.Wish;
import dev.lychgate.generation.Generation;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;

/**
 * What an operator can do about a filter: leave it out, and let it run again. It holds over reloads, for the filter of that
 * phase and name, and ends with the process. One whose failure fails the exchange protects something, most often: it is left
 * out only if that is said in so many words, and one that begins to be of that kind by a reload runs again.
 */
final class FilterActions {
    private FilterActions() {}

    /** 200 with the filter as it is now, 404 if there is no such one, 409 if it takes a second word, or 400. */
    static AdminAnswer change(Generation generation, Parameters given) {
        String force = given.optional("force");
        if (force != null && !force.equals("true")) {
            return AdminAnswer.malformed("force is true, or not there");
        }
        String state = given.needed("state");
        boolean out = state.equals("disabled");
        if (!out && !state.equals("enabled")) {
            return AdminAnswer.malformed("state is disabled or enabled");
        }
        List<Placement> meant = generation.filters().placements().stream()
                .filter(placement -> isMeant(placement.slot(), given))
                .toList();
        if (meant.isEmpty()) {
            return AdminAnswer.notFound("there is no such filter; see /filters");
        }
        if (out && force == null && meant.stream().anyMatch(one -> one.slot().failsClosed())) {
            return AdminAnswer.problem(
                    HttpResponseStatus.CONFLICT,
                    "conflict",
                    "exchanges fail if this filter does, so it protects something: without it they go on unprotected;"
                            + " force=true leaves it out nevertheless");
        }
        Wish wish = !out ? Wish.RUN : force == null ? Wish.LEAVE_OUT : Wish.LEAVE_OUT_REGARDLESS;
        meant.forEach(one -> one.slot().stats().wish(wish));
        return AdminAnswer.json(json -> FiltersPage.writeSome(json, generation, meant));
    }

    private static boolean isMeant(FilterSlot slot, Parameters given) {
        return UpstreamsPage.word(slot.phase()).equals(given.needed("phase"))
                && slot.name().equals(given.needed("name"));
    }
}
