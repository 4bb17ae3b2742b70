package dev.lychgate.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.config.TlsProvider;
import dev.lychgate.tls.TlsEngines;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that hold for BoringSSL's TLS and the JDK's alike. */
@ParameterizedClass
@EnumSource(
        value = TlsProvider.class,
        names = {"OPENSSL", "JDK"})
public abstract class WithEachTlsProvider {
    /** The provider of TLS. */
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    protected TlsProvider provider;

    /** For certificates and keys. */
    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    protected Path directory;

    @BeforeEach
    void theProviderIsThere() {
        assumeTrue(provider != TlsProvider.OPENSSL || TlsEngines.hasNative(), "BoringSSL has no native library here");
    }
}
