package dev.lychgate.tls;

import dev.lychgate.config.ConfigException;
import io.netty.handler.ssl.CipherSuiteFilter;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.util.List;
import java.util.Set;

/** Selects the cipher suites. All default suites have forward secrecy and authenticated encryption. */
final class CipherSuites {
    static final List<String> MODERN = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private CipherSuites() {}

    /** Returns {@code configured}, or the default suites if {@code configured} is empty. */
    static List<String> of(List<String> configured) {
        return configured.isEmpty() ? MODERN : configured;
    }

    /**
     * Returns a filter of cipher suites. If the TLS engine does not support a default suite, the filter omits this
     * suite. If the TLS engine does not support a configured suite, the filter rejects the configuration.
     */
    static CipherSuiteFilter filter(List<String> configured, String key) {
        return (ciphers, defaults, supported) -> {
            requireKnown(configured, supported, key);
            return SupportedCipherSuiteFilter.INSTANCE.filterCipherSuites(ciphers, defaults, supported);
        };
    }

    private static void requireKnown(List<String> configured, Set<String> supported, String key) {
        for (String suite : configured) {
            if (!supported.contains(suite)) {
                throw new ConfigException(
                        key,
                        suite,
                        "the IANA name of a supported suite, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
            }
        }
    }
}
