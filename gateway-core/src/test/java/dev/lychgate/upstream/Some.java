package dev.lychgate.upstream;

import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Some exchange that an endpoint is chosen for. */
final class Some implements BalanceContext {
    private final RequestHead head;
    private final InetAddress address;
    private final Set<Endpoint> tried = new HashSet<>();
    private @Nullable Endpoint preferred;

    private Some(RequestHead head, InetAddress address) {
        this.head = head;
        this.address = address;
    }

    /** A request of no interest from one of many clients. */
    static Some client(int number) {
        return new Some(
                head("/", null, new DefaultHttpHeaders()),
                address("10." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255)));
    }

    static Some from(String address) {
        return new Some(head("/", null, new DefaultHttpHeaders()), address(address));
    }

    static Some target(String path, @Nullable String query) {
        return new Some(head(path, query, new DefaultHttpHeaders()), address("10.0.0.1"));
    }

    static Some field(String name, String value) {
        return new Some(head("/", null, new DefaultHttpHeaders().add(name, value)), address("10.0.0.1"));
    }

    private static RequestHead head(String path, @Nullable String query, HttpHeaders headers) {
        return new RequestHead(HttpMethod.GET, false, path, query, "a.example", headers);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Chooses for {@code context}; requires a result. */
    static Endpoint request(LoadBalancer balancer, BalanceContext context) {
        Endpoint chosen = balancer.choose(context);
        if (chosen == null) {
            throw new AssertionError("no endpoint was chosen");
        }
        return chosen;
    }

    Some tries(Endpoint endpoint) {
        tried.add(endpoint);
        return this;
    }

    Some prefers(Endpoint endpoint) {
        preferred = endpoint;
        return this;
    }

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public InetAddress clientAddress() {
        return address;
    }

    @Override
    public boolean isFirst() {
        return tried.isEmpty();
    }

    @Override
    public boolean tried(Endpoint endpoint) {
        return tried.contains(endpoint);
    }

    @Override
    public @Nullable Endpoint preferred(EndpointSet set) {
        return preferred;
    }
}
