package dev.lychgate.config;

/** The supported versions of TLS. Older versions are insecure and therefore not supported. */
public enum TlsVersion {
    TLS_1_3("TLSv1.3"),
    TLS_1_2("TLSv1.2");

    private final String label;

    TlsVersion(String label) {
        this.label = label;
    }

    /** Returns the name in settings and in {@link javax.net.ssl.SSLEngine}, such as {@code TLSv1.3}. */
    public String label() {
        return label;
    }
}
