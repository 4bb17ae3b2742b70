package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.util.IllegalReferenceCountException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopAllocatorTest {
    private static final int MANY = 300;

    private final LoopAllocator allocator = new LoopAllocator();

    @BeforeEach
    void isOfThisThread() {
        allocator.bind();
    }

    /** Allocates and releases one, to detect the top of the stack. */
    private long addressOfNext() {
        ByteBuf next = allocator.directBuffer(1);
        try {
            return next.memoryAddress();
        } finally {
            next.release();
        }
    }

    private static void onAnotherThread(Runnable what) throws InterruptedException {
        Thread other = new Thread(what);
        other.start();
        other.join();
    }

    @Test
    void reusesTheBufferReleasedLast() {
        ByteBuf first = allocator.directBuffer(100);
        ByteBuf second = allocator.directBuffer(100);
        long last = first.memoryAddress();
        second.release();
        first.release();
        assertThat(addressOfNext()).isEqualTo(last);
    }

    @Test
    void aReusedBufferIsEmptyAndHasTheRequestedLimit() {
        allocator.directBuffer(100).writeInt(1).readerIndex(2).release();
        ByteBuf again = allocator.directBuffer(4096, 5000);
        assertThat(again.readableBytes()).isZero();
        assertThat(again.capacity()).isEqualTo(LoopAllocator.SMALL);
        assertThat(again.maxCapacity()).isEqualTo(5000);
        again.release();
    }

    @Test
    void aReleasedBufferCannotBeUsed() {
        ByteBuf gone = allocator.directBuffer(100);
        gone.release();
        assertThatThrownBy(() -> gone.writeByte(1)).isInstanceOf(IllegalReferenceCountException.class);
        assertThatThrownBy(gone::release).isInstanceOf(IllegalReferenceCountException.class);
    }

    @Test
    void aSliceKeepsItsBuffer() {
        ByteBuf whole = allocator.directBuffer(100).writeInt(7);
        ByteBuf slice = whole.readRetainedSlice(4);
        whole.release();
        ByteBuf other = allocator.directBuffer(100).writeInt(8);
        assertThat(slice.readInt()).isEqualTo(7);
        other.release();
        slice.release();
    }

    @Test
    void oneThatHasGrownIsNotKept() {
        ByteBuf grown = allocator.directBuffer(100);
        grown.writeZero(2 * LoopAllocator.SMALL);
        grown.release();
        ByteBuf next = allocator.directBuffer(100);
        int capacity = next.capacity();
        next.release();
        assertThat(capacity).isEqualTo(LoopAllocator.SMALL);
    }

    @Test
    void allocatesLargeAndHeapBuffersElsewhere() {
        ByteBuf large = allocator.directBuffer(LoopAllocator.SMALL + 1);
        ByteBuf heap = allocator.heapBuffer(10);
        assertThat(large.capacity()).isGreaterThan(LoopAllocator.SMALL);
        assertThat(heap.hasArray()).isTrue();
        large.release();
        heap.release();
    }

    @Test
    void permitsAnyNumberOfBuffersAtATime() {
        List<ByteBuf> all = new ArrayList<>();
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < MANY; i++) {
            ByteBuf one = allocator.directBuffer(100).writeInt(i);
            all.add(one);
            addresses.add(one.memoryAddress());
        }
        assertThat(addresses).hasSize(MANY);
        for (int i = 0; i < MANY; i++) {
            assertThat(all.get(i).readInt()).isEqualTo(i);
        }
        all.forEach(ByteBuf::release);
    }

    @Test
    void otherThreadsMayAllocateAndRelease() throws InterruptedException {
        ByteBuf ours = allocator.directBuffer(100);
        long address = ours.memoryAddress();
        onAnotherThread(() -> {
            ByteBuf theirs = allocator.directBuffer(100).writeInt(1);
            assertThat(theirs.memoryAddress()).isNotEqualTo(address);
            theirs.release();
            ours.release();
        });
        assertThat(ours.refCnt()).isZero();
        assertThat(addressOfNext()).as("the next one is from the stack").isNotZero();
    }

    @Test
    void buffersReleasedByOtherThreadsDoNotExhaustTheStack() throws InterruptedException {
        for (int i = 0; i < 2 * MANY; i++) {
            ByteBuf ours = allocator.directBuffer(100);
            if (i % 100 == 0) {
                onAnotherThread(ours::release);
            } else {
                ours.release();
            }
        }
        List<ByteBuf> strayed = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            strayed.add(allocator.directBuffer(100));
        }
        onAnotherThread(() -> strayed.forEach(ByteBuf::release));
        // If they all still counted as allocated, this one would be one of Netty's, which differ each time.
        ByteBuf first = allocator.directBuffer(100);
        long address = first.memoryAddress();
        first.release();
        assertThat(addressOfNext()).isEqualTo(address);
    }
}
