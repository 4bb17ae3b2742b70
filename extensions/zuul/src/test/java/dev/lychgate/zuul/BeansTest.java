package dev.lychgate.zuul;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.netflix.zuul.ZuulFilter;
import com.netflix.zuul.context.RequestContext;
import com.netflix.zuul.exception.ZuulException;
import dev.lychgate.Lychgate;
import dev.lychgate.LychgateBuilder;
import dev.lychgate.config.ConfigException;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Filters of Zuul that an application has created, in a gateway inside the application. */
@Tag("slow")
class BeansTest {
    private final ScriptedOrigin origin = ScriptedOrigin.answering(
            (request, connection) -> connection.send(Responses.of(200, "origin", "Content-Type: text/plain")));

    @AfterEach
    void close() {
        origin.close();
    }

    /** A filter with a dependency, which an application context would pass to its constructor. */
    static class Authenticate extends ZuulFilter {
        private final Set<String> tokens;

        Authenticate(Set<String> tokens) {
            this.tokens = tokens;
        }

        @Override
        public String filterType() {
            return "pre";
        }

        @Override
        public int filterOrder() {
            return 1;
        }

        @Override
        public boolean shouldFilter() {
            return true;
        }

        @Override
        public @Nullable Object run() {
            RequestContext context = RequestContext.getCurrentContext();
            String token = context.getRequest().getHeader("x-token");
            if (token == null || !tokens.contains(token)) {
                context.setSendZuulResponse(false);
                context.setResponseStatusCode(401);
                context.setResponseBody("no token");
            } else {
                context.addZuulRequestHeader("x-user", "user of " + token);
            }
            return null;
        }
    }

    /** A class as frameworks generate it for a bean with an aspect. */
    static final class Authenticate$$Generated extends Authenticate {
        Authenticate$$Generated(Set<String> tokens) {
            super(tokens);
        }
    }

    /** A filter that reads the response of the origin. */
    static final class Shout extends ZuulFilter {
        @Override
        public String filterType() {
            return "post";
        }

        @Override
        public int filterOrder() {
            return 1;
        }

        @Override
        public boolean shouldFilter() {
            return RequestContext.getCurrentContext().getResponseDataStream() != null;
        }

        @Override
        public @Nullable Object run() throws ZuulException {
            RequestContext context = RequestContext.getCurrentContext();
            try {
                String body = new String(
                        requireNonNull(context.getResponseDataStream()).readAllBytes(), StandardCharsets.UTF_8);
                context.setResponseBody(body.toUpperCase(Locale.ROOT));
            } catch (IOException e) {
                throw new ZuulException(e, 500, "body");
            }
            return null;
        }
    }

    /** A filter that chooses an upstream. */
    static final class ToUsers extends ZuulFilter {
        @Override
        public String filterType() {
            return "pre";
        }

        @Override
        public int filterOrder() {
            return 2;
        }

        @Override
        public boolean shouldFilter() {
            return true;
        }

        @Override
        public @Nullable Object run() {
            RequestContext.getCurrentContext().set("serviceId", "user-service");
            return null;
        }
    }

    /** A filter with a session, which the gateway does not have. */
    static final class Session extends ZuulFilter {
        @Override
        public String filterType() {
            return "pre";
        }

        @Override
        public int filterOrder() {
            return 2;
        }

        @Override
        public boolean shouldFilter() {
            return true;
        }

        @Override
        public @Nullable Object run() {
            return RequestContext.getCurrentContext().getRequest().getSession();
        }
    }

    /** A filter with the name of a filter that sends the response in Zuul. */
    static final class SendErrorFilter extends ZuulFilter {
        @Override
        public String filterType() {
            return "post";
        }

        @Override
        public int filterOrder() {
            return 1;
        }

        @Override
        public boolean shouldFilter() {
            return true;
        }

        @Override
        public @Nullable Object run() {
            RequestContext.getCurrentContext().setResponseStatusCode(418);
            return null;
        }
    }

    private LychgateBuilder builder() {
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:" + origin.port())
                .route("all", "/**", "origin")
                .workers(1);
    }

    private static RawMessage get(Lychgate gateway, String fieldLines) throws IOException {
        try (RawClient client =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port("main")))) {
            return client.send("GET /a HTTP/1.1\r\nHost: a\r\n" + fieldLines + "\r\n")
                    .readResponse();
        }
    }

    @Test
    void beansRunWithTheirDependencies() throws Exception {
        try (Lychgate gateway = builder()
                .zuulFilters(List.of(new Authenticate(Set.of("secret")), new Shout()))
                .start()) {
            RawMessage refused = get(gateway, "");
            RawMessage passed = get(gateway, "X-Token: secret\r\n");

            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.body()).isEqualTo("no token");
            assertThat(passed.body()).isEqualTo("ORIGIN");
            assertThat(origin.requests())
                    .singleElement()
                    .satisfies(request -> assertThat(request.value("x-user")).contains("user of secret"));
        }
    }

    @Test
    void generatedSubclassHasTheNameOfItsBean() throws Exception {
        try (Lychgate gateway = builder()
                .zuulFilters(List.of(new Authenticate$$Generated(Set.of("secret"))))
                .start()) {
            assertThat(get(gateway, "").status()).isEqualTo(401);
            assertThat(gateway.generation().filters().slots())
                    .anySatisfy(slot -> assertThat(slot.name()).isEqualTo("Authenticate"));
        }
    }

    @Test
    void settingsApplyToBeans() throws Exception {
        try (ScriptedOrigin users =
                        ScriptedOrigin.answering((request, connection) -> connection.send(Responses.ok("users")));
                Lychgate gateway = builder()
                        .upstream("users", "http://127.0.0.1:" + users.port())
                        .zuulFilters(List.of(new ToUsers()), Map.of("vips", Map.of("user-service", "users")))
                        .start()) {
            assertThat(get(gateway, "").body()).isEqualTo("users");
        }
    }

    @Test
    void leavesOutBeansThatTheGatewayReplaces() throws Exception {
        try (Lychgate gateway =
                builder().zuulFilters(List.of(new SendErrorFilter())).start()) {
            assertThat(get(gateway, "").status()).isEqualTo(200);
        }
        try (Lychgate gateway = builder()
                .zuulFilters(List.of(new SendErrorFilter()), Map.of("keep", List.of("SendErrorFilter")))
                .start()) {
            assertThat(get(gateway, "").status()).isEqualTo(418);
        }
    }

    @Test
    void refusesBeanThatNeedsAServletContainer() {
        LychgateBuilder builder = builder().zuulFilters(List.of(new Session()));

        assertThatThrownBy(builder::start)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("BeansTest$Session:")
                .hasMessageContaining("getSession needs a servlet container");
    }

    @Test
    void refusesObjectThatIsNoFilter() {
        LychgateBuilder builder = builder().zuulFilters(List.of(new Shout(), "text"));

        assertThatThrownBy(builder::start).isInstanceOf(ConfigException.class).hasMessageContaining("java.lang.String");
    }
}
