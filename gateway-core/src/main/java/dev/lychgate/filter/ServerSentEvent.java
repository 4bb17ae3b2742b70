package dev.lychgate.filter;

import dev.lychgate.http.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event of a {@code text/event-stream} body, see {@link FilterMessage#eachEvent}. An unchanged event is forwarded
 * byte for byte. A changed event is written again, with its comments and unknown fields first. This object is unusable
 * after the action of {@code eachEvent} has returned.
 *
 * @see <a href="https://html.spec.whatwg.org/multipage/server-sent-events.html">HTML, 9.2 Server-sent events</a>
 */
public interface ServerSentEvent {
    /** Returns the type; {@code message} if the event has none. */
    String getType();

    /**
     * Sets the type; null removes it.
     *
     * @throws IllegalArgumentException if the type contains a line break
     */
    void setType(@Nullable String type);

    /** Returns the data; its lines are separated by a line feed. */
    String getData();

    /** Sets the data. It may have several lines. */
    void setData(String data);

    /** Returns the id; null if the event has none. */
    @Nullable
    String getId();

    /**
     * Sets the id; null removes it.
     *
     * @throws IllegalArgumentException if the id contains a line break or a NUL
     */
    void setId(@Nullable String id);

    /** Returns the reconnection time; null if the event has none. */
    @Nullable
    Duration getRetry();

    /**
     * Sets the reconnection time; null removes it.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    void setRetry(@Nullable Duration time);

    /**
     * Parses the data as JSON and returns the same types as {@link CallResponse#getJson}.
     *
     * @throws IllegalArgumentException if the data is not JSON
     */
    default @Nullable Object getJson() {
        return Json.read(getData());
    }

    /** Sets the data to {@code value} as JSON, written as {@link FilterCall#json} describes. */
    default void setJson(@Nullable Object value) {
        setData(Json.write(value));
    }

    /** Drops the event: the gateway does not forward it. */
    void drop();

    /**
     * Inserts an event before this event. Several calls insert their events in the order of the calls.
     *
     * @return the inserted event; its type and its id can then be set
     */
    ServerSentEvent insertBefore(String data);

    /**
     * Inserts an event after this event. Several calls insert their events in the order of the calls.
     *
     * @return the inserted event; its type and its id can then be set
     */
    ServerSentEvent insertAfter(String data);
}
