package dev.lychgate.zuul;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.zuul.servlet.RequestView;
import dev.lychgate.zuul.servlet.ResponseView;
import org.junit.jupiter.api.Test;

/** The servlet response as filters write it. */
class ResponseViewTest {
    private final ResponseView response = new ResponseView(new RequestView());

    @Test
    void datesHaveTheFormatOfHttp() {
        response.setDateHeader("Expires", 0);

        assertThat(response.getHeader("expires")).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
    }

    @Test
    void theLengthIncludesTextThatTheWriterBuffers() {
        response.setCharacterEncoding("UTF-8");
        response.getWriter().print("caf\u00e9");

        assertThat(response.length()).isEqualTo(5);
        assertThat(response.written()).isEqualTo("caf\u00e9".getBytes(UTF_8));
    }
}
