package dev.lychgate.config;

/** The protocols of a listener. */
public enum ListenerProtocol {
    H2("h2"),
    HTTP_1_1("http/1.1");

    private final String alpn;

    ListenerProtocol(String alpn) {
        this.alpn = alpn;
    }

    /** Returns the name in TLS handshakes and in settings: {@code h2}, {@code http/1.1}. */
    public String alpn() {
        return alpn;
    }
}
