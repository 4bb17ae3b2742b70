package dev.lychgate.authorization;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelVariableResolver;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Identity;
import dev.lychgate.tls.ClientCertificate;
import dev.lychgate.tls.TlsSession;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The variables of expressions. A member that the exchange lacks, such as the subject of an anonymous request, is
 * absent.
 */
final class Variables {
    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType TEXTS = ListType.create(TEXT);

    static final Struct REQUEST = new Struct("lychgate.Request")
            .member("method", TEXT, of(FilterRequest::getMethod))
            .member("path", TEXT, of(FilterRequest::getPath))
            .member("host", TEXT, of(Variables::host))
            .member("scheme", TEXT, of(FilterRequest::getScheme))
            .member("protocol", TEXT, of(FilterRequest::getProtocol))
            .member("headers", MapType.create(TEXT, TEXT), of(Variables::headers))
            .member("query", MapType.create(TEXT, TEXTS), of(FilterRequest::getQueryParameters))
            .member("cookies", MapType.create(TEXT, TEXT), of(FilterRequest::getCookies))
            .member("time", SimpleType.TIMESTAMP, FilterExchange::getTime);

    static final Struct IDENTITY = new Struct("lychgate.Identity")
            .member("scheme", TEXT, ofIdentity(Identity::scheme))
            .member("issuer", TEXT, ofIdentity(Identity::issuer))
            .member("subject", TEXT, ofIdentity(Identity::subject));

    static final Struct CONNECTION = new Struct("lychgate.Connection")
            .member("address", TEXT, exchange -> IpLiteral.text(exchange.getClientAddress()))
            .member("peer_address", TEXT, exchange -> IpLiteral.text(exchange.getPeerAddress()))
            .member("listener", TEXT, FilterExchange::getListener)
            .member("tls_version", TEXT, ofTls(TlsSession::protocol))
            .member("server_name", TEXT, ofTls(TlsSession::serverName))
            .member("spiffe_id", TEXT, ofCertificate(Variables::spiffeId))
            .member("certificate_subject", TEXT, ofCertificate(ClientCertificate::subject))
            .member("certificate_names", TEXTS, ofCertificate(ClientCertificate::names))
            .member("certificate_fingerprint", TEXT, ofCertificate(ClientCertificate::fingerprint));

    static final List<Struct> STRUCTS = List.of(REQUEST, IDENTITY, CONNECTION);

    private Variables() {}

    /** Returns the types of all variables by name. */
    static Map<String, CelType> types() {
        Map<String, CelType> types = new LinkedHashMap<>();
        types.put("request", REQUEST.type());
        types.put("identity", IDENTITY.type());
        types.put("claims", MapType.create(TEXT, SimpleType.DYN));
        types.put("connection", CONNECTION.type());
        types.put("route", TEXT);
        return types;
    }

    /** Returns the values of an exchange. Each value is computed once, when an expression needs it. */
    static CelVariableResolver of(FilterExchange exchange) {
        Map<String, Object> found = new HashMap<>();
        return name -> Optional.ofNullable(found.computeIfAbsent(name, variable -> value(variable, exchange)));
    }

    private static @Nullable Object value(String variable, FilterExchange exchange) {
        return switch (variable) {
            case "request" -> REQUEST.of(exchange);
            case "identity" -> IDENTITY.of(exchange);
            case "claims" -> claims(exchange.getIdentity());
            case "connection" -> CONNECTION.of(exchange);
            case "route" -> exchange.getRoute();
            default -> null;
        };
    }

    private static Function<FilterExchange, @Nullable Object> of(Function<FilterRequest, Object> member) {
        return exchange -> member.apply(exchange.getRequest());
    }

    private static Function<FilterExchange, @Nullable Object> ofIdentity(Function<Identity, @Nullable Object> member) {
        return exchange -> {
            Identity identity = exchange.getIdentity();
            return identity == null ? null : member.apply(identity);
        };
    }

    private static Function<FilterExchange, @Nullable Object> ofTls(Function<TlsSession, @Nullable Object> member) {
        return exchange -> {
            TlsSession tls = exchange.getTls();
            return tls == null ? null : member.apply(tls);
        };
    }

    private static Function<FilterExchange, @Nullable Object> ofCertificate(
            Function<ClientCertificate, @Nullable Object> member) {
        return ofTls(tls -> {
            ClientCertificate certificate = tls.clientCertificate();
            return certificate == null ? null : member.apply(certificate);
        });
    }

    /** Returns the requested host in lower case and without port and trailing dot, as routes match it. */
    private static String host(FilterRequest request) {
        String host = request.getHost();
        int colon = host.lastIndexOf(':');
        // Colons within brackets belong to an IPv6 address.
        String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        String relative = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return relative.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the header fields by name, regardless of case. Fields with the same name are joined to one value, so an
     * expression always evaluates all of them. Therefore, a client cannot hide a value by sending a second field.
     */
    private static Map<String, String> headers(FilterRequest request) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        request.getHeaders().forEach((name, value) -> all.merge(name, value, (first, next) -> first + ", " + next));
        return all;
    }

    /**
     * Returns the SPIFFE id of a certificate. An X.509-SVID has exactly one URI, so no other URI can be mistaken for
     * the id.
     *
     * @see <a href="https://github.com/spiffe/spiffe/blob/main/standards/X509-SVID.md">X.509-SVID, 2 SPIFFE ID</a>
     */
    private static @Nullable String spiffeId(ClientCertificate certificate) {
        List<String> uris = certificate.uris();
        return uris.size() == 1 && uris.get(0).startsWith("spiffe://") ? uris.get(0) : null;
    }

    private static Map<?, ?> claims(@Nullable Identity identity) {
        return identity == null ? Map.of() : members(identity.claims());
    }

    private static Map<Object, Object> members(Map<?, ?> claims) {
        Map<Object, Object> all = new LinkedHashMap<>();
        claims.forEach((name, value) -> all.put(name, claim(value)));
        return all;
    }

    /** Returns a claim as a CEL value: numbers are {@link Long} or {@link Double}. */
    private static Object claim(Object value) {
        if (value instanceof Map<?, ?> map) {
            return members(map);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Variables::claim).toList();
        }
        if (value instanceof BigInteger number) {
            return number.bitLength() < Long.SIZE ? (Object) number.longValue() : (Object) number.doubleValue();
        }
        if (value instanceof Double || value instanceof Float || value instanceof BigDecimal) {
            return ((Number) value).doubleValue();
        }
        return value instanceof Number number ? number.longValue() : value;
    }
}
