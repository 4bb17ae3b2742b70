package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Trailers;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The actions of filters on the trailers of a message, in the order in which they were added. */
final class TrailerActions {
    private record Action(FilterSlot of, Consumer<? super Trailers> work) {}

    private final List<Action> all = new ArrayList<>(1);
    private @Nullable HttpHeaders result;

    void add(FilterSlot of, Consumer<? super Trailers> work) {
        all.add(new Action(of, work));
    }

    /**
     * Returns the trailers after all actions. Each attempt sends these trailers. Null if the actions have not run, or
     * if the exchange has failed because of an action.
     */
    @Nullable
    HttpHeaders result() {
        return result;
    }

    /**
     * Runs the actions.
     *
     * @return the error of the exchange if an action has failed and its filter fails closed; otherwise null
     */
    @Nullable
    GatewayError run(FilterLoop loop, FilterSubject exchange, HttpHeaders received) {
        HttpHeaders trailers =
                DefaultHttpHeadersFactory.trailersFactory().newHeaders().add(received);
        for (Action action : all) {
            TrailersView view = new TrailersView(trailers);
            loop.guard().enter(action.of, exchange, loop.nanoTime(), false);
            try {
                action.work.accept(view);
            } catch (Throwable e) {
                if (FilterFailures.of(loop, exchange, action.of, "failed in its action on the trailers", e)
                        instanceof FilterOutcome.Fail fail) {
                    return fail.error();
                }
            } finally {
                loop.guard().leave();
                view.revoke();
            }
        }
        result = trailers;
        return null;
    }
}
