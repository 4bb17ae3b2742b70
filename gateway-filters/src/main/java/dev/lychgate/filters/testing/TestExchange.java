package dev.lychgate.filters.testing;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.AddressScope;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.CallOutConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.PathPolicy;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.exchange.state.ExchangeInputs;
import dev.lychgate.extension.AccompaniedFilter;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Identity;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.PathNormalizer;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request of a test, and its environment. By default, one route leads to one upstream, and the upstream's origin
 * responds with 200 and an empty body. Methods change the request and the environment. {@link #through} sends the
 * request through filters; each call of {@code through} is a separate exchange.
 */
public final class TestExchange {
    /** Matches no request, because no request has this host. */
    private static final MatchConfig NOTHING =
            new MatchConfig(List.of("nobody.invalid"), null, List.of(), Map.of(), Map.of(), List.of(), null);

    private final String method;
    private final String path;
    private final @Nullable String query;
    private final HttpHeaders headers =
            DefaultHttpHeadersFactory.headersFactory().newHeaders();
    private final List<byte[]> body = new ArrayList<>();
    private boolean chunked;
    private String host = "gateway.example";
    private InetAddress client = InetAddress.getLoopbackAddress();
    private @Nullable String route = "test";
    private String upstream = "origin";
    private final Set<String> routes = new LinkedHashSet<>();
    private final Set<String> upstreams = new LinkedHashSet<>();
    /** The responses of the upstreams that the test has added, by the name of the upstream. */
    private final Map<String, Function<SentRequest, OriginResponse>> others = new HashMap<>();

    private final Map<AttributeKey<?>, Object> attributes = new HashMap<>();
    private Function<SentRequest, OriginResponse> origin = request -> OriginResponse.of(200);
    private @Nullable ErrorKind failure;
    private @Nullable Identity sender;
    private boolean brownout;
    private @Nullable Instant time;

    private TestExchange(String method, String target) {
        int question = target.indexOf('?');
        this.method = method;
        this.path = question < 0 ? target : target.substring(0, question);
        this.query = question < 0 ? null : target.substring(question + 1);
    }

    // ---- the request

    /**
     * Creates a request.
     *
     * @param target a path, optionally with a query, in the encoded form in which clients send it
     */
    public static TestExchange of(String method, String target) {
        return new TestExchange(method, target);
    }

    /** Creates a GET request; see {@link #of}. */
    public static TestExchange get(String target) {
        return of("GET", target);
    }

    /** Creates a POST request; see {@link #of}. */
    public static TestExchange post(String target) {
        return of("POST", target);
    }

    /** Adds a header field to the request. Use {@link #host} for the field Host. */
    public TestExchange header(String name, String value) {
        headers.add(name, value);
        return this;
    }

    /** Adds a cookie to the request. */
    public TestExchange cookie(String name, String value) {
        String before = headers.get(HttpHeaderNames.COOKIE);
        headers.set(HttpHeaderNames.COOKIE, (before == null ? "" : before + "; ") + name + "=" + value);
        return this;
    }

    /** Sets the host of the request, in the form {@code name[:port]}. The default is {@code gateway.example}. */
    public TestExchange host(String name) {
        this.host = name;
        return this;
    }

    /** Sets the body of the request to {@code text}, in UTF-8. The request states the length of the body. */
    public TestExchange body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sets the body of the request. The request states the length of the body. */
    public TestExchange body(byte[] bytes) {
        body.clear();
        body.add(bytes.clone());
        return this;
    }

    /**
     * Sets the body of the request to {@code pieces}, in UTF-8. Each piece is a chunk that arrives separately, and the
     * request does not state the length of the body.
     */
    public TestExchange pieces(String... pieces) {
        body.clear();
        for (String piece : pieces) {
            body.add(piece.getBytes(StandardCharsets.UTF_8));
        }
        chunked = true;
        return this;
    }

    /**
     * Sets the address of the client. The default is the loopback address.
     *
     * @param address the IP address as a text
     */
    public TestExchange client(String address) {
        if (!address.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw new IllegalArgumentException("not an IP address: " + address);
        }
        try {
            this.client = InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an IP address: " + address, e);
        }
        return this;
    }

    // ---- the environment

    /**
     * Sets the id of the route that the request matches; null if the request matches no route. The default is
     * {@code test}.
     */
    public TestExchange route(@Nullable String id) {
        this.route = id;
        return this;
    }

    /** Adds routes that match no request, but that filters may choose. */
    public TestExchange routes(String... ids) {
        routes.addAll(List.of(ids));
        return this;
    }

    /** Sets the name of the upstream of the route. The default is {@code origin}. */
    public TestExchange upstream(String name) {
        this.upstream = name;
        return this;
    }

    /** Adds upstreams that filters may choose. */
    public TestExchange upstreams(String... names) {
        upstreams.addAll(List.of(names));
        return this;
    }

    /**
     * Adds an upstream with a separate origin.
     *
     * @param name the name of the upstream, which filters may choose or call; or a URL without a path, which filters
     *     may only call
     * @param responses returns the response of the new origin to a request; if it returns null, the origin never
     *     responds
     */
    public TestExchange upstream(String name, Function<SentRequest, OriginResponse> responses) {
        others.put(TestOrigin.name(name), responses);
        return upstreams(name);
    }

    /** Adds an upstream with an origin that responds with text; see {@link #upstream(String, Function)}. */
    public TestExchange upstream(String name, int status, String text) {
        return upstream(name, request -> OriginResponse.of(status).body(text));
    }

    /** Sets an attribute of the exchange, as if an earlier filter had set it. */
    public <T> TestExchange attribute(AttributeKey<T> key, T value) {
        attributes.put(key, key.type().cast(value));
        return this;
    }

    /** Sets the verified identity of the sender, as if an authenticator had accepted its credentials. */
    public TestExchange identity(Identity sender) {
        this.sender = sender;
        return this;
    }

    /**
     * Sets the time at which the request arrives, which filters read as {@code exchange.time}. The default is the
     * current time.
     */
    public TestExchange time(Instant arrival) {
        this.time = arrival;
        return this;
    }

    /** Simulates a continuous overload of the upstreams, so that {@code exchange.brownout} returns true. */
    public TestExchange brownout() {
        brownout = true;
        return this;
    }

    // ---- the origin

    /** Makes the origin respond with this status and without a body. */
    public TestExchange origin(int status) {
        return origin(request -> OriginResponse.of(status));
    }

    /** Makes the origin respond with this status and this text. */
    public TestExchange origin(int status, String text) {
        return origin(request -> OriginResponse.of(status).body(text));
    }

    /** Makes the origin respond with this status, these header fields and this text. */
    public TestExchange origin(int status, Map<String, String> fields, String text) {
        return origin(request -> OriginResponse.of(status).headers(fields).body(text));
    }

    /**
     * Makes the origin respond with the result of {@code responses}, which receives the request that the origin has
     * received. If the result is null, the origin never responds.
     */
    public TestExchange origin(Function<SentRequest, OriginResponse> responses) {
        this.origin = responses;
        return this;
    }

    /** Makes every attempt at the origin fail with this error. */
    public TestExchange originFails(ErrorKind kind) {
        this.failure = kind;
        return this;
    }

    // ---- the exchange

    /**
     * Sends the request through {@code filters}. As in the gateway, the phases and the orders of the filters determine
     * when they run.
     */
    public TestResult through(Filter... filters) {
        return through(FilterSet.of(filters));
    }

    /** Sends the request through {@code filters}; see {@link #through(Filter...)}. */
    public TestResult through(Collection<? extends Filter> filters) {
        return through(FilterSet.EMPTY.with(filters));
    }

    /** Sends the request through a filter set; see {@link #through(Filter...)}. Adds the routes that the set names. */
    public TestResult through(FilterSet filters) {
        Recorder recorder = new Recorder();
        FilterSet all = recorder.record(accompanied(filters));
        if (!attributes.isEmpty() || sender != null) {
            all = all.with(List.of(new Given(Map.copyOf(attributes), sender)));
        }
        Trial trial = new Trial(
                config(filters),
                all,
                new TestClient(client, List.copyOf(body)),
                new TestOrigin(origin, Map.copyOf(others), failure));
        if (brownout) {
            Brownout.begin(trial.generation());
        }
        // Without an explicit time, the gateway would derive the time from the clock of the test, which does not show
        // the time of day.
        Instant arrival = time == null ? Instant.now() : time;
        trial.exchange()
                .determine(
                        new ExchangeInputs(arrival, ThreadLocalRandom.current().nextLong()));
        trial.begin(head());
        return new TestResult(trial, recorder);
    }

    /** Returns the filters, together with the additional filters that they need. */
    private static FilterSet accompanied(FilterSet filters) {
        Set<Filter> present = Collections.newSetFromMap(new IdentityHashMap<>());
        filters.entries().forEach(entry -> present.add(entry.filter()));
        List<Filter> missing = filters.entries().stream()
                .map(FilterSet.Entry::filter)
                .filter(AccompaniedFilter.class::isInstance)
                .flatMap(filter -> ((AccompaniedFilter) filter).companions().stream())
                .filter(present::add)
                .toList();
        return filters.with(missing);
    }

    /** Sets the attributes and the identity of the test on an exchange, before the first filter of the test runs. */
    private record Given(
            Map<AttributeKey<?>, Object> attributes,
            @Nullable Identity sender) implements InboundFilter, SyncFilter {
        @Override
        public int order() {
            return Integer.MIN_VALUE;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            attributes.forEach((key, value) -> set(exchange, key, value));
            if (sender != null) {
                exchange.setIdentity(sender);
            }
            return exchange.proceed();
        }

        private static <T> void set(FilterExchange exchange, AttributeKey<T> key, Object value) {
            exchange.set(key, key.type().cast(value));
        }
    }

    /** Returns the configuration of a gateway with the routes and upstreams of the test. */
    private GatewayConfig config(FilterSet filters) {
        Set<String> others = new LinkedHashSet<>();
        filters.entries().forEach(entry -> others.addAll(entry.routes()));
        others.addAll(routes);
        List<RouteConfig> all = new ArrayList<>();
        if (route != null) {
            all.add(RouteConfig.proxy(route, MatchConfig.ANY, upstream));
            others.remove(route);
        }
        others.forEach(id -> all.add(RouteConfig.proxy(id, NOTHING, upstream)));
        Set<String> names = new LinkedHashSet<>(List.of(upstream));
        names.addAll(upstreams);
        Map<String, UpstreamConfig> named = new LinkedHashMap<>();
        List<CallOutConfig> callOuts = new ArrayList<>();
        for (String name : names) {
            if (name.contains("://")) {
                callOuts.add(new CallOutConfig(EndpointAddress.parse(name), AddressScope.ANY));
            } else {
                named.put(name, UpstreamConfig.of(name, new EndpointConfig(name + TestOrigin.DOMAIN, 80)));
            }
        }
        return new GatewayConfig(
                        1,
                        Transport.NIO,
                        GatewayConfig.DEFAULT_DRAIN,
                        List.of(ListenerConfig.of("test", new BindAddress("127.0.0.1", 0))),
                        all,
                        named,
                        null,
                        AccessLogConfig.DEFAULT)
                .withFilters(FiltersConfig.DEFAULT.withCallOuts(callOuts))
                .withOverload(brownout ? Brownout.CONFIG : null);
    }

    private RequestHead head() {
        String normal = PathNormalizer.normalize(path, PathPolicy.STRICT);
        if (normal == null) {
            throw new IllegalArgumentException("not a path that the gateway accepts: " + path);
        }
        HttpHeaders fields = headers.copy();
        fields.set(HttpHeaderNames.HOST, host);
        RequestHead head = new RequestHead(HttpMethod.valueOf(method), false, path, query, host, fields);
        head.path(normal);
        if (chunked) {
            head.frame(BodyFraming.CHUNKED, 0);
        } else if (!body.isEmpty()) {
            head.frame(BodyFraming.LENGTH, body.get(0).length);
        }
        return head;
    }
}
