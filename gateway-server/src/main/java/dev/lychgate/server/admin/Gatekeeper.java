package dev.lychgate.server.admin;

import dev.lychgate.config.IpLiteral;
import dev.lychgate.server.admin.Audit.Caller;
import dev.lychgate.tls.ClientCertificate;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the token or the certificate of a client, if the listener requires credentials. All methods except
 * {@link #use} must be called on the admin listener's thread.
 */
final class Gatekeeper {
    private static final Map<String, String> CHALLENGE = Map.of("www-authenticate", "Bearer realm=\"lychgate\"");
    private static final Map<String, String> WRONG =
            Map.of("www-authenticate", "Bearer realm=\"lychgate\", error=\"invalid_token\"");
    private static final Map<String, String> LATER = Map.of("retry-after", "1");
    private static final String SCHEME = "bearer ";

    private volatile AdminAccess access;
    private final WrongTokens wrong;

    /** The result of the check. */
    sealed interface Verdict {
        record In(Caller caller) implements Verdict {}

        record Out(AdminResponse answer, Pace pace) implements Verdict {}
    }

    /** Determines when the response is sent. */
    enum Pace {
        AT_ONCE,
        /** The response is sent after the delay of {@link WrongTokens}. */
        LATE
    }

    Gatekeeper(AdminAccess access, Duration lateness) {
        this.access = access;
        this.wrong = new WrongTokens(lateness);
    }

    /** Changes the required tokens and certificates. Thread-safe. */
    void use(AdminAccess next) {
        access = next;
    }

    AdminAccess access() {
        return access;
    }

    WrongTokens wrong() {
        return wrong;
    }

    /**
     * Returns whether {@code headers} contain a token, valid or not. No page of another site can send such a header.
     */
    static boolean hasToken(HttpHeaders headers) {
        String field = headers.get(HttpHeaderNames.AUTHORIZATION);
        return field != null && isBearer(field);
    }

    private static boolean isBearer(String field) {
        return field.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /**
     * Checks the credentials of a request.
     *
     * @param certificate the connection's client certificate, from a trusted authority; null without one
     */
    Verdict judge(Channel channel, HttpHeaders headers, @Nullable ClientCertificate certificate) {
        AdminAccess now = access;
        String address = address(channel);
        if (certificate != null) {
            Operator operator = now.ofCertificate(certificate);
            if (operator != null) {
                return new Verdict.In(new Caller(address, "certificate " + certificate.subject(), operator));
            }
            if (!headers.contains(HttpHeaderNames.AUTHORIZATION)) {
                return withoutOperator(channel);
            }
        }
        // A connection that was opened at another address, before the listener moved, may come from another machine.
        if (now.asksNothing() && isLocal(channel)) {
            return new Verdict.In(new Caller(address, "nothing", Operator.ANY));
        }
        List<String> fields = headers.getAll(HttpHeaderNames.AUTHORIZATION);
        if (!now.hasToken() || fields.isEmpty()) {
            wrong.refused(host(channel), now.hasToken() ? "no token" : "no certificate");
            return new Verdict.Out(unauthorized(now, CHALLENGE), Pace.AT_ONCE);
        }
        if (wrong.isDeaf(host(channel))) {
            wrong.refused(host(channel), "the address is throttled because of wrong tokens");
            return new Verdict.Out(
                    AdminResponse.problem(
                                    HttpResponseStatus.TOO_MANY_REQUESTS,
                                    "too-many-requests",
                                    "this address sent wrong tokens; try again in a second")
                            .with(LATER),
                    Pace.AT_ONCE);
        }
        String field = fields.get(0);
        Operator operator = fields.size() == 1 && isBearer(field)
                ? now.ofToken(field.substring(SCHEME.length()).strip())
                : null;
        return operator != null
                ? new Verdict.In(new Caller(address, "token", operator))
                : new Verdict.Out(unauthorized(now, WRONG), Pace.LATE);
    }

    private Verdict withoutOperator(Channel channel) {
        wrong.refused(host(channel), "the certificate belongs to no operator");
        return new Verdict.Out(
                AdminResponse.problem(
                        HttpResponseStatus.FORBIDDEN, "forbidden", "this certificate belongs to no operator"),
                Pace.AT_ONCE);
    }

    private static AdminResponse unauthorized(AdminAccess now, Map<String, String> challenge) {
        String token = "the header field Authorization: Bearer and the token";
        String wanted = !now.hasToken() ? "a certificate" : now.asksClients() ? token + ", or a certificate" : token;
        return AdminResponse.problem(HttpResponseStatus.UNAUTHORIZED, "unauthorized", "this page requires " + wanted)
                .with(challenge);
    }

    private static boolean isLocal(Channel channel) {
        return !(channel.remoteAddress() instanceof InetSocketAddress ip)
                || ip.getAddress().isLoopbackAddress();
    }

    private static String address(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress ip ? NetUtil.toSocketAddressString(ip) : "unknown";
    }

    /** Returns the client address without the port. */
    static String host(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress ip ? IpLiteral.text(ip.getAddress()) : "unknown";
    }
}
