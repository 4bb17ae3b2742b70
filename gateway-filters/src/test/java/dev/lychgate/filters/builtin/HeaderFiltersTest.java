package dev.lychgate.filters.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filter.FilterSet;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the filters that set a header field do, and what they refuse. */
class HeaderFiltersTest {
    @Test
    void setsFieldsInPlaceOfTheClientsAndTheOrigins() throws Exception {
        FilterSet filters =
                FilterSet.of(new SetRequestHeader("X-Tier", "gold"), new SetResponseHeader("Server", "lychgate"));
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (request, c) -> c.send("HTTP/1.1 200 OK\r\nServer: origin/1.0\r\nContent-Length: 4\r\n\r\n"
                                + request.value("x-tier").orElse("none")));
                Gateway gateway = Gateway.start(Routes.to(origin.port()), filters, ExchangeObserver.NONE);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Tier: forged\r\nx-tier: twice\r\n\r\n");
            RawMessage answer = client.readResponse();
            assertThat(answer.body()).isEqualTo("gold");
            assertThat(answer.values("server")).containsExactly("lychgate");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "\u00e4"})
    void refusesWhatIsNoFieldName(String name) {
        assertThatThrownBy(() -> new SetRequestHeader(name, "v")).isInstanceOf(ConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "transfer-encoding", "Connection", "Host", "Upgrade"})
    void refusesFieldsThatAreTheGatewaysOwn(String name) {
        assertThatThrownBy(() -> new SetResponseHeader(name, "v"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no field of framing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nset-cookie: x=1", "a\nb", "a\u0000b", "\u010a"})
    void refusesValuesThatCouldEndTheLine(String value) {
        assertThatThrownBy(() -> new SetResponseHeader("x-a", value)).isInstanceOf(ConfigException.class);
    }
}
