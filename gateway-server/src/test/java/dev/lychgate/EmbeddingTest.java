package dev.lychgate;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import dev.lychgate.config.Transport;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An embedded gateway with filters of the application, and with client and origin of other libraries. */
@Tag("slow")
class EmbeddingTest {
    @Test
    void runsInsideAnApplicationWithItsFilterObjects() throws Exception {
        WireMockServer origin =
                new WireMockServer(options().bindAddress("127.0.0.1").dynamicPort());
        origin.start();
        try (Lychgate gateway = Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:" + origin.port())
                .route("orders", "/orders/**", "origin")
                .filter(new Tenant())
                .filter(new Branding())
                .workers(1)
                .transport(Transport.NIO)
                .start()) {
            origin.stubFor(post(urlEqualTo("/orders/7?dry=true"))
                    .willReturn(aResponse().withStatus(201).withBody("made")));
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + gateway.port("main") + "/orders/7?dry=true"))
                    .version(HttpClient.Version.HTTP_1_1)
                    .POST(BodyPublishers.ofString("an order"))
                    .build();
            HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(201);
            assertThat(response.body()).isEqualTo("made");
            assertThat(response.headers().firstValue("x-served-by")).hasValue("lychgate");
            origin.verify(postRequestedFor(urlEqualTo("/orders/7?dry=true"))
                    .withHeader("x-tenant", equalTo("acme"))
                    .withRequestBody(equalTo("an order")));
            assertThat(gateway.gateway().transport()).isEqualTo("nio");
        } finally {
            origin.stop();
        }
    }

    private static final class Tenant implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getRequest().getHeaders().set("x-tenant", "acme");
            return exchange.proceed();
        }
    }

    private static final class Branding implements OutboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().getHeaders().set("x-served-by", "lychgate");
            return exchange.proceed();
        }
    }
}
