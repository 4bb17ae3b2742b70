package dev.lychgate.testing;

import dev.lychgate.config.Codec;
import java.util.Locale;

/**
 * The codec that tests of the whole way use: the default, unless {@code -Dlychgate.test.codec=netty} says otherwise. What they
 * hold must not depend on it.
 */
public final class CodecUnderTest {
    /** That one. */
    public static final Codec CODEC = Codec.valueOf(
            System.getProperty("lychgate.test.codec", Codec.DEFAULT.name()).toUpperCase(Locale.ROOT));

    private CodecUnderTest() {}
}
