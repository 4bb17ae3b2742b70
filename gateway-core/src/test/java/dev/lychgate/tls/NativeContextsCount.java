package dev.lychgate.tls;

/** The number of BoringSSL contexts in memory, for tests of other packages. */
public final class NativeContextsCount {
    private NativeContextsCount() {}

    public static int held() {
        return NativeContexts.held();
    }
}
