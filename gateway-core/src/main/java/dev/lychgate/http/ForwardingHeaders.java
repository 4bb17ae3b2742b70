package dev.lychgate.http;

import dev.lychgate.config.IpLiteral;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Sets the headers that describe the client and its connection: {@code X-Forwarded-For}, {@code X-Forwarded-Proto},
 * {@code X-Forwarded-Host}, {@code X-Forwarded-Port}, {@code Via}, {@code X-Request-Id} and, if configured, {@code
 * Forwarded}. Values of untrusted clients in these headers, or in other headers with the same purpose, are removed
 * first. Values of trusted proxies are kept and extended.
 *
 * <p>There is one instance per client connection, used on its event loop.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239">RFC 7239 Forwarded HTTP Extension</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3">RFC 9110, 7.6.3 Via</a>
 */
public final class ForwardingHeaders {
    private static final AsciiString FOR = AsciiString.cached("x-forwarded-for");
    private static final AsciiString PROTO = AsciiString.cached("x-forwarded-proto");
    private static final AsciiString HOST = AsciiString.cached("x-forwarded-host");
    private static final AsciiString PORT = AsciiString.cached("x-forwarded-port");
    private static final AsciiString REQUEST_ID = AsciiString.cached("x-request-id");
    private static final AsciiString FORWARDED = AsciiString.cached("forwarded");
    private static final AsciiString HTTP = AsciiString.cached("http");
    private static final AsciiString HTTPS = AsciiString.cached("https");

    private static final int LONGEST_REQUEST_ID = 128;

    private final InetSocketAddress peer;
    private final String client;
    private final String port;
    private final @Nullable ForwardedClient proxies;
    private final ClientRecords records;
    private final boolean trusted;
    private final boolean sendForwarded;
    private final Via via;
    private final String forwardedNode;
    private final AsciiString scheme;

    /**
     * @param peer address of the connection's peer
     * @param port local port of the connection
     * @param proxies the trusted proxies of the listener; null if the listener has no trusted proxies
     * @param records the headers in which proxies of any listener record the client
     * @param sendForwarded whether {@code Forwarded} is sent to origins
     * @param via this gateway's {@code Via} entry
     * @param encrypted whether the connection uses TLS
     */
    public ForwardingHeaders(
            InetSocketAddress peer,
            int port,
            @Nullable ForwardedClient proxies,
            ClientRecords records,
            boolean sendForwarded,
            Via via,
            boolean encrypted) {
        this.scheme = encrypted ? HTTPS : HTTP;
        this.peer = peer;
        this.client = IpLiteral.text(peer.getAddress());
        this.port = Integer.toString(port);
        this.proxies = proxies;
        this.records = records;
        this.trusted = proxies != null && proxies.trusts(peer.getAddress());
        this.sendForwarded = sendForwarded;
        this.via = via;
        this.forwardedNode = node(peer.getAddress(), client);
    }

    /** Creates an instance for a connection without TLS from a peer that is not a trusted proxy. */
    public ForwardingHeaders(InetAddress client, int port, Via via) {
        this(new InetSocketAddress(client, 0), port, null, ClientRecords.NONE_NAMED, false, via, false);
    }

    private static String node(InetAddress address, String text) {
        return address instanceof Inet6Address ? "\"[" + text + "]\"" : text;
    }

    /**
     * Returns whether a trusted proxy names a client in a request, even if the gateway cannot parse the name. Call this
     * method before {@link #settleClient}.
     */
    public boolean namesClient(RequestHead head) {
        return trusted && proxies != null && proxies.namesClient(head.headers());
    }

    /** Returns whether the peer of the connection is a trusted proxy. */
    public boolean isTrusted() {
        return trusted;
    }

    /** Returns the peer's address in the form used in logs. */
    public String client() {
        return client;
    }

    /**
     * Determines the client of a request, and corrects the headers in which proxies record the client. Headers that
     * name a different client are removed. If a header that the gateway sends to origins is missing, it is added, with
     * the client as its first entry. Call this method once per request, before {@link #strip}.
     *
     * @return the client; null if the peer is the client
     */
    public @Nullable InetSocketAddress settleClient(RequestHead head) {
        if (!trusted || proxies == null) {
            return null;
        }
        HttpHeaders headers = head.headers();
        InetSocketAddress found = proxies.settle(headers, peer);
        if (found.equals(peer)) {
            return null;
        }
        String text = IpLiteral.text(found.getAddress());
        setIfMissing(headers, FOR, text);
        if (sendForwarded) {
            setIfMissing(headers, FORWARDED, "for=" + node(found.getAddress(), text));
        }
        return found;
    }

