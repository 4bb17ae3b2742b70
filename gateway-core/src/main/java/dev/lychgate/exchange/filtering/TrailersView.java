package dev.lychgate.exchange.filtering;

import dev.lychgate.filter.Trailers;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.TrailerFields;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** The trailers of a response, which the action of a filter may use until it returns. */
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
            throw new IllegalStateException("the trailers have been sent");
        }
    }

    @Override
    void requireChangeable() {
        requireValid();
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
            throw new IllegalArgumentException("a gRPC status of " + status);
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
