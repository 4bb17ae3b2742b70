package dev.lychgate.config;

import java.util.List;

/** The protocol of the endpoints of an upstream. */
public enum UpstreamProtocol {
    /** HTTP/1.1, one request at a time on each connection. */
    HTTP_1_1("http/1.1"),
    /** HTTP/2. With TLS, HTTP/2 is negotiated in the handshake. Without TLS, HTTP/2 is used without negotiation. */
    H2("h2"),
    /** HTTP/2 if an endpoint offers it in the TLS handshake; otherwise, HTTP/1.1. */
    AUTO("auto");

    private final String label;

    UpstreamProtocol(String label) {
        this.label = label;
    }

    /** Returns the name of the protocol in settings, such as {@code http/1.1}. */
    public String label() {
        return label;
    }

    /** Returns the ALPN names of the protocols that the gateway offers in TLS handshakes, in order of preference. */
    public List<String> alpn() {
        return this == AUTO ? List.of(H2.label, HTTP_1_1.label) : List.of(label);
    }
}
