package dev.lychgate.filter;

import dev.lychgate.error.ErrorKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result of an exchange.
 *
 * @param status the status that the client received, or would have received if the client had not disconnected
 * @param error the kind of the failure; null if there was none
 * @param requestBytes the number of received bytes of the request body, without framing; for a WebSocket, of all bytes
 *     from the client
 * @param responseBytes the number of written bytes of the response body, without framing; for a WebSocket, of all bytes
 *     to the client
 * @param duration the time from the arrival of the request head to the end of the exchange
 */
public record Completion(
        int status, @Nullable ErrorKind error, long requestBytes, long responseBytes, Duration duration) {}
