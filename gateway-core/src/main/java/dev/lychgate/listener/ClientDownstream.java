package dev.lychgate.listener;

import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.tls.TlsSession;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Implements the methods of {@link Downstream} that do not depend on the HTTP version. */
interface ClientDownstream extends Downstream {
    ClientContext client();

    @Override
    default InetSocketAddress peer() {
        return client().peer().client();
    }

    @Override
    default ProxyHeader proxyHeader() {
        return client().peer().header();
    }

    @Override
    default boolean isOfProxy() {
        return client().peer().isProxy();
    }

    @Override
    default ForwardingHeaders forwarding() {
        return client().forwarding();
    }

    @Override
    default String listener() {
        return client().listener().config().name();
    }

    @Override
    default ParameterPolicy pathParameters() {
        return client().listener().config().paths().parameters();
    }

    @Override
    default @Nullable TlsSession tls() {
        return client().peer().tls();
    }

    @Override
    default boolean isDraining() {
        return client().listener().isDraining();
    }

    @Override
    default long writeTimeout() {
        return client().listener().write;
    }
}