    /**
     * Returns whether the client of a request used TLS. If a trusted proxy sent the request with {@code
     * X-Forwarded-Proto}, the last value of this header determines the result. Without this header, or without a
     * trusted proxy, the connection determines the result.
     */
    public boolean isSecure(RequestHead head) {
        String stated = trusted ? head.headers().get(PROTO) : null;
        if (stated == null) {
            return scheme.equals(HTTPS);
        }
        String all = join(head.headers(), PROTO);
        return HTTPS.contentEqualsIgnoreCase(
                all.substring(all.lastIndexOf(',') + 1).trim());
    }

    /**
     * Returns the id for a request: if a trusted proxy sent an id that {@link #isPlainId} accepts, this id; otherwise,
     * {@code fresh}.
     */
    public String requestId(RequestHead head, String fresh) {
        if (trusted) {
            String given = head.headers().get(REQUEST_ID);
            if (given != null && isPlainId(given)) {
                return given;
            }
        }
        return fresh;
    }

    /**
     * Returns whether {@code id} has 1 to 128 characters, all of which are letters, digits, or other characters without
     * a special meaning in logs and shells.
     */
    public static boolean isPlainId(String id) {
        int n = id.length();
        if (n == 0 || n > LONGEST_REQUEST_ID) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            char c = id.charAt(i);
            boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            boolean plain = letter || (c >= '0' && c <= '9') || "-_.:/+=".indexOf(c) >= 0;
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the request has already passed through this gateway. */
    public boolean isLoop(RequestHead head) {
        return via.isIn(head.headers());
    }

    /**
     * Removes the fields that only a proxy may set, unless the peer is a trusted proxy. Removes {@code Proxy} from all
     * requests. Fields whose names contain special characters other than hyphens are removed even from requests of
     * trusted proxies: proxies forward such fields unchecked, and some servers treat them like the spelling with
     * hyphens. Call this method before filters and routes read the head; fields that filters set later are kept.
     */
    public void strip(RequestHead head) {
        if (records.hasNamed() || head.mayHaveForwardingFields()) {
            FieldNames.removeIf(head.headers(), this::isForged);
        }
    }

    private boolean isForged(CharSequence name) {
        boolean reserved = ForwardingFields.contains(name) || records.isNamed(name);
        return ForwardingFields.isProxy(name) || (reserved && !(trusted && FieldNames.isPlain(name)));
    }

    /** Sets the forwarding fields of a request that is about to be forwarded. Call {@link #strip} earlier. */
    public void apply(RequestHead head, String requestId) {
        HttpHeaders headers = head.headers();
        String formerly = trusted ? headers.get(FOR) : null;
        if (trusted) {
            setIfMissing(headers, PROTO, scheme);
            setIfMissing(headers, PORT, port);
            if (!head.host().isEmpty()) {
                setIfMissing(headers, HOST, head.host());
            }
        } else {
            headers.set(PROTO, scheme);
            headers.set(PORT, port);
            if (head.host().isEmpty()) {
                headers.remove(HOST);
            } else {
                headers.set(HOST, head.host());
            }
        }
        headers.set(FOR, formerly == null ? client : join(headers, FOR) + ", " + client);
        headers.set(REQUEST_ID, requestId);
        via.addTo(headers, head.version());
        forwarded(head, headers);
    }

    /**
     * Sets two fields of a request that the gateway itself sends on behalf of an exchange: the request id of the
     * exchange, and {@code Via}. {@code Via} lists all proxies through which the request of the exchange has passed. If
     * the new request comes back to the gateway, the gateway therefore rejects it as a loop.
     *
     * @param exchange the request of the exchange; null if the client did not send an HTTP request
     */
    public void applyToCall(HttpHeaders call, @Nullable RequestHead exchange, String requestId) {
        call.set(REQUEST_ID, requestId);
        call.remove(HttpHeaderNames.VIA);
        if (exchange != null) {
            call.add(HttpHeaderNames.VIA, exchange.headers().getAll(HttpHeaderNames.VIA));
        }
        if (!via.isIn(call)) {
            via.addTo(call, exchange == null ? HttpVersion.HTTP_1_1 : exchange.version());
        }
    }

    private void forwarded(RequestHead head, HttpHeaders headers) {
        String before = trusted && headers.contains(FORWARDED) ? join(headers, FORWARDED) + ", " : "";
        if (sendForwarded) {
            String host = head.host().isEmpty() ? "" : ";host=\"" + head.host() + '"';
            headers.set(FORWARDED, before + "for=" + forwardedNode + host + ";proto=" + scheme);
        }
    }

    private static void setIfMissing(HttpHeaders headers, AsciiString name, CharSequence value) {
        if (!headers.contains(name)) {
            headers.add(name, value);
        }
    }

    private static String join(HttpHeaders headers, AsciiString name) {
        return String.join(", ", headers.getAll(name));
    }
}
