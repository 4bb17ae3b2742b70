package dev.lychgate.chain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestingPlaceTest {
    private long now = Long.MAX_VALUE - 5;
    private final RestingPlace place = new RestingPlace(() -> now);

    @Test
    void admitsOneRunAtATime() {
        assertThat(place.tryAcquire()).isTrue();
        assertThat(place.tryAcquire()).isFalse();
    }

    @Test
    void staysClosedAfterARunForAsLongAsTheRunLasted() {
        assertThat(place.tryAcquire()).isTrue();
        now += 10;
        place.release();
        assertThat(place.tryAcquire()).isFalse();
        now += 9;
        assertThat(place.tryAcquire()).isFalse();
        now += 1;
        assertThat(place.tryAcquire()).isTrue();
        place.release();
        assertThat(place.tryAcquire())
                .as("a run without duration needs no rest")
                .isTrue();
    }
}
