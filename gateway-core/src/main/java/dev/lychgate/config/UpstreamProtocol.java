package dev.lychgate.config;

import java.util.List;

/** What is spoken with the endpoints of an upstream. */
public enum UpstreamProtocol {
    /** HTTP/1.1, one request at a time on each connection. */
    HTTP_1_1("http/1.1"),
    /** HTTP/2: agreed on in the TLS handshake, taken for granted without TLS. */
    H2("h2"),
    /** HTTP/2 where an endpoint offers it in the TLS handshake, else HTTP/1.1. */
    AUTO("auto");

    private final String label;

    UpstreamProtocol(String label) {
        this.label = label;
    }

    /** As it is written in settings. */
    public String label() {
        return label;
    }

    /** What is offered in TLS handshakes, the most wanted first. */
    public List<String> alpn() {
        return this == AUTO ? List.of(H2.label, HTTP_1_1.label) : List.of(label);
    }
}
