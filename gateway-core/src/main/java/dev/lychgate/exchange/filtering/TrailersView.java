package dev.lychgate.exchange.filtering;

import dev.lychgate.filter.Trailers;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.TrailerFields;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The trailers of a message, which an action of a filter can access until the action returns. The view hides fields
 * that cannot be trailers, because a gRPC response without messages has its trailers among its header fields.
 */
final class TrailersView extends FieldsView implements Trailers {
    private boolean valid = true;

    TrailersView(HttpHeaders trailers) {
        super(trailers);
    }

    void revoke() {
        valid = false;
    }

    @Override
    void requireValid() {
        if (!valid) {
            throw new IllegalStateException("the trailers can't be accessed after the action has returned");
        }
    }

    @Override
    void beforeChange(String name) {
        requireValid();
    }

    @Override
    public @Nullable String get(String name) {
        String value = super.get(name);
        return TrailerFields.isForbidden(name) ? null : value;
    }

    @Override
    public List<String> getAll(String name) {
        List<String> all = super.getAll(name);
        return TrailerFields.isForbidden(name) ? List.of() : all;
    }

    @Override
    public boolean contains(String name) {
        return super.contains(name) && !TrailerFields.isForbidden(name);
    }

    @Override
    public void forEach(BiConsumer<String, String> action) {
        super.forEach((name, value) -> {
            if (!TrailerFields.isForbidden(name)) {
                action.accept(name, value);
            }
        });
    }

    @Override
    public void remove(String name) {
        if (contains(name)) {
            super.remove(name);
        }
    }

    @Override
    public void set(String name, String value) {
        requirePermitted(name);
        super.set(name, value);
    }

    @Override
    public void add(String name, String value) {
        requirePermitted(name);
        super.add(name, value);
    }

    private static void requirePermitted(String name) {
        if (TrailerFields.isForbidden(name)) {
            throw new IllegalArgumentException(name + " can't be a trailer");
        }
    }

    @Override
    public @Nullable Integer getGrpcStatus() {
        return Grpc.status(get(Grpc.STATUS.toString()));
    }

    @Override
    public void setGrpcStatus(int status) {
        if (status < 0) {
            throw new IllegalArgumentException("the gRPC status is " + status + " (expected: 0 or more)");
        }
        set(Grpc.STATUS.toString(), Integer.toString(status));
    }

    @Override
    public @Nullable String getGrpcMessage() {
        String message = get(Grpc.MESSAGE.toString());
        return message == null ? null : Grpc.decoded(message);
    }

    @Override
    public void setGrpcMessage(@Nullable String message) {
        if (message == null) {
            remove(Grpc.MESSAGE.toString());
        } else {
            set(Grpc.MESSAGE.toString(), Grpc.encoded(message));
        }
    }
}
