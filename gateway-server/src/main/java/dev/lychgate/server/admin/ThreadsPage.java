package dev.lychgate.server.admin;

import dev.lychgate.blocking.CallSight;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.Shape;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code /threads}: the stacks of the gateway's own threads, and blocking calls of filters. Each request pauses the JVM
 * for a moment, so the page is meant for diagnosis, not for polling.
 */
final class ThreadsPage {
    private static final String OURS = "lychgate-";
    private static final int MOST_CALLS = 100;
    private static final int MOST_FRAMES = 100;

    private record Stacked(Thread thread, List<StackTraceElement> stack) {
        private String state() {
            return thread.getState().name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Shape<List<StackTraceElement>> STACK = new Shape<List<StackTraceElement>>("Stack")
            .list("stack", Json.TEXT, "The stack, innermost frame first.", ThreadsPage::frames);

    private static final Shape<Stacked> THREAD = new Shape<Stacked>("Thread")
            .text("name", "The name of the thread.", one -> one.thread.getName())
            .text("state", "The state of the thread in the JVM.", Stacked::state)
            .include(STACK, Stacked::stack);

    private static final Shape<CallSight> CALL = new Shape<CallSight>("BlockingCall")
            .text("filter", "The filter.", call -> call.slot().toString())
            .text("request_id", "The id of the request.", CallSight::requestId)
            .text(
                    "thread",
                    "The name of the thread of the call; empty for a virtual thread without a name.",
                    CallSight::thread)
            .include(STACK, CallSight::stack);

    static final Shape<Gateway> SHAPE = new Shape<Gateway>("Threads", "The stacks of the threads of the gateway.")
            .list("threads", THREAD, "The threads, in the order of their names.", gateway -> threads())
            .list(
                    "blocking",
                    CALL,
                    "At most a hundred blocking calls of filters.",
                    gateway -> gateway.blockingCalls(MOST_CALLS));

    private ThreadsPage() {}

    private static List<String> frames(List<StackTraceElement> stack) {
        return stack.stream()
                .limit(MOST_FRAMES)
                .map(StackTraceElement::toString)
                .toList();
    }

    private static List<Stacked> threads() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(one -> one.getKey().getName().startsWith(OURS))
                .sorted(Comparator.comparing((Map.Entry<Thread, StackTraceElement[]> one) ->
                        one.getKey().getName()))
                .map(one -> new Stacked(one.getKey(), List.of(one.getValue())))
                .toList();
    }
}
