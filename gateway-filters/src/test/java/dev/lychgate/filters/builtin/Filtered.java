package dev.lychgate.filters.builtin;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filter.Filter;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A client, a gateway with filters on its route or on all routes, and an origin. */
final class Filtered implements AutoCloseable {
    final ScriptedOrigin origin;
    private final Gateway gateway;
    private final RawClient client;

    Filtered(ScriptedOrigin origin, FilterSet filters, Cidr... trusted) throws Exception {
        this.origin = origin;
        this.gateway = Gateway.start(Routes.to(origin.port(), trusted), filters, ExchangeObserver.NONE);
        this.client = RawClient.connect(gateway.address("main"));
    }

    /** The origin responds with {@code fields}, each ended by CRLF, and no body. */
    static Filtered answering(String fields, FilterSet filters) throws Exception {
        return new Filtered(
                ScriptedOrigin.answering(
                        (request, c) -> c.send("HTTP/1.1 200 OK\r\n" + fields + "Content-Length: 0\r\n\r\n")),
                filters);
    }

    static Filtered by(FilterSet filters) throws Exception {
        return answering("", filters);
    }

    /** The client is a proxy that the gateway trusts. */
    static Filtered behindProxy(FilterSet filters) throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("")));
        return new Filtered(origin, filters, Cidr.parse("127.0.0.1"));
    }

    /** Returns the filters of one entry of a list. */
    static List<Filter> made(String kind, Map<String, Object> settings) {
        return Objects.requireNonNull(BuiltinFilters.find(kind)).make(new FilterConfig(kind, settings), "");
    }

    /** A filter for all routes. */
    static FilterSet global(String kind, Map<String, Object> settings) {
        return FilterSet.of(made(kind, settings).toArray(Filter[]::new));
    }

    /** A filter for the one route. */
    static FilterSet onRoute(String kind, Map<String, Object> settings) {
        FilterSet set = FilterSet.EMPTY;
        for (Filter filter : made(kind, settings)) {
            set = set.with(filter, Set.of("all"), 1);
        }
        return set;
    }

    /**
     * Returns the response to a request without a body.
     *
     * @param fields each ended by CRLF
     */
    RawMessage send(String requestLine, String fields) throws Exception {
        return client.send(requestLine + " HTTP/1.1\r\nHost: a.example\r\n" + fields + "\r\n")
                .readResponse();
    }

    RawMessage get(String target) throws Exception {
        return send("GET " + target, "");
    }

    /** Another client of the same gateway. */
    RawClient connect() throws Exception {
        return RawClient.connect(gateway.address("main"));
    }

    RawClient client() {
        return client;
    }

    /** Returns the last request that the origin received. */
    RawMessage received() {
        return origin.requests().get(origin.requests().size() - 1);
    }

    @Override
    public void close() {
        client.close();
        gateway.close();
        origin.close();
    }
}
