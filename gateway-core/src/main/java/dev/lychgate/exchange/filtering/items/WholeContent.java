package dev.lychgate.exchange.filtering.items;

import dev.lychgate.error.Side;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.PartContent;
import java.io.ByteArrayOutputStream;
import java.util.Objects;
import java.util.function.Consumer;

/** Holds the content of a part until the content is complete, and then passes the content to an action. */
final class WholeContent implements BodyTransform, PartContent {
    private static final byte[] NOTHING = {};

    private final ItemLimit limit;
    private final Consumer<? super PartContent> action;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private byte[] content = NOTHING;

    WholeContent(int max, Consumer<? super PartContent> action) {
        this.limit = new ItemLimit(Side.DOWNSTREAM, "a part", max);
        this.action = Objects.requireNonNull(action, "no action");
    }

    @Override
    public byte[] piece(byte[] piece) {
        limit.require(Math.addExact(held.size(), piece.length));
        held.writeBytes(piece);
        return NOTHING;
    }

    @Override
    public byte[] end() {
        content = held.toByteArray();
        held.reset();
        action.accept(this);
        return content;
    }

    @Override
    public long heldMemory() {
        return held.size();
    }

    @Override
    public byte[] getBytes() {
        return content.clone();
    }

    @Override
    public void setBytes(byte[] other) {
        content = other.clone();
    }
}
