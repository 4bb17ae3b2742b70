package dev.lychgate.exchange.filtering;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** A view through which filters access the header fields of a request or a response. */
final class HeadersView extends FieldsView {
    private final ViewAccess view;
    private final @Nullable RequestView request;

    /**
     * Creates a view of header fields.
     *
     * @param request the request to which the fields belong; its state determines whether filters may change the
     *     fields; null for the fields of a response
     */
    HeadersView(ViewAccess view, HttpHeaders headers, @Nullable RequestView request) {
        super(headers);
        this.view = view;
        this.request = request;
    }

    @Override
    void requireValid() {
        view.requireValid();
    }

    @Override
    void beforeChange(String name) {
        if (request == null) {
            view.requireValid();
        } else {
            request.beforeChange(name);
        }
    }
}
