package dev.lychgate.exchange.filtering;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** The header fields of a head, as filters access them. */
final class HeadersView extends FieldsView {
    private final ExchangeView view;
    private final @Nullable RequestView request;

    /**
     * @param request the request that has the fields and permits changes of them; null for the fields of a response
     */
    HeadersView(ExchangeView view, HttpHeaders headers, @Nullable RequestView request) {
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
