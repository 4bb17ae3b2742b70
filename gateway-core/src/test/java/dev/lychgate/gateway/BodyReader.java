package dev.lychgate.gateway;

import java.util.concurrent.Flow;

/** Reads a body to its end, then runs {@code action} within the call of {@code onComplete}. */
record BodyReader(Runnable action) implements Flow.Subscriber<byte[]> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(byte[] item) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {
        action.run();
    }
}
