package dev.lychgate.redis;

import dev.lychgate.config.ConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the store, with the content of the files that they name.
 *
 * @param password null if no password is configured
 * @param sentinelPassword null if no password for Sentinels is configured
 * @param authorities certificates in PEM; null for the authorities of the JVM
 */
record Access(
        RedisSettings settings,
        @Nullable String password,
        @Nullable String sentinelPassword,
        @Nullable String authorities) {
    /**
     * Reads the files.
     *
     * @throws ConfigException if a file cannot be read
     */
    static Access read(RedisSettings settings) {
        return new Access(
                settings,
                password("password-file", settings.passwordFile()),
                password("sentinel-password-file", settings.sentinelPasswordFile()),
                authorities(settings.caFile()));
    }

    private static @Nullable String authorities(@Nullable String file) {
        String pem = content("ca-file", file);
        if (pem != null && file != null) {
            try {
                CertificateFactory certificates = CertificateFactory.getInstance("X.509");
                certificates.generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
            } catch (CertificateException e) {
                throw new ConfigException("ca-file", file, "a file with certificates in PEM: " + e.getMessage());
            }
        }
        return pem;
    }

    private static @Nullable String password(String key, @Nullable String file) {
        String content = content(key, file);
        String password = content == null ? null : content.replaceFirst("\\R\\z", "");
        if (password != null && password.isEmpty()) {
            throw new ConfigException(key, file == null ? "" : file, "a file that contains a password");
        }
        return password;
    }

    private static @Nullable String content(String key, @Nullable String file) {
        if (file == null) {
            return null;
        }
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new ConfigException(key, file, "a file that can be read: " + e.getMessage());
        }
    }

    @Override
    public String toString() {
        return settings.endpoints().toString();
    }
}
