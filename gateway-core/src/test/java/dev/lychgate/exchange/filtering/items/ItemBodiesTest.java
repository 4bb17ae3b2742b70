package dev.lychgate.exchange.filtering.items;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.Side;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.JsonItem;
import dev.lychgate.filter.ServerSentEvent;
import dev.lychgate.filter.TextLine;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines, server-sent events and JSON values of bodies: their changes, their limits, and bodies cut at every byte. */
class ItemBodiesTest {
    private static final int MAX = 1000;

    private final List<String> seen = new ArrayList<>();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private BodyTransform events(Consumer<ServerSentEvent> action) {
        return ItemBodies.events(Side.UPSTREAM, MAX, event -> {
            seen.add(event.getType() + "|" + event.getId() + "|" + event.getRetry() + "|" + event.getData());
            action.accept(event);
        });
    }

    private BodyTransform lines(Consumer<TextLine> action) {
        return ItemBodies.lines(Side.UPSTREAM, MAX, line -> {
            seen.add(line.getText());
            action.accept(line);
        });
    }

    private BodyTransform json(String type, Consumer<JsonItem> action) {
        return ItemBodies.json(Side.UPSTREAM, type, MAX, item -> {
            seen.add(String.valueOf(item.getValue()));
            action.accept(item);
        });
    }

    private static byte[] run(BodyTransform transform, byte[] body, int... cuts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int from = 0;
        for (int cut : cuts) {
            out.writeBytes(transform.piece(Arrays.copyOfRange(body, from, cut)));
            from = cut;
        }
        out.writeBytes(transform.piece(Arrays.copyOfRange(body, from, body.length)));
        out.writeBytes(transform.end());
        transform.close();
        return out.toByteArray();
    }

    private static String run(BodyTransform transform, String body) {
        return new String(run(transform, bytes(body)), StandardCharsets.UTF_8);
    }

    // ---- events

    @Test
    void readsTheFieldsOfEvents() {
        run(events(event -> {}), """
                : a comment
                event: note
                id:7
                retry: 1500
                data: first
                data:second
                data

                data: {"a":1}

                : keep-alive

                id: without data

                data:  two blanks
                retry: soon
                id: a\0b
                """);
        assertThat(seen)
                .containsExactly(
                        "note|7|PT1.5S|first\nsecond\n",
                        "message|null|null|{\"a\":1}",
                        "message|null|null| two blanks");
    }

    @Test
    void passesUnchangedEventsByteForByte() {
        byte[] odd = bytes("\uFEFFdata:x\r\ndata: \u00e4\r\rother: y\n: c\n\ndata\n\r\nid\ndata: z");
        odd[17] = (byte) 0xff;
        assertThat(run(events(event -> {}), odd)).isEqualTo(odd);
        assertThat(seen).hasSize(3);
    }

    @Test
    void changesDropsAndInsertsEvents() {
        String changed = run(
                events(event -> {
                    switch (event.getData()) {
                        case "1" -> event.setData("one\nmore");
                        case "2" -> event.drop();
                        case "3" -> {
                            event.insertBefore("before").setType("b");
                            event.insertAfter("after").setId("9");
                            event.insertAfter("last");
                        }
                        default -> {
                            event.setType(null);
                            event.setId("i");
                            event.setRetry(Duration.ofSeconds(2));
                            event.setJson(Map.of("n", 1));
                        }
                    }
                }),
                ": c\ndata: 1\nx: y\n\ndata: 2\n\ndata: 3\n\nevent: e\ndata: 4\n\n");
        assertThat(changed)
                .isEqualTo(": c\nx: y\ndata: one\ndata: more\n\n"
                        + "event: b\ndata: before\n\ndata: 3\n\nid: 9\ndata: after\n\ndata: last\n\n"
                        + "id: i\nretry: 2000\ndata: {\"n\":1}\n\n");
    }

    @Test
    void keepsTheLineBreaksOfAChangedEvent() {
        String body = "data: 1\r\n\r\ndata: 2\r\n\r\ndata: 3\r\n\r\n";
        assertThat(run(events(e -> e.setData(e.getData() + "0")), body))
                .isEqualTo("data: 10\r\n\r\ndata: 20\r\n\r\ndata: 30\r\n\r\n");
        assertThat(run(events(e -> e.setData("x")), "data: 1\r\r")).isEqualTo("data: x\r\r");
        assertThat(run(events(ServerSentEvent::drop), body)).isEmpty();
    }

