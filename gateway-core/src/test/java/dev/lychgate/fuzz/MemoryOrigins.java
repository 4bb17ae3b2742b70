package dev.lychgate.fuzz;

import dev.lychgate.loop.Loop;
import dev.lychgate.origin.ConnectionOwner;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.origin.OriginConnection;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Origins in memory, byte for byte: the test decides when a connection is accepted. */
final class MemoryOrigins implements Connector {
    private record Connect(ConnectionOwner owner, Outcome outcome) {}

    private final Loop loop;
    private final ByteBufAllocator allocator;
    private final ArrayDeque<Connect> underWay = new ArrayDeque<>();
    private final List<MemoryChannel> connections = new ArrayList<>();

    MemoryOrigins(Loop loop, ByteBufAllocator allocator) {
        this.loop = loop;
        this.allocator = allocator;
    }

    @Override
    public void connect(Destination to, long timeout, ConnectionOwner owner, Outcome outcome) {
        underWay.add(new Connect(owner, outcome));
    }

    /**
     * Accepts all pending connections.
     *
     * @return whether there was one
     */
    boolean accept() {
        boolean any = false;
        for (Connect next = underWay.poll(); next != null; next = underWay.poll()) {
            any = true;
            MemoryChannel channel = new MemoryChannel(allocator);
            connections.add(channel);
            next.outcome().onConnected(OriginConnection.on(channel, loop, next.owner()));
        }
        return any;
    }

    /** All connections there have been, oldest first. */
    List<MemoryChannel> connections() {
        return connections;
    }
}
