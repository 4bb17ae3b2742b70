package dev.lychgate.identity;

import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Headers;
import dev.lychgate.tls.TlsSession;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exchanges with only those parts that an authenticator reads. A use of any other part fails. */
final class Requests {
    private Requests() {}

    /** A request with one header field. */
    static FilterExchange with(String name, String value) {
        Headers headers = fake(Headers.class, Map.of("getAll", List.of(value), "remove", name));
        FilterRequest request = fake(FilterRequest.class, Map.of("getHeaders", headers));
        return fake(FilterExchange.class, Map.of("getRequest", request));
    }

    /** A request on a connection with this TLS session; null without TLS. */
    static FilterExchange over(@Nullable TlsSession tls) {
        return (FilterExchange) Proxy.newProxyInstance(
                Requests.class.getClassLoader(), new Class<?>[] {FilterExchange.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("getTls")) {
                        throw new AssertionError(method);
                    }
                    return tls;
                });
    }

    private static <T> T fake(Class<T> type, Map<String, Object> results) {
        return type.cast(Proxy.newProxyInstance(
                Requests.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (!results.containsKey(method.getName())) {
                        throw new AssertionError(method);
                    }
                    return method.getReturnType() == void.class ? null : results.get(method.getName());
                }));
    }
}
