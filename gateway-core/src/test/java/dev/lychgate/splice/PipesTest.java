package dev.lychgate.splice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The number of pipes of an event loop, including those in use. */
class PipesTest {
    private final Pipes pipes = new Pipes();

    @BeforeEach
    void needsEpoll() {
        assumeTrue(Epoll.isAvailable(), "there is no epoll on this machine");
    }

    @AfterEach
    void closeIdleOnes() {
        pipes.close();
        assertThat(Pipes.open()).isZero();
    }

    private Pipe take() {
        return Objects.requireNonNull(pipes.take());
    }

    @Test
    void anEmptyPipeIsReused() {
        Pipe first = take();
        pipes.giveBack(first);
        assertThat(take()).isSameAs(first);
        assertThat(Pipes.open()).isEqualTo(1);
        pipes.giveBack(first);
    }

    @Test
    void aPipeWithSomethingInItIsClosed() {
        Pipe first = take();
        pipes.discard(first);
        assertThat(Pipes.open()).isZero();
    }

    @Test
    void limitsPipesInUseAndKeepsFewer() {
        List<Pipe> lent = new ArrayList<>();
        for (int i = 0; i < Pipes.LENT; i++) {
            lent.add(take());
        }
        assertThat(pipes.take()).isNull();
        pipes.discard(lent.remove(0));
        lent.add(take());
        lent.forEach(pipes::giveBack);
        assertThat(Pipes.open()).isEqualTo(Pipes.KEPT);
    }

    @Test
    void closesPipesReturnedAfterTheEndOfTheLoop() {
        Pipe late = take();
        pipes.close();
        pipes.giveBack(late);
        assertThat(Pipes.open()).isZero();
    }
}
