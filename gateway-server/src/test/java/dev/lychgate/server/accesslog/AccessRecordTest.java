package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.http.HttpVersion;
import dev.lychgate.http.RequestHead;
import dev.lychgate.server.accesslog.AccessRecord.Request;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.junit.jupiter.api.Test;

class AccessRecordTest {
    @Test
    void truncatesEveryTextOfTheClient() {
        String text = "x".repeat(9_000);
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        headers.add("user-agent", text).add("referer", text);

        Request request = Request.of(new RequestHead(HttpMethod.valueOf(text), false, text, text, text, headers));

        assertThat(request)
                .isEqualTo(new Request(
                        first(64),
                        first(256),
                        first(2_048),
                        first(2_048),
                        HttpVersion.HTTP_1_1,
                        first(512),
                        first(1_024)));
    }

    @Test
    void recordsTheMethodOfTheClient() {
        RequestHead head = new RequestHead(HttpMethod.GET, false, "/", null, "a", new DefaultHttpHeaders());
        head.method(HttpMethod.HEAD);

        assertThat(Request.of(head).method()).isEqualTo("GET");
    }

    private static String first(int length) {
        return "x".repeat(length) + "...";
    }
}
