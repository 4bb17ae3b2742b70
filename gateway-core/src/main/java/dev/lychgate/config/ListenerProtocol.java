package dev.lychgate.config;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What may be spoken on a listener. */
public enum ListenerProtocol {
    H2("h2"),
    HTTP_1_1("http/1.1");

    private final String alpn;

    ListenerProtocol(String alpn) {
        this.alpn = alpn;
    }

    /** As it is called in TLS handshakes and in settings: {@code h2}, {@code http/1.1}. */
    public String alpn() {
        return alpn;
    }

    /** Reads a name. @throws IllegalArgumentException with what was expected */
    public static ListenerProtocol parse(String text) {
        return Arrays.stream(values())
                .filter(one -> one.alpn.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        Arrays.stream(values()).map(one -> one.alpn).collect(Collectors.joining(" or "))));
    }
}
