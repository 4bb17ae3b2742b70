package dev.lychgate.filters.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the filters that set a header field do, and what they refuse. */
class HeaderFiltersTest {
    @Test
    void setsAFieldOfTheRequestInPlaceOfTheClients() {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.add("X-Tier", "forged").add("x-tier", "twice");
        RequestHead head = new RequestHead(HttpMethod.GET, false, "/", null, "a", headers);

        assertThat(new SetRequestHeader("X-Tier", "gold").filter(head)).isSameAs(FilterOutcome.PROCEED);

        assertThat(headers.getAll("x-tier")).containsExactly("gold");
    }

    @Test
    void setsAFieldOfTheAnswerInPlaceOfTheOrigins() {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.add("server", "origin/1.0");

        new SetResponseHeader("Server", "lychgate").filter(new ResponseHead(200, "OK", headers));

        assertThat(headers.getAll("server")).containsExactly("lychgate");
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
