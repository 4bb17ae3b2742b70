package dev.lychgate.filters.rx;

import dev.lychgate.filter.CallResponse;
import dev.lychgate.filter.FilterCall;
import io.reactivex.rxjava3.core.Single;
import java.util.concurrent.CompletableFuture;

/** Exposes call-outs as sources of RxJava 3. */
public final class RxCalls {
    private RxCalls() {}

    /**
     * Returns {@code call} as a source. Each subscription sends the call-out one time, and disposing of the
     * subscription cancels the call-out. The source emits on the event loop of the exchange.
     */
    public static Single<CallResponse> single(FilterCall call) {
        return Single.create(emitter -> {
            CompletableFuture<CallResponse> sent = call.send();
            emitter.setCancellable(() -> sent.cancel(false));
            sent.whenComplete((response, failure) -> {
                if (failure == null) {
                    emitter.onSuccess(response);
                } else {
                    emitter.tryOnError(failure);
                }
            });
        });
    }
}
