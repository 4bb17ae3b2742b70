package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.fuzz.MemoryGateway.Outcome;
import dev.lychgate.fuzz.Message.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A client sends a request, and an origin responds with arbitrary bytes; then the client sends another request. The client has
 * to receive the origin's response, complete if and only if the origin's was, or an error of the gateway. The second response
 * must not depend on the first.
 */
final class ResponseConversation {
    /** The origin resets the connection after all its bytes. */
    private static final int RESET = 8;
    /** The origin leaves the connection open after all its bytes. */
    private static final int OPEN = 16;
    /** The client reads its response only now and then. */
    private static final int SLOW = 32;

    /** The request, and the continuation after the response of the origin. */
    private record Question(boolean toHead, boolean http10, String begin, String rest) {
        static Question whole(String method, String version, String fields) {
            return new Question(
                    method.equals("HEAD"), version.equals("1.0"), method + " /first HTTP/" + version + fields, "");
        }
    }

    private static final Question[] QUESTIONS = {
        Question.whole("GET", "1.1", "\r\nHost: a\r\n\r\n"),
        Question.whole("HEAD", "1.1", "\r\nHost: a\r\n\r\n"),
        Question.whole("POST", "1.1", "\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"),
        new Question(
                false,
                false,
                "POST /first HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
                "0\r\n\r\n"),
        Question.whole("GET", "1.0", "\r\n\r\n"),
        Question.whole("GET", "1.0", "\r\nConnection: keep-alive\r\n\r\n"),
        Question.whole("HEAD", "1.0", "\r\nConnection: keep-alive\r\n\r\n"),
        new Question(
                false,
                false,
                "POST /first HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n",
                "abc"),
    };

    private static final byte[] SECOND = bytes("GET /second HTTP/1.1\r\nHost: a\r\n\r\n");
    private static final byte[] SECOND_ANSWER = bytes("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecond");
    /** The fields that the gateway itself adds. */
    private static final Set<String> OURS =
            Set.of("content-length", "transfer-encoding", "connection", "date", "x-request-id");

    private final MemoryGateway gateway;
    private final MemoryChannel client;
    private final Delivery delivery;
    private final Question question;
    private final int how;

    private ResponseConversation(byte[] fuzzCase) {
        delivery = Delivery.of(fuzzCase);
        how = fuzzCase[0];
        question = QUESTIONS[fuzzCase[1] & 7];
        gateway = new MemoryGateway();
        client = gateway.client();
    }

    /**
     * Runs the conversation.
     *
     * @throws Finding if it violates a rule
     */
    static void hold(byte[] fuzzCase) {
        if (fuzzCase.length > 2) {
            ResponseConversation conversation = new ResponseConversation(fuzzCase);
            conversation.talk();
            conversation.judge();
            conversation.gateway.close();
        }
    }

    private boolean is(int flag) {
        return (how & flag) != 0;
    }

    private void talk() {
        send(bytes(question.begin()));
        gateway.origins().accept();
        gateway.settle();
        MemoryChannel origin = gateway.origins().connections().get(0);
        boolean taking = true;
        while (!delivery.isOver() && origin.isActive()) {
            if (is(SLOW)) {
                taking = !taking;
                client.takes(taking);
            }
            if (origin.isRead()) {
                delivery.sendTo(origin);
            }
            gateway.settle();
        }
        client.takes(true);
        gateway.settle();
        if (!is(OPEN) && origin.isActive()) {
            if (is(RESET)) {
                origin.peerResets();
            } else {
                origin.peerCloses();
            }
        }
        gateway.settle();
        send(bytes(question.rest()));
        send(SECOND);
        gateway.origins().accept();
        gateway.settle();
        for (MemoryChannel next : List.copyOf(gateway.origins().connections())) {
            if (next.isActive() && new String(next.sent(), ISO_8859_1).contains("GET /second ")) {
                next.arrive(SECOND_ANSWER, 0, SECOND_ANSWER.length);
            }
        }
        gateway.settle();
    }

    private void send(byte[] bytes) {
        if (client.isActive() && bytes.length > 0) {
            client.arrive(bytes, 0, bytes.length);
            gateway.settle();
        }
    }