    @Test
    void readsTheDataOfAnEventAsJson() {
        run(
                events(event -> assertThat(event.getJson()).isEqualTo(Map.of("a", List.of(1L)))),
                "data: {\"a\":\ndata: [1]}\n\n");
        assertThatThrownBy(() -> run(events(ServerSentEvent::getJson), "data: [DONE]x\n\n"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesFieldsThatWouldEndAnEvent() {
        assertThatThrownBy(() -> run(events(event -> event.setType("a\nb")), "data: 1\n\n"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> run(events(event -> event.setId("a\r")), "data: 1\n\n"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> run(events(event -> event.setId("\0")), "data: 1\n\n"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> run(events(event -> event.setRetry(Duration.ofMillis(-1))), "data: 1\n\n"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n\n", "\r\n\r\n", "\r\r"})
    void passesAnEventOnInTheReadThatCompletesIt(String end) {
        BodyTransform transform = events(event -> {});
        String event = "data: 1" + end;
        byte[] untilReturn = bytes(end.endsWith("\r\n") ? event.substring(0, event.length() - 1) : event);
        assertThat(transform.piece(untilReturn.clone())).isEqualTo(untilReturn);
        assertThat(seen).hasSize(1);
    }

    // ---- lines

    @Test
    void changesDropsAndInsertsLines() {
        Consumer<TextLine> action = line -> {
            switch (line.getText()) {
                case "drop" -> line.drop();
                case "change" -> line.setText("changed");
                case "insert" -> {
                    line.insertBefore("<");
                    line.insertAfter(">");
                }
                default -> {}
            }
        };
        assertThat(run(lines(action), "a\ndrop\nchange\ninsert\n\nend")).isEqualTo("a\nchanged\n<\ninsert\n>\n\nend");
        assertThat(run(lines(action), "a\r\ndrop\r\nchange\r\ninsert\r\nend\r\n"))
                .isEqualTo("a\r\nchanged\r\n<\r\ninsert\r\n>\r\nend\r\n");
        assertThat(run(lines(action), "a\rb\rdrop\rinsert")).isEqualTo("a\rb\r<\ninsert\n>");
        assertThat(run(lines(action), "")).isEmpty();
        assertThatThrownBy(() -> run(lines(line -> line.setText("a\nb")), "x\n"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- JSON

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/problem+json; charset=utf-8", "Application/JSON"})
    void passesTheElementsOfAnArray(String type) {
        String body = " [ {\"a\": \"]},\\\"\"} ,[1,[2]], \"x\\\\\",3.50 ,null,true] \n";
        assertThat(run(json(type, item -> {}), body)).isEqualTo(body);
        assertThat(seen).containsExactly("{a=]},\"}", "[1, [2]]", "x\\", "3.50", "null", "true");
    }

    @Test
    void changesDropsAndInsertsElements() {
        Consumer<JsonItem> action = item -> {
            Object value = item.getValue();
            if (value instanceof Map<?, ?> map) {
                map.remove("secret");
            } else if (value instanceof Long n && n < 0) {
                item.drop();
            } else if (value instanceof String) {
                item.insertBefore(1);
                item.insertAfter(List.of(2));
            } else if (value == null) {
                item.setValue("null");
            }
        };
        String type = "application/json";
        assertThat(run(json(type, action), "[-1, {\"a\":1,\"secret\":2}, \"x\" ,-2, null, -3 ]"))
                .isEqualTo("[ {\"a\":1}, 1,\"x\",[2], \"null\" ]");
        assertThat(run(json(type, action), "[-1,-2]")).isEqualTo("[]");
        assertThat(run(json(type, action), "[]")).isEqualTo("[]");
        assertThat(run(json(type, action), " {\"secret\": 1 } ")).isEqualTo("{}");
        assertThat(run(json(type, action), "")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/x-ndjson", "application/jsonl", "application/stream+json", "text/plain"})
    void readsAValueOnEachLine(String type) {
        String body = "{\"a\": 1}\n\n[1]\r\n7\n{\"a\":\"\u00e4\"}";
        assertThat(run(json(type, item -> {}), body)).isEqualTo(body);
        assertThat(seen).containsExactly("{a=1}", "[1]", "7", "{a=\u00e4}");
        assertThat(run(json(type, item -> item.setValue(List.of())), body)).isEqualTo("[]\n\n[]\r\n[]\n[]");
        assertThat(run(json(type, JsonItem::drop), body)).isEqualTo("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1,]", "[,1]", "[1 2]", "[1,,2]", "[1", "[", "[1,", "[\"a", "[1]x", "[x]", "{\"a\"", "{}{}", "[{]}]"
            })
    void refusesMalformedJson(String body) {
        BodyTransform request = ItemBodies.json(Side.DOWNSTREAM, "application/json", MAX, item -> {});
        assertThatThrownBy(() -> run(request, body))
                .isInstanceOfSatisfying(
                        BodyRefusal.class,
                        refusal -> assertThat(refusal.error().kind()).isEqualTo(ErrorKind.MALFORMED_REQUEST));
        assertThatThrownBy(() -> run(json("application/json", item -> {}), body))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the response body has malformed JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/x-ndjson"})
    void refusesJsonInMalformedUtf8ThatTheOriginCouldReadDifferently(String type) {
        byte[] body = "[\"?\"]\n".getBytes(StandardCharsets.US_ASCII);
        body[2] = (byte) 0xff;
        BodyTransform request = ItemBodies.json(Side.DOWNSTREAM, type, MAX, item -> {});
        assertThatThrownBy(() -> {
                    request.piece(body);
                    request.end();
                })
                .isInstanceOfSatisfying(
                        BodyRefusal.class,
                        refusal -> assertThat(refusal.error().detail())
                                .contains("malformed JSON: invalid UTF-8 at byte")
                                .endsWith("in value 1"));
    }

    @Test
    void namesThePositionOfMalformedJson() {
        assertThatThrownBy(() -> run(json("application/x-ndjson", item -> {}), "{}\n{\"a\":}\n"))
                .hasMessage("the response body has malformed JSON at character 6 of 6, in value 2");
    }

    // ---- limits

    @ParameterizedTest
    @CsvSource({"9, true", "10, false", "11, false"})
    void refusesALineOfARequestBeyondTheLimit(int length, boolean fits) {
        byte[] body = bytes("x".repeat(length) + "\nx\n");
        for (int cut = 0; cut <= body.length; cut++) {
            int[] cuts = {cut};
            BodyTransform transform = ItemBodies.lines(Side.DOWNSTREAM, 10, line -> {});
            if (fits) {
                assertThat(run(transform, body, cuts)).isEqualTo(body);
            } else {
                assertThatThrownBy(() -> run(transform, body, cuts))
                        .isInstanceOfSatisfying(
                                BodyRefusal.class,
                                refusal -> assertThat(refusal.error().kind()).isEqualTo(ErrorKind.BODY_TOO_LARGE))
                        .hasMessage("the request body has a line of more than 10 bytes");
            }
        }
    }

    @Test
    void refusesAnItemOfAResponseBeforeItsEnd() {
        byte[] half = bytes("data: " + "x".repeat(MAX));
        assertThatThrownBy(() -> events(event -> {}).piece(half))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the response body has an event of more than 1000 bytes");
        byte[] element = bytes("[\"" + "x".repeat(MAX));
        assertThatThrownBy(() -> json("application/json", item -> {}).piece(element))
                .hasMessage("the response body has a JSON value of more than 1000 bytes");
        assertThatThrownBy(() -> ItemBodies.lines(Side.UPSTREAM, 0, line -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void countsTheMemoryOfAnIncompleteItemBeyond4KiB() {
        BodyTransform transform = ItemBodies.lines(Side.UPSTREAM, 64 << 10, line -> {});
        transform.piece(bytes("x".repeat(4096)));
        assertThat(transform.heldMemory()).isZero();
        transform.piece(bytes("x".repeat(4096)));
        assertThat(transform.heldMemory()).isBetween(8192L, 16384L);
        transform.piece(bytes("\n"));
        assertThat(transform.heldMemory()).isZero();
        transform.piece(bytes("x".repeat(8192)));
        transform.close();
        assertThat(transform.heldMemory()).isZero();
    }

    // ---- cost

    /** The bytes that this thread allocates in {@code work}. */
    private static long allocated(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void anItemInManyPiecesDoesNotCostItsLengthForEachOfThem() {
        BodyTransform transform = ItemBodies.lines(Side.DOWNSTREAM, 64 << 10, line -> {});
        byte[] piece = {'x'};
        long bytes = allocated(() -> {
            for (int i = 0; i < 64 << 10; i++) {
                transform.piece(piece);
            }
        });
        // About 2 GiB if each chunk allocates the held bytes.
        assertThat(bytes).isLessThan(64 << 20);
    }

    @Test
    void anEventOfManyLinesDoesNotCostItsLengthForEachOfThem() {
        BodyTransform transform = ItemBodies.events(Side.DOWNSTREAM, 128 << 10, event -> {});
        byte[] event = bytes("data\n".repeat(20_000) + "\n");
        // About 200 MiB if each line copies the lines before it.
        assertThat(allocated(() -> transform.piece(event))).isLessThan(32 << 20);
    }

    // ---- cuts

    /** A kind of transform, with an action that changes some items, drops some and inserts some. */
    private enum Kind {
        EVENTS,
        LINES,
        ELEMENTS,
        JSON_LINES
    }

    private BodyTransform changing(Kind kind) {
        return switch (kind) {
            case EVENTS ->
                events(event -> {
                    switch (event.getData().length() % 5) {
                        case 0 -> event.drop();
                        case 1 -> event.setData(event.getData() + "\u20ac\n.");
                        case 2 -> event.insertAfter("after").setType("t");
                        default -> {}
                    }
                });
            case LINES ->
                lines(line -> {
                    switch (line.getText().length() % 5) {
                        case 0 -> line.drop();
                        case 1 -> line.setText(line.getText() + "\u20ac");
                        case 2 -> line.insertBefore("before");
                        case 3 -> line.insertAfter("after");
                        default -> {}
                    }
                });
            case ELEMENTS -> json("application/json", ItemBodiesTest::change);
            case JSON_LINES -> json("application/x-ndjson", ItemBodiesTest::change);
        };
    }

    private static void change(JsonItem item) {
        switch (String.valueOf(item.getValue()).length() % 5) {
            case 0 -> item.drop();
            case 1 -> item.setValue("\u20ac");
            case 2 -> item.insertBefore(List.of(1, 2));
            case 3 -> item.insertAfter(Map.of());
            default -> {}
        }
    }

    private static String body(Kind kind, Random random) {
        String[] parts = switch (kind) {
            case EVENTS ->
                new String[] {
                    "data: ",
                    "data:",
                    "event: a",
                    "id: 1",
                    ": c",
                    "x",
                    "\u20ac",
                    "\ud83d\ude00",
                    "\n",
                    "\n",
                    "\r",
                    "\r\n",
                    "\r\n\r\n",
                    "\n\n",
                    "retry: 5\n",
                    "data: yz\n\n",
                    "\uFEFF"
                };
            case LINES -> new String[] {"a", "bc", "\u20ac", "\ud83d\ude00", "\n", "\r", "\r\n", "\n\r", "", "\uFEFF"};
            case ELEMENTS, JSON_LINES ->
                new String[] {
                    "1", "-2.5", "true", "null", "\"\"", "\"a\\\"]\"", "{}", "{\"a\":[1,{}]}", "[[],2]", "\"\u20ac\""
                };
        };
        StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "\uFEFF" : "");
        String[] blanks = {"", " ", "\n", "\r\n "};
        String[] breaks = {"\n", "\r\n", "\r", "\n\n"};
        int n = 1 + random.nextInt(12);
        text.append(kind == Kind.ELEMENTS ? "[" : "");
        for (int i = 0; i < n; i++) {
            String part = parts[random.nextInt(parts.length)];
            String blank = blanks[random.nextInt(blanks.length)];
            switch (kind) {
                case ELEMENTS ->
                    text.append(i == 0 ? "" : ",").append(blank).append(part).append(blank);
                case JSON_LINES -> text.append(part).append(breaks[random.nextInt(breaks.length)]);
                default -> text.append(part);
            }
        }
        return text.append(kind == Kind.ELEMENTS ? "] " : "").toString();
    }

    /** The result and what the action saw do not depend on the boundaries of chunks. */
    @ParameterizedTest
    @CsvSource({"EVENTS", "LINES", "ELEMENTS", "JSON_LINES"})
    void hasTheSameResultHoweverTheBodyIsCut(Kind kind) {
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            byte[] body = bytes(body(kind, random));
            String name = kind + " of seed " + seed + ": " + new String(body, StandardCharsets.UTF_8);
            byte[] uncut = run(changing(kind), body);
            List<String> items = List.copyOf(seen);
            for (int cut = 0; cut <= body.length; cut++) {
                assertSame(name + " cut at " + cut, kind, body, new int[] {cut}, uncut, items);
            }
            int[] everywhere = new int[body.length];
            Arrays.setAll(everywhere, i -> i + 1);
            assertSame(name + " cut everywhere", kind, body, everywhere, uncut, items);
            for (int i = 0; i < 10; i++) {
                int[] cuts = random.ints(random.nextInt(6), 0, body.length + 1)
                        .sorted()
                        .toArray();
                assertSame(name + " cut at " + Arrays.toString(cuts), kind, body, cuts, uncut, items);
            }
            seen.clear();
        }
    }

    private void assertSame(String name, Kind kind, byte[] body, int[] cuts, byte[] uncut, List<String> items) {
        seen.clear();
        assertThat(run(changing(kind), body, cuts)).as(name).isEqualTo(uncut);
        assertThat(seen).as(name).isEqualTo(items);
    }
}
