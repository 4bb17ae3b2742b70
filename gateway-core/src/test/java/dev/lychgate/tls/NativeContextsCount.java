package dev.lychgate.tls;

/** How many of BoringSSL's contexts are held, for tests of other packages. */
public final class NativeContextsCount {
    private NativeContextsCount() {}

    public static int held() {
        return NativeContexts.held();
    }
}
