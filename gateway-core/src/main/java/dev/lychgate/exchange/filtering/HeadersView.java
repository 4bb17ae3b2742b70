package dev.lychgate.exchange.filtering;

import io.netty.handler.codec.http.HttpHeaders;

/** The header fields of a head, as filters see them. */
final class HeadersView extends FieldsView {
    private final ExchangeView view;
    private final boolean ofRequest;

    /** @param ofRequest whether they become immutable once the request is sent */
    HeadersView(ExchangeView view, HttpHeaders headers, boolean ofRequest) {
        super(headers);
        this.view = view;
        this.ofRequest = ofRequest;
    }

    @Override
    void requireValid() {
        view.requireValid();
    }

    @Override
    void requireChangeable() {
        if (ofRequest) {
            view.requireRequestChangeable();
        } else {
            view.requireValid();
        }
    }
}
