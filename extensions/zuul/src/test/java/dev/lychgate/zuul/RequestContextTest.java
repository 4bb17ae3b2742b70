package dev.lychgate.zuul;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.util.Pair;
import com.netflix.zuul.context.Debug;
import com.netflix.zuul.context.RequestContext;
import com.netflix.zuul.exception.ZuulException;
import com.netflix.zuul.util.HTTPRequestUtils;
import java.io.ByteArrayInputStream;
import java.net.URL;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The map of the context: the keys and defaults that filters of Zuul rely on, as Zuul 1.3.1 has them. */
class RequestContextTest {
    private final RequestContext context = new RequestContext();

    @AfterEach
    void clear() {
        RequestContext.testSetCurrentContext(null);
        RequestContext.getCurrentContext().unset();
    }

    @Test
    void hasTheDefaultsOfZuul() {
        assertThat(context.sendZuulResponse()).isTrue();
        assertThat(context.getResponseGZipped()).isTrue();
        assertThat(context.getResponseStatusCode()).isEqualTo(500);
        assertThat(context.getZuulEngineRan()).isFalse();
        assertThat(context.getOriginContentLength()).isNull();
        assertThat(context.isChunkedRequestBody()).isFalse();
        assertThat(context.getBoolean("missing")).isFalse();
        assertThat(context.getBoolean("missing", true)).isTrue();
        assertThat(context.debugRouting() || context.debugRequest() || context.debugRequestHeadersOnly())
                .isFalse();
        assertThat(context.getThrowable()).isNull();
        assertThat(context.getRequestQueryParams()).isNull();
    }

    @Test
    void storesValuesUnderTheKeysOfZuul() throws Exception {
        context.setZuulEngineRan();
        context.setThrowable(new IllegalStateException("x"));
        context.setDebugRouting(true);
        context.setDebugRequest(true);
        context.setDebugRequestHeadersOnly(true);
        context.setRouteHost(new URL("http://a"));
        context.setResponseBody("x");
        context.setResponseDataStream(new ByteArrayInputStream(new byte[0]));
        context.setResponseGZipped(false);
        context.setSendZuulResponse(false);
        context.setResponseStatusCode(404);
        context.addZuulRequestHeader("A-B", "c");
        context.addZuulResponseHeader("A-B", "c");
        context.addOriginResponseHeader("A", "c");
        context.setOriginContentLength("twelve");
        assertThat(context.getOriginContentLength()).isNull();
        context.setOriginContentLength("12");
        context.setChunkedRequestBody();
        context.setRequestQueryParams(Map.of("a", List.of("b")));
        context.addFilterExecutionSummary("n", "SUCCESS", 3);
        context.addFilterExecutionSummary("m", "FAILED", 4);
        context.set("flag");
        context.set("value", 1);

        assertThat(context.keySet())
                .containsExactlyInAnyOrder(
                        "zuulEngineRan",
                        "throwable",
                        "debugRouting",
                        "debugRequest",
                        "debugRequestHeadersOnly",
                        "routeHost",
                        "responseBody",
                        "responseDataStream",
                        "responseGZipped",
                        "sendZuulResponse",
                        "responseStatusCode",
                        "zuulRequestHeaders",
                        "zuulResponseHeaders",
                        "originResponseHeaders",
                        "originContentLength",
                        "chunkedRequestBody",
                        "requestQueryParams",
                        "executedFilters",
                        "flag",
                        "value");
        assertThat(context.getZuulRequestHeaders()).containsExactly(Map.entry("a-b", "c"));
        assertThat(context.getZuulResponseHeaders()).containsExactly(new Pair<>("A-B", "c"));
        assertThat(context.getOriginContentLength()).isEqualTo(12);
        assertThat(context.getFilterExecutionSummary()).hasToString("n[SUCCESS][3ms], m[FAILED][4ms]");
        context.removeRouteHost();
        context.set("value", null);
        assertThat(context).doesNotContainKeys("routeHost", "value");
    }

    @Test
    void copyIsIndependentOfLaterChanges() {
        context.addZuulRequestHeader("a", "1");
        RequestContext copy = context.copy();
        context.addZuulRequestHeader("b", "2");
        context.set("later");

        assertThat(copy.getZuulRequestHeaders()).containsExactly(Map.entry("a", "1"));
        assertThat(copy).doesNotContainKey("later");
    }

    @Test
    void threadsDoNotInheritTheContext() throws Exception {
        RequestContext.getCurrentContext().set("own");
        boolean[] inherited = new boolean[1];
        Thread other = new Thread(
                () -> inherited[0] = RequestContext.getCurrentContext().containsKey("own"));
        other.start();
        other.join();

        assertThat(inherited[0]).isFalse();
        assertThat(RequestContext.getCurrentContext()).containsKey("own");
    }

    @Test
    void debugNotesNameAddedAndChangedKeys() {
        RequestContext.testSetCurrentContext(context);
        context.set("a", 1);
        RequestContext before = context.copy();
        context.set("a", 2);
        context.set("b", 3);
        Debug.addRequestDebug("request");
        Debug.compareContextState("F", before);

        assertThat(Debug.getRequestDebug()).containsExactly("request");
        assertThat(Debug.getRoutingDebug()).containsExactlyInAnyOrder("{F} changed a=2", "{F} added b=3");
    }

    @Test
    void firstForwardedAddressIsTheClient() {
        HTTPRequestUtils utils = HTTPRequestUtils.getInstance();

        assertThat(utils.extractClientIpFromXForwardedFor(" 192.0.2.1, 192.0.2.2"))
                .isEqualTo("192.0.2.1");
        assertThat(utils.extractClientIpFromXForwardedFor(" ")).isNull();
        assertThat(utils.isGzipped("gzip")).isTrue();
        assertThat(utils.isGzipped(null)).isFalse();
    }

    @Test
    void exceptionHasStatusAndCause() {
        ZuulException wrapped = new ZuulException(new IllegalStateException("inner"), 502, "why");

        assertThat(wrapped).hasMessage("inner");
        assertThat(wrapped.nStatusCode).isEqualTo(502);
        assertThat(wrapped.errorCause).isEqualTo("why");
    }
}
