package dev.lychgate.server.yaml;

import dev.lychgate.config.BindAddress;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientAddressConfig;
import dev.lychgate.config.Http2Config;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ListenerLimits;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.config.ProxyProtocolConfig;
import dev.lychgate.config.SocketOptions;
import java.util.List;

/** Reads one element of {@code listeners}. */
final class ListenerReader {
    private static final BindAddress ANYWHERE = new BindAddress("127.0.0.1", 0);
    private static final Cidr NOBODY = Cidr.parse("127.0.0.1");

    private final CrossReferences references;
    private final TlsReader tls;

    ListenerReader(CrossReferences references, TlsReader tls) {
        this.references = references;
        this.tls = tls;
    }

    ListenerConfig read(Element element) {
        return element.section(s -> s.build(
                () -> {
                    Element name = s.required("name", "a name, unique among listeners");
                    references.listenerName(name);
                    return new ListenerConfig(
                            name.text("unnamed"),
                            s.required("address", "host:port, such as 0.0.0.0:8080")
                                    .parsed(ANYWHERE, BindAddress::parse),
                            s.get("socket").section(SocketOptions.DEFAULT, ListenerReader::socket),
                            s.get("limits").section(ListenerLimits.DEFAULT, ListenerReader::limits),
                            s.get("timeouts").section(ListenerTimeouts.DEFAULT, ListenerReader::timeouts),
                            s.get("paths").section(PathPolicy.STRICT, ListenerReader::paths),
                            protocols(s.get("protocols")),
                            s.get("http2").section(Http2Config.DEFAULT, ListenerReader::http2),
                            trusted(s.get("trusted-proxies")),
                            s.get("client-address").section(ClientAddressConfig.DEFAULT, ListenerReader::clientAddress),
                            s.flag("forwarded", false),
                            tls.listener(s.get("tls")),
                            httpsPort(s.get("redirect-to-https")),
                            s.get("proxy-protocol").sectionOrNull(ListenerReader::proxyProtocol));
                },
                ListenerConfig.of("unnamed", ANYWHERE)));
    }

    private static int httpsPort(Element element) {
        Integer port = element.sectionOrNull(s -> port(s.get("port")));
        return port == null ? 0 : port;
    }

    private static int port(Element element) {
        int port = element.number(443);
        if (port < 1 || port > 65535) {
            element.refuse(Integer.toString(port), "1 to 65535");
            return 443;
        }
        return port;
    }

    private static SocketOptions socket(Section s) {
        SocketOptions d = SocketOptions.DEFAULT;
        return s.build(
                () -> new SocketOptions(
                        s.number("backlog", d.backlog()),
                        s.flag("reuse-port", d.reusePort()),
                        s.size("receive-buffer", d.receiveBuffer()),
                        s.size("send-buffer", d.sendBuffer()),
                        s.size("low-watermark", d.lowWatermark()),
                        s.size("high-watermark", d.highWatermark()),
                        s.size("splice", d.splice())),
                d);
    }

    private static ListenerLimits limits(Section s) {
        ListenerLimits d = ListenerLimits.DEFAULT;
        return s.build(
                () -> new ListenerLimits(
                        s.number("connections", d.connections()),
                        s.size("start-line", d.startLine()),
                        s.number("header-count", d.headerCount()),
                        s.size("header-bytes", d.headerBytes()),
                        s.size("body", d.body())),
                d);
    }

    private static ListenerTimeouts timeouts(Section s) {
        ListenerTimeouts d = ListenerTimeouts.DEFAULT;
        return s.build(
                () -> new ListenerTimeouts(
                        s.duration("request-head", d.requestHead()),
                        s.duration("request-body", d.requestBody()),
                        s.duration("idle", d.idle()),
                        s.duration("write", d.write()),
                        s.duration("tls-handshake", d.tlsHandshake())),
                d);
    }

    private static List<ListenerProtocol> protocols(Element element) {
        List<ListenerProtocol> said =
                element.list("of h2 and http/1.1", item -> item.parsed(ListenerProtocol.H2, ListenerProtocol::parse));
        return element.present() ? said : ListenerConfig.ALL;
    }

    private static Http2Config http2(Section s) {
        Http2Config d = Http2Config.DEFAULT;
        return s.build(
                () -> new Http2Config(
                        s.number("streams", d.streams()),
                        s.size("stream-window", d.streamWindow()),
                        s.size("connection-window", d.connectionWindow()),
                        s.number("resets", d.resets())),
                d);
    }

    private static PathPolicy paths(Section s) {
        return new PathPolicy(
                s.flag("allow-encoded-slash", false),
                s.flag("allow-backslash", false),
                s.flag("allow-control", false),
                s.flag("allow-dot-parameters", false),
                s.flag("allow-above-root", false),
                s.flag("allow-non-ascii", false),
                s.get("parameters").parsed(ParameterPolicy.AUTO, ParameterPolicy::parse));
    }

    private static ClientAddressConfig clientAddress(Section s) {
        ClientAddressConfig d = ClientAddressConfig.DEFAULT;
        return s.build(() -> new ClientAddressConfig(s.get("header").text(d.header()), s.number("hops", d.hops())), d);
    }

    private static ProxyProtocolConfig proxyProtocol(Section s) {
        return s.build(
                () -> new ProxyProtocolConfig(trusted(s.required("from", "the address blocks of the proxies"))),
                new ProxyProtocolConfig(List.of(NOBODY)));
    }

    private static List<Cidr> trusted(Element element) {
        return element.list("address blocks", item -> item.parsed(NOBODY, Cidr::parse));
    }
}
