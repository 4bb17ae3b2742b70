package dev.lychgate.splice;

import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.MessageSizeEstimator;

/** Netty's own sizes of what waits to be written, but for parts of files, which it takes for nothing. */
final class PieceSizes implements MessageSizeEstimator {
    static final PieceSizes INSTANCE = new PieceSizes();

    private final Handle others = DefaultMessageSizeEstimator.DEFAULT.newHandle();

    @Override
    public Handle newHandle() {
        return message -> message instanceof SplicedPiece piece ? (int) piece.count() : others.size(message);
    }
}
