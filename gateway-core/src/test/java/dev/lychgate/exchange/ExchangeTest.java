package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.exchange.state.Phase;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The state machine of an exchange as a table: events of client, origin and time, the events at the client, and the end. After
 * each row every possible late event occurs, and must have no effect.
 */
@Tag("slow")
class ExchangeTest {
    private static final String OK = " says:HTTP/1.1_200_OK~Content-Length:_2~~hi ";
    private static final String HEAD = " says:HTTP/1.1_200_OK~Content-Length:_2~~ ";

    private record Row(String sentence, String events, String seen, String outcome) {
        @Override
        public String toString() {
            return sentence;
        }
    }

    private static Row row(String sentence, String events, String seen, String outcome) {
        return new Row(sentence, events, seen, outcome);
    }

    static Stream<Row> whole() {
        return Stream.of(
                row(
                        "a GET gets a response",
                        "GET/api/x connects" + OK,
                        "200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "a GET takes a pooled connection at once",
                        "pooled GET/api/x" + OK,
                        "200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "a body waits unread for a connection",
                        "POST/api/x connects piece piece end" + OK,
                        "pause resume 200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "a body flows at once over a pooled connection",
                        "pooled POST/api/x piece end" + OK,
                        "200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "in a crowd a GET waits for the next turn",
                        "pooled crowd GET/api/x turn" + OK,
                        "200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "in a crowd a body waits unread for the next turn",
                        "pooled crowd POST/api/x turn piece end" + OK,
                        "pause resume 200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "a request in a crowd may wait for a connection afterwards",
                        "crowd POST/api/x turn connects piece end" + OK,
                        "pause pause resume 200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "a response streams in chunks",
                        "GET/api/x connects" + HEAD + "says:h says:i",
                        "200 'h' 'i' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "trailers are passed on",
                        "GET/api/x connects says:HTTP/1.1_200_OK~Transfer-Encoding:_chunked~~2~hi~0~T:_1~~",
                        "200 'hi' trailers over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "interim responses pass before the final one",
                        "GET/api/x connects says:HTTP/1.1_103_Hints~~HTTP/1.1_100_Go~~" + OK,
                        "103 100 200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "a response to HEAD has no body",
                        "HEAD/api/x connects" + HEAD,
                        "200 end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "a connection with close is not kept",
                        "GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_0~Connection:_close~~",
                        "200 end over",
                        "200 - x1 DONE/DONE kept 0"),
                row(
                        "a connection with excess bytes is not kept",
                        "GET/api/x connects says:HTTP/1.1_200_OK~Content-Length:_2~~hi,and_more",
                        "200 'hi' end over",
                        "200 - x1 DONE/DONE kept 0"),
                row(
                        "a response may end with its connection",
                        "GET/api/x connects says:HTTP/1.1_200_OK~~all hangs-up",
                        "200 'all' end over",
                        "200 - x1 DONE/DONE kept 0"),
                row(
                        "an early response ends the exchange and the connection",
                        "POST/api/x connects piece" + OK,
                        "pause resume 200 'hi' end over-early",
                        "200 - x1 ABORTED/DONE kept 0"),
                row(
                        "an early head does not stop the upload",
                        "POST/api/x connects piece" + HEAD + "piece end says:hi",
                        "pause resume 200 'hi' end over",
                        "200 - x1 DONE/DONE kept 1"),
                row(
                        "a fixed response needs no origin",
                        "GET/local",
                        "200 'local' end over",
                        "200 - x0 DONE/DONE kept 0"),
                row("a fixed response to HEAD has no body", "HEAD/local", "200 end over", "200 - x0 DONE/DONE kept 0"),
                row(
                        "a fixed response does not wait for the body",
                        "POST/local piece end",
                        "200 'local' end over-early",
                        "200 - x0 ABORTED/DONE kept 0"),
                row(
                        "a request without a route is not found",
                        "GET/nowhere",
                        "404 problem end over",
                        "404 no-route x0 DONE/DONE kept 0"));
    }

    static Stream<Row> faultsOfTheOrigin() {
        return Stream.of(
                row("refused", "GET/api/x refuses", "502 problem end over", "502 connect-refused x1 DONE/DONE kept 0"),
                row(
                        "refused while a body waits",
                        "POST/api/x refuses",
                        "pause 502 problem end over-early",
                        "502 connect-refused x1 ABORTED/DONE kept 0"),
                row(
                        "closed before a response",
                        "GET/api/x connects hangs-up",
                        "502 problem end over",
                        "502 origin-reset x1 DONE/DONE kept 0"),
                row(
                        "closed within the upload",
                        "POST/api/x connects piece hangs-up",
                        "pause resume 502 problem end over-early",
                        "502 origin-reset x1 ABORTED/DONE kept 0"),
                row(
                        "closed within the response",
                        "GET/api/x connects" + HEAD + "says:h hangs-up",
                        "200 'h' abort",
                        "200 origin-reset x1 DONE/ABORTED kept 0"),
                row(
                        "garbage instead of a response",
                        "GET/api/x connects says:nonsense~~",
                        "502 problem end over",
                        "502 malformed-response x1 DONE/DONE kept 0"),
                row(
                        "garbage within the response",
                        "GET/api/x connects says:HTTP/1.1_200_OK~Transfer-Encoding:_chunked~~2~hi~x~",
                        "200 'hi' abort",
                        "200 malformed-response x1 DONE/ABORTED kept 0"),
                row(
                        "closed after an interim response",
                        "pooled GET/api/x says:HTTP/1.1_103_Hints~~ hangs-up",
                        "103 502 problem end over",
                        "502 origin-reset x1 DONE/DONE kept 0"),
                row(
                        "a stale connection for a GET: a repetition on a fresh one",
                        "pooled GET/api/x hangs-up connects" + OK,
                        "200 'hi' end over",
                        "200 - x2 DONE/DONE kept 1"),
                row(
                        "a stale connection for a GET, and the fresh one fails too",
                        "pooled GET/api/x hangs-up connects hangs-up",
                        "502 problem end over",
                        "502 origin-reset x2 DONE/DONE kept 0"),
                row(
                        "a stale connection for a GET, without a fresh one",
                        "pooled GET/api/x hangs-up refuses",
                        "502 problem end over",
                        "502 connect-refused x2 DONE/DONE kept 0"),
                row(
                        "a stale connection for a POST: no repetition",
                        "pooled POST/api/x hangs-up",
                        "502 problem end over-early",
                        "502 origin-reset x1 ABORTED/DONE kept 0"),
                row(
                        "a stale connection for a POST that has been sent",
                        "pooled POST/api/x piece end hangs-up",
                        "502 problem end over",
                        "502 origin-reset x1 DONE/DONE kept 0"),
                row(
                        "a fresh connection that closes causes no repetition",
                        "GET/api/x connects hangs-up",
                        "502 problem end over",
                        "502 origin-reset x1 DONE/DONE kept 0"));
    }

