package dev.lychgate.server.accesslog;

import dev.lychgate.testing.Gate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Keeps lines; stalls like a full disk or a stuck pipe if it is given a gate. */
class LinesInMemory implements LineSink {
    final List<String> lines = new CopyOnWriteArrayList<>();
    final CountDownLatch reached = new CountDownLatch(1);
    private final @Nullable Gate gate;

    LinesInMemory() {
        this(null);
    }

    LinesInMemory(@Nullable Gate gate) {
        this.gate = gate;
    }

    @Override
    public void write(byte[] written) {
        reached.countDown();
        if (gate != null) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        new String(written, StandardCharsets.ISO_8859_1).lines().forEach(lines::add);
    }

    @Override
    public void close() {}
}
