package dev.lychgate.exchange.filtering.items;

import dev.lychgate.filter.ServerSentEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A server-sent event and the changes that an action makes to it. */
final class Event extends Edits<Event> implements ServerSentEvent {
    private static final Pattern BREAK = Pattern.compile("\r\n|\r|\n");
    /** Maximum number of digits in a reconnection time; a longer number could overflow. */
    private static final int RETRY_DIGITS = 15;

    private final List<String> others = new ArrayList<>(0);
    private @Nullable String type;
    private @Nullable String id;
    private @Nullable Duration retry;
    private @Nullable String data;
    private boolean changed;

    /** Parses a block of lines. Returns null if the block has no data; clients dispatch no event for such a block. */
    static @Nullable Event parse(String block) {
        Event event = new Event();
        StringJoiner data = new StringJoiner("\n");
        boolean hasData = false;
        for (String line : BREAK.split(block, -1)) {
            if (!line.isEmpty()) {
                hasData |= event.field(line, data);
            }
        }
        event.data = hasData ? data.toString() : null;
        return hasData ? event : null;
    }

    /**
     * Reads a line of an event. If the line is a data line, adds its value to {@code allData}.
     *
     * @return whether the line is a data line
     */
    private boolean field(String line, StringJoiner allData) {
        int colon = line.indexOf(':');
        String name = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(line.startsWith(": ", colon) ? colon + 2 : colon + 1);
        switch (name) {
            case "event" -> type = value;
            case "data" -> allData.add(value);
            case "id" -> id = value.indexOf(0) < 0 ? value : id;
            case "retry" -> retry = isNumber(value) ? Duration.ofMillis(Long.parseLong(value)) : retry;
            default -> others.add(line);
        }
        return name.equals("data");
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() <= RETRY_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    boolean isChanged() {
        return changed;
    }

    /** Writes the event and the blank line after it. */
    void write(StringBuilder to, String lineEnd) {
        others.forEach(line -> to.append(line).append(lineEnd));
        append(to, "event", type, lineEnd);
        append(to, "id", id, lineEnd);
        append(to, "retry", retry == null ? null : Long.toString(retry.toMillis()), lineEnd);
        for (String line : BREAK.split(getData(), -1)) {
            append(to, "data", line, lineEnd);
        }
        to.append(lineEnd);
    }

    private static void append(StringBuilder to, String name, @Nullable String value, String lineEnd) {
        if (value != null) {
            to.append(name).append(": ").append(value).append(lineEnd);
        }
    }

    @Override
    public String getType() {
        String t = type;
        return t == null || t.isEmpty() ? "message" : t;
    }

    @Override
    public void setType(@Nullable String type) {
        changed |= !Objects.equals(type, this.type);
        this.type = type == null ? null : TextLines.oneLine(type);
    }

    @Override
    public String getData() {
        return Objects.requireNonNullElse(data, "");
    }

    @Override
    public void setData(String data) {
        changed |= !data.equals(this.data);
        this.data = data;
    }

    @Override
    public @Nullable String getId() {
        return id;
    }

    @Override
    public void setId(@Nullable String id) {
        if (id != null && id.indexOf(0) >= 0) {
            throw new IllegalArgumentException("the id contains a NUL character");
        }
        changed |= !Objects.equals(id, this.id);
        this.id = id == null ? null : TextLines.oneLine(id);
    }

    @Override
    public @Nullable Duration getRetry() {
        return retry;
    }

    @Override
    public void setRetry(@Nullable Duration time) {
        if (time != null && time.isNegative()) {
            throw new IllegalArgumentException("the reconnection time is " + time + " (expected: 0 or more)");
        }
        changed |= !Objects.equals(time, retry);
        retry = time;
    }

    @Override
    public ServerSentEvent insertBefore(String data) {
        return before(of(data));
    }

    @Override
    public ServerSentEvent insertAfter(String data) {
        return after(of(data));
    }

    private static Event of(String data) {
        Event event = new Event();
        event.data = Objects.requireNonNull(data, "the data of an event is null");
        return event;
    }
}