    // ---- assertions

    private void judge() {
        boolean closed = !is(OPEN) && !is(RESET);
        List<Message> given = StrictReader.answers(delivery.bytes(), 0, false, question.toHead(), closed);
        byte[] sent = client.sent();
        boolean over = !client.isActive() || client.isOutputShutdown();
        List<Message> got = StrictReader.answers(sent, 0, true, question.toHead(), over && !client.isReset());
        got.forEach(m -> Finding.unless(m.end != Message.End.FAULTY, "the client got %s, given was %s", m, given));
        interimAnswersWereGiven(got, given);
        Message answer = last(got);
        if (!answer.isWhole() || answer.isInterim()) {
            Finding.unless(over || is(OPEN), "neither a response nor an end: %s for %s", got, given);
            if (answer.headRead && !answer.isInterim()) {
                isPartOf(answer, last(given));
            }
            return;
        }
        judge(answer, 0, given);
        boolean persistent = !answer.lists("connection", "close") && !answer.untilClose;
        if (answer.next < sent.length) {
            List<Message> second = StrictReader.answers(sent, answer.next, true, false, false);
            Finding.unless(last(second).isWhole(), "an incomplete second response: %s", second);
            judge(last(second), 1, StrictReader.answers(SECOND_ANSWER, 0, false, false, false));
            Finding.unless(last(second).next == sent.length, "bytes after the second response: %s", second);
        } else {
            Finding.unless(over || !persistent, "no second response after %s for %s", answer, given);
        }
    }

    private static Message last(List<Message> messages) {
        return messages.isEmpty() ? new Message() : messages.get(messages.size() - 1);
    }

    private void interimAnswersWereGiven(List<Message> got, List<Message> given) {
        List<Integer> there =
                given.stream().filter(Message::isInterim).map(Message::status).toList();
        List<Integer> here = got.stream()
                .filter(m -> m.isInterim() && m.isWhole())
                .map(Message::status)
                .toList();
        Finding.unless(here.isEmpty() || !question.http10(), "an interim response to HTTP/1.0");
        Finding.unless(
                here.size() <= there.size() && here.equals(there.subList(0, here.size())),
                "interim %s of %s",
                here,
                there);
    }

    /** A complete response equals the origin's, to the last byte, or is one of the gateway. */
    private void judge(Message answer, int number, List<Message> given) {
        Finding.unless(
                gateway.outcomes().size() > number, "a complete response, but the exchange continues: %s", answer);
        Outcome outcome = gateway.outcomes().get(number);
        Finding.unless(answer.status() == outcome.status(), "status %s, recorded %d", answer, outcome.status());
        if (outcome.error() == null) {
            Message original = last(given);
            if (original.status() == 205) {
                // The response is complete with its head; content is dropped, regardless of its framing.
                isPartOf(answer, original);
                Finding.unless(answer.body.length == 0, "%s of %s", answer, original);
                return;
            }
            Finding.unless(original.isWhole(), "a complete response %s from %s", answer, original);
            isPartOf(answer, original);
            Finding.unless(answer.body.length == original.body.length, "%s of %s", answer, original);
        } else {
            boolean problem = "application/problem+json".equals(answer.value("content-type"));
            String body = new String(answer.body, ISO_8859_1);
            boolean ours = body.contains(outcome.requestId()) && body.endsWith("}\n");
            Finding.unless(problem && (ours || outcome.toHead()), "made up: %s %s", answer, body);
        }
    }

    private static void isPartOf(Message answer, Message original) {
        int length = answer.body.length;
        Finding.unless(
                answer.status() == original.status()
                        && length <= original.body.length
                        && Arrays.equals(answer.body, Arrays.copyOf(original.body, length)),
                "%s is no part of %s",
                answer,
                original);
        for (Field field : answer.fields) {
            boolean known = OURS.contains(field.name().toLowerCase(Locale.ROOT)) || original.fields.contains(field);
            Finding.unless(known, "%s was not in %s", field, original);
        }
        for (Field field : answer.trailers) {
            Finding.unless(original.trailers.contains(field), "trailer %s was not in %s", field, original);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }
}
