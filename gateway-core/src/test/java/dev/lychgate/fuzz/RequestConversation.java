package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.fuzz.MemoryGateway.Outcome;
import dev.lychgate.fuzz.Message.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client sends arbitrary bytes; an origin responds to every request. The origin has to receive unambiguous requests, each of
 * which the client has sent with the same length.
 */
final class RequestConversation {
    /** The origin responds after it has read the head, without waiting for the body. */
    private static final int EARLY = 8;
    /** The origin reads only now and then. */
    private static final int SLOW = 16;
    /** The origin accepts no connection before the client has sent all its bytes. */
    private static final int LATE = 32;

    private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(ISO_8859_1);
    private static final Set<String> NEVER_FORWARDED =
            Set.of("connection", "keep-alive", "proxy-connection", "te", "upgrade", "proxy-authorization");
    /** The fields that the gateway itself adds. */
    private static final Set<String> OURS = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "max-forwards",
            "via",
            "x-request-id",
            "x-forwarded-for",
            "x-forwarded-proto",
            "x-forwarded-host",
            "x-forwarded-port");

    private final MemoryGateway gateway;
    private final Map<MemoryChannel, Integer> answered = new HashMap<>();
    private final Map<MemoryChannel, Integer> seen = new HashMap<>();
    private final Delivery delivery;
    private final int how;
    private boolean taking = true;

    private RequestConversation(byte[] fuzzCase) {
        delivery = Delivery.of(fuzzCase);
        how = fuzzCase[0];
        gateway = new MemoryGateway();
    }

    /**
     * Runs the conversation.
     *
     * @throws Finding if it violates a rule
     */
    static void hold(byte[] fuzzCase) {
        if (fuzzCase.length > 2) {
            RequestConversation conversation = new RequestConversation(fuzzCase);
            conversation.talk();
            conversation.judge();
            conversation.gateway.close();
        }
    }

    private boolean is(int flag) {
        return (how & flag) != 0;
    }

    private void talk() {
        MemoryChannel client = gateway.client();
        boolean moved = true;
        while (moved) {
            boolean sends = !delivery.isOver() && client.isRead();
            if (sends) {
                delivery.sendTo(client);
            }
            boolean letIn = (!is(LATE) || !sends) && gateway.origins().accept();
            boolean replied = answer();
            boolean changed = changeTaking(sends);
            boolean begun = gateway.settle();
            moved = sends || letIn || replied || changed || begun;
        }
    }

    /** A slow origin reads some bytes every other time, and all of them in the end. */
    private boolean changeTaking(boolean sends) {
        if (!is(SLOW) || gateway.origins().connections().isEmpty() || (taking && !sends)) {
            return false;
        }
        taking = !taking;
        gateway.origins().connections().forEach(c -> c.takes(taking));
        return true;
    }

    private boolean answer() {
        boolean any = false;
        for (MemoryChannel origin : List.copyOf(gateway.origins().connections())) {
            byte[] sent = origin.sent();
            if (sent.length == seen.getOrDefault(origin, 0)) {
                continue;
            }
            seen.put(origin, sent.length);
            long due = StrictReader.forwarded(sent).stream()
                    .filter(r -> is(EARLY) ? r.headRead : r.isWhole())
                    .count();
            while (answered.getOrDefault(origin, 0) < due && origin.isActive()) {
                answered.merge(origin, 1, Integer::sum);
                origin.arrive(ANSWER, 0, ANSWER.length);
                any = true;
            }
        }
        return any;
    }

    // ---- assertions

    private void judge() {
        List<Message> asked = StrictReader.requests(delivery.bytes());
        List<Message> forwarded = new ArrayList<>();
        for (MemoryChannel origin : gateway.origins().connections()) {
            List<Message> here = StrictReader.forwarded(origin.sent());
            int end = here.isEmpty() ? 0 : here.get(here.size() - 1).next;
            Finding.unless(end == origin.sent().length, "bytes after the last request to an origin: %s", here);
            forwarded.addAll(here);
        }
        int next = 0;
        for (Message request : forwarded) {
            Finding.unless(request.end != Message.End.FAULTY, "forwarded %s", request);
            if (request.headRead) {
                isClear(request);
                next = find(request, asked, next) + 1;
            }
        }
        answersAreClear(asked);
        gateway.clientLeaves();
        for (MemoryChannel origin : gateway.origins().connections()) {
            List<Message> here = StrictReader.forwarded(origin.sent());
            boolean whole = here.stream().allMatch(Message::isWhole);
            Finding.unless(whole || !origin.isActive(), "an aborted request may still continue: %s", here);
        }
    }

    private static void isClear(Message request) {
        String host = request.value("host");
        Finding.unless(host != null && host.matches("[!-~&&[^,/?#@\\\\\"<>^`{|}]]+"), "host %s", host);
        Finding.unless(request.target().matches("\\*|/[^#]*"), "target %s", request.target());
        for (Field field : request.fields) {
            Finding.unless(!NEVER_FORWARDED.contains(field.name().toLowerCase(Locale.ROOT)), "forwarded %s", field);
        }
    }

    /** The index of the request among the sent ones. */
    private static int find(Message request, List<Message> asked, int from) {
        for (int i = from; i < asked.size(); i++) {
            if (isSame(request, asked.get(i))) {
                return i;
            }
        }
        throw new Finding("forwarded an unknown request: " + request + ", sent were " + asked, null);
    }

    private static boolean isSame(Message forwarded, Message asked) {
        boolean body = forwarded.isWhole()
                ? asked.isWhole() && Arrays.equals(forwarded.body, asked.body)
                : forwarded.body.length <= asked.body.length
                        && Arrays.equals(forwarded.body, Arrays.copyOf(asked.body, forwarded.body.length));
        return body
                && asked.headRead
                && forwarded.method().equals(asked.method())
                && query(forwarded).equals(query(asked))
                && hostOf(asked).equals(forwarded.value("host"))
                && isAmong(forwarded.fields, asked.fields)
                && isAmong(forwarded.trailers, asked.trailers);
    }

    private static boolean isAmong(List<Field> forwarded, List<Field> asked) {
        for (Field field : forwarded) {
            if (!OURS.contains(field.name().toLowerCase(Locale.ROOT)) && !asked.contains(field)) {
                return false;
            }
        }
        return true;
    }

    private static String query(Message request) {
        int question = request.target().indexOf('?');
        return question < 0 ? "" : request.target().substring(question);
    }

    private static String hostOf(Message asked) {
        String target = asked.target();
        if (target.regionMatches(true, 0, "http://", 0, 7)) {
            return target.substring(7).split("[/?]", 2)[0];
        }
        @Nullable String host = asked.value("host");
        return host == null ? MemoryGateway.ENDPOINT : host;
    }

    /** The origin sends valid responses, so every response at the client is complete. */
    private void answersAreClear(List<Message> asked) {
        byte[] sent = gateway.client().sent();
        int from = 0;
        for (Outcome outcome : gateway.outcomes()) {
            List<Message> answers = StrictReader.answers(sent, from, true, outcome.toHead(), false);
            Message last = answers.isEmpty() ? new Message() : answers.get(answers.size() - 1);
            Finding.unless(last.isWhole() && !last.isInterim(), "an incomplete response: %s", answers);
            from = last.next;
        }
        Finding.unless(from == sent.length, "bytes after the last response: %d of %d", from, sent.length);
        boolean silent = !asked.isEmpty() && asked.get(0).isWhole() && sent.length == 0;
        Finding.unless(!silent, "a complete request without a response: %s", asked);
    }
}
