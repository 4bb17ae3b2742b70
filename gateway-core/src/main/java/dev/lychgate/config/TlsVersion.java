package dev.lychgate.config;

/** The versions of TLS that are spoken; older ones are broken. */
public enum TlsVersion {
    TLS_1_3("TLSv1.3"),
    TLS_1_2("TLSv1.2");

    private final String label;

    TlsVersion(String label) {
        this.label = label;
    }

    /** As it is written in settings, and as engines call it. */
    public String label() {
        return label;
    }
}
