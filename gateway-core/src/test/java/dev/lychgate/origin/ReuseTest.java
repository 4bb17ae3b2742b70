package dev.lychgate.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sequences of events on an origin connection, and whether it may carry another request after them. */
class ReuseTest {
    private static Reuse after(String events) {
        Reuse reuse = new Reuse();
        for (String event : events.split(" ", -1)) {
            switch (event) {
                case "begin" -> reuse.begin();
                case "sent" -> reuse.requestEnd();
                case "keep" -> reuse.responseHead(true);
                case "close" -> reuse.responseHead(false);
                case "read" -> reuse.responseEnd(false);
                case "surplus" -> reuse.responseEnd(true);
                case "spoil" -> reuse.spoil();
                case "finish" -> reuse.finish();
                default -> throw new IllegalArgumentException(event);
            }
        }
        return reuse;
    }

    @ParameterizedTest
    @CsvSource({
        "begin sent keep read,                          true",
        "begin keep sent read,                          true",
        "begin keep read sent,                          true",
        "begin sent keep read finish begin sent keep read, true",
        "begin,                                         false",
        "begin sent,                                    false",
        "begin sent keep,                               false",
        "begin keep read,                               false",
        "begin sent close read,                         false",
        "begin sent keep surplus,                       false",
        "begin sent keep read spoil,                    false",
        "begin sent spoil keep read,                    false",
        "begin sent keep read finish begin sent,        false",
        "begin sent keep read finish begin sent close read, false",
        "begin sent keep read finish,                   false",
        "begin sent close read finish,                  false"
    })
    void onlyAWholeExchangeThatNobodySpoiledLeavesTheConnectionReusable(String events, boolean reusable) {
        assertThat(after(events).finish()).isEqualTo(reusable);
    }

    @ParameterizedTest
    @CsvSource({"begin", "begin sent keep", "spoil", "begin sent close read finish", "begin finish"})
    void aRequestNeverBeginsOnAConnectionInUseOrSpoiled(String events) {
        Reuse reuse = after(events);
        assertThatThrownBy(reuse::begin).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void carriesNoStateOverToTheNextExchange() {
        Reuse reuse = after("begin sent keep read finish begin");
        assertThat(reuse.isExchanging()).isTrue();
        assertThat(reuse.isRequestDone()).isFalse();
        assertThat(reuse.isResponseDone()).isFalse();
    }
}