    static Stream<Row> clientsAndTime() {
        return Stream.of(
                row("left while connecting", "GET/api/x leaves", "", "499 client-gone x1 DONE/ABORTED kept 0"),
                row(
                        "left while its body waited",
                        "POST/api/x leaves connects",
                        "pause",
                        "499 client-gone x1 ABORTED/ABORTED kept 1"),
                row(
                        "left before its turn",
                        "pooled crowd GET/api/x leaves turn",
                        "",
                        "499 client-gone x1 DONE/ABORTED kept 1"),
                row(
                        "time was up before its turn",
                        "pooled crowd GET/api/x time turn",
                        "504 problem end over",
                        "504 exchange-timeout x1 DONE/DONE kept 1"),
                row(
                        "left within its upload",
                        "POST/api/x connects piece leaves",
                        "pause resume",
                        "499 client-gone x1 ABORTED/ABORTED kept 0"),
                row(
                        "left while the origin processed the request",
                        "GET/api/x connects leaves",
                        "",
                        "499 client-gone x1 DONE/ABORTED kept 0"),
                row(
                        "left within its response",
                        "GET/api/x connects" + HEAD + "says:h leaves",
                        "200 'h'",
                        "200 client-gone x1 DONE/ABORTED kept 0"),
                row(
                        "left between two attempts",
                        "pooled GET/api/x hangs-up leaves",
                        "",
                        "499 client-gone x2 DONE/ABORTED kept 0"),
                row(
                        "malformed before the response",
                        "POST/api/x connects piece breaks",
                        "pause resume 400 problem end over-early",
                        "400 malformed-request x1 ABORTED/DONE kept 0"),
                row(
                        "malformed within the response",
                        "POST/api/x connects piece" + HEAD + "breaks",
                        "pause resume 200 abort",
                        "200 malformed-request x1 ABORTED/ABORTED kept 0"),
                row(
                        "time was up while connecting",
                        "GET/api/x time",
                        "504 problem end over",
                        "504 exchange-timeout x1 DONE/DONE kept 0"),
                row(
                        "time was up within the upload",
                        "POST/api/x connects piece time",
                        "pause resume 504 problem end over-early",
                        "504 exchange-timeout x1 ABORTED/DONE kept 0"),
                row(
                        "time was up while the origin processed the request",
                        "GET/api/x connects time",
                        "504 problem end over",
                        "504 exchange-timeout x1 DONE/DONE kept 0"),
                row(
                        "time was up within the response",
                        "GET/api/x connects" + HEAD + "says:h time",
                        "200 'h' abort",
                        "200 exchange-timeout x1 DONE/ABORTED kept 0"),
                row(
                        "time was up between two attempts",
                        "pooled GET/api/x hangs-up time",
                        "504 problem end over",
                        "504 exchange-timeout x2 DONE/DONE kept 0"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"whole", "faultsOfTheOrigin", "clientsAndTime"})
    void ends(Row row) {
        try (Stage stage = new Stage(FilterSet.EMPTY)) {
            stage.play(row.events());
            assertEnded(stage, row);
            List<String> before = stage.client().seen();
            stage.play("piece end piece fast leaves breaks turn time time");
            if (stage.origins().open() > 0) {
                stage.play("says:HTTP/1.1_200_OK~Content-Length:_6~~poison hangs-up");
            }
            while (stage.origins().connecting() > 0) {
                stage.play("connects");
            }
            assertThat(stage.client().seen()).isEqualTo(before);
            assertThat(stage.timesObserved()).isEqualTo(1);
            assertThat(stage.heldPieces()).isZero();
            assertThat(stage.pool0().busy()).isZero();
        }
    }

    private static void assertEnded(Stage stage, Row row) {
        assertThat(String.join(" ", stage.client().seen())).isEqualTo(row.seen());
        assertThat(stage.outcome()).isEqualTo(row.outcome());
        assertThat(stage.exchange().record().phase()).isEqualTo(Phase.CLOSED);
        assertThat(stage.timesObserved()).isEqualTo(1);
        assertThat(stage.pool0().busy()).isZero();
        assertThat(stage.pool0().pending()).isZero();
        assertThat(stage.heldPieces()).isZero();
    }
}
