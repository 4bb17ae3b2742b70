package dev.lychgate.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import java.util.List;

/**
 * What is spoken inside TLS, the most wanted first: the one place that says so.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7301">RFC 7301 ALPN</a>
 */
public final class Alpn {
    /** Offered to origins. */
    public static final List<String> ORIGIN = List.of(ApplicationProtocolNames.HTTP_1_1);

    private Alpn() {}

    /** Whoever offers none of them is taken to speak HTTP/1.1: that is all BoringSSL's engine leaves us to say. */
    static ApplicationProtocolConfig of(List<String> protocols) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols);
    }
}
