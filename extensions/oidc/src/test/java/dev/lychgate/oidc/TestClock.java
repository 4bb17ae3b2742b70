package dev.lychgate.oidc;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that begins at the present time, and proceeds only when a test moves it. */
final class TestClock extends Clock {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

    void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    @Override
    public Instant instant() {
        return requireNonNull(now.get());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }
}
