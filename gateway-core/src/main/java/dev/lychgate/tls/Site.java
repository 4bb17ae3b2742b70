package dev.lychgate.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One certificate of a listener, with the context for its handshakes. Thread-safe. */
public final class Site {
    private final String name;
    private final List<String> names;
    private final Instant notAfter;
    private final SslContext context;
    private final byte @Nullable [] ocsp;
    private final List<String> groups;

    Site(Credential credential, SslContext context, byte @Nullable [] ocsp) {
        this.names = credential.names();
        this.name = names.isEmpty() ? credential.file() : names.get(0);
        this.notAfter = credential.leaf().getNotAfter().toInstant();
        this.context = context;
        this.groups = Groups.of(credential.leaf());
        this.ocsp = ocsp == null ? null : ocsp.clone();
        NativeContexts.tie(this, context);
    }

    /**
     * Returns the first host name of the certificate. If the certificate has no host name, returns the name of its
     * file.
     */
    public String name() {
        return name;
    }

    /** Returns the end of the certificate's validity. */
    public Instant notAfter() {
        return notAfter;
    }

    List<String> names() {
        return names;
    }

    SslContext context() {
        return context;
    }

    /**
     * Creates the TLS handler for the pipeline of one connection. The handler has no handshake timeout; the caller
     * enforces a timeout.
     */
    public SslHandler newHandler(ByteBufAllocator allocator) {
        SslHandler handler = context.newHandler(allocator);
        handler.setHandshakeTimeoutMillis(0);
        if (!(handler.engine() instanceof ReferenceCountedOpenSslEngine engine)) {
            Groups.limit(handler.engine(), groups);
        } else if (ocsp != null) {
            engine.setOcspResponse(ocsp);
        }
        return handler;
    }
}
