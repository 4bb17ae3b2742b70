package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A slow peer pauses its sender only. */
class ExchangeBackpressureTest {
    private static final String HEAD = " says:HTTP/1.1_200_OK~Content-Length:_4~~ ";

    private final Stage stage = new Stage(FilterSet.EMPTY);

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void aSlowClientPausesTheOriginUntilItReads() {
        stage.play("GET/api/x connects slow" + HEAD + "says:ab");
        assertThat(stage.origins().isRead()).isFalse();
        stage.play("fast");
        assertThat(stage.origins().isRead()).isTrue();
        stage.play("says:cd");
        assertThat(stage.client().seen()).containsExactly("200", "'ab'", "'cd'", "end", "over");
    }

    @Test
    void aClientThatReadsInterimResponsesSlowlyPausesTheOrigin() {
        stage.play("GET/api/x connects slow says:HTTP/1.1_103_Hints~~");
        assertThat(stage.origins().isRead()).isFalse();
        stage.play("fast" + HEAD + "says:abcd");
        assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
    }

    @Test
    void aPausedConnectionIsReadAgainInThePool() {
        stage.play("GET/api/x connects slow" + HEAD + "says:abcd");
        assertThat(stage.outcome()).isEqualTo("200 - x1 DONE/DONE kept 1");
        assertThat(stage.origins().isRead()).isTrue();
    }

    @Test
    void aSlowOriginPausesTheClientUntilItReads() {
        stage.play("pooled POST/api/x full piece");
        assertThat(stage.client().seen()).containsExactly("pause");
        stage.play("drained piece end" + HEAD + "says:abcd");
        assertThat(stage.client().seen()).containsExactly("pause", "resume", "200", "'abcd'", "end", "over");
        assertThat(stage.heldPieces()).isZero();
    }

    @Test
    void aResponseToAPausedClientEndsTheExchange() {
        stage.play("pooled POST/api/x full piece" + HEAD + "says:abcd");
        assertThat(stage.client().seen()).containsExactly("pause", "200", "'abcd'", "end", "over-early");
        assertThat(stage.outcome()).isEqualTo("200 - x1 ABORTED/DONE kept 0");
        assertThat(stage.heldPieces()).isZero();
    }
}
