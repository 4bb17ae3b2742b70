package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.blocking.CallSight;
import dev.lychgate.gateway.Gateway;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * {@code /threads}: where the gateway's own threads are, and the calls of filters that block. Looking stops the JVM for a
 * moment: for whoever asks, not for polling.
 */
final class ThreadsPage {
    private static final String OURS = "lychgate-";
    private static final int MOST_CALLS = 100;
    private static final int MOST_FRAMES = 100;

    private ThreadsPage() {}

    static AdminAnswer of(Gateway gateway) {
        List<Map.Entry<Thread, StackTraceElement[]>> threads = Thread.getAllStackTraces().entrySet().stream()
                .filter(one -> one.getKey().getName().startsWith(OURS))
                .sorted(Comparator.comparing(one -> one.getKey().getName()))
                .toList();
        List<CallSight> calls = gateway.blockingCalls(MOST_CALLS);
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("threads");
            for (Map.Entry<Thread, StackTraceElement[]> one : threads) {
                json.writeStartObject();
                json.writeStringField("name", one.getKey().getName());
                json.writeStringField("state", UpstreamsPage.word(one.getKey().getState()));
                stack(json, List.of(one.getValue()));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("blocking");
            for (CallSight call : calls) {
                json.writeStartObject();
                json.writeStringField("filter", call.slot().toString());
                json.writeStringField("request_id", call.requestId());
                json.writeStringField("thread", call.thread());
                stack(json, call.stack());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void stack(JsonGenerator json, List<StackTraceElement> stack) throws IOException {
        json.writeArrayFieldStart("stack");
        for (StackTraceElement frame : stack.subList(0, Math.min(stack.size(), MOST_FRAMES))) {
            json.writeString(frame.toString());
        }
        json.writeEndArray();
    }
}
