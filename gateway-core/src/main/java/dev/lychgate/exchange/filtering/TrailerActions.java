package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Trailers;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Actions of filters on the trailers of a response, in the order in which they were added. */
final class TrailerActions {
    private record Action(FilterSlot of, Consumer<? super Trailers> work) {}

    private final List<Action> all = new ArrayList<>(1);

    void add(FilterSlot of, Consumer<? super Trailers> work) {
        all.add(new Action(of, work));
    }

    /** Runs the actions. @return the error of the exchange if an action fails and its filter fails closed; otherwise null */
    @Nullable
    GatewayError run(FilterLoop loop, LogMark.Source exchange, HttpHeaders trailers) {
        for (Action action : all) {
            TrailersView view = new TrailersView(trailers);
            loop.guard().enter(action.of, exchange, loop.nanoTime(), false);
            try {
                action.work.accept(view);
            } catch (Throwable e) {
                if (FilterFailures.of(loop, exchange, action.of, "failed on the trailers", e)
                        instanceof FilterOutcome.Fail fail) {
                    return fail.error();
                }
            } finally {
                loop.guard().leave();
                view.revoke();
            }
        }
        return null;
    }
}
