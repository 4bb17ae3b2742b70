package dev.lychgate.exchange;

import dev.lychgate.config.OnFailure;
import dev.lychgate.config.RouteAction;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.Phase;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import org.jspecify.annotations.Nullable;

/**
 * Applies the {@code on-failure} of a route after all attempts have failed: forwards to another upstream, sends a fixed
 * response, or runs a filter. Created only for exchanges that need a fallback.
 */
final class Fallback {
    private final FailureOwner exchange;
    private final ExchangeState state;
    /**
     * A response that counts as a failure, and that the fallback filter of the route may still replace; null if there
     * is no such response.
     */
    private @Nullable ResponseHead unwanted;

    Fallback(FailureOwner exchange, ExchangeState state) {
        this.exchange = exchange;
        this.state = state;
    }

    /**
     * Runs the fallback of the route after all attempts have failed without a response. Without a fallback, fails the
     * exchange.
     */
    void onExhausted(GatewayError error) {
        if (!takesOver(error, null)) {
            if (state.remedy() == null && error.side() != Side.DOWNSTREAM) {
                state.remedied(OnFailure.Remedy.FAIL_FAST, error);
            }
            exchange.fail(error);
        }
    }

    /**
     * Handles a response that is treated as a failure.
     *
     * @return whether the fallback replaces the response
     */
    boolean onFailureStatus(ResponseHead response) {
        return takesOver(null, response);
    }

    private boolean takesOver(@Nullable GatewayError error, @Nullable ResponseHead response) {
        Route route = state.route();
        boolean ofTheClient = error != null && error.side() == Side.DOWNSTREAM;
        if (route == null || state.remedy() != null || ofTheClient) {
            return false;
        }
        Attempts attempts = exchange.requireAttempts();
        OnFailure onFailure = attempts.target().policies().config().onFailure();
        if (onFailure.filter() != null) {
            runFilter(attempts, error, response);
            return true;
        }
        RouteAction instead = onFailure.instead();
        if (instead == null) {
            return false;
        }
        ProxyTarget other = state.generation().fallback(route);
        if (other != null && !attempts.maySwitch(error)) {
            return false;
        }
        state.remedied(onFailure.remedy(), error);
        attempts.end(error);
        if (other != null) {
            // The mirror neither copies requests to the other upstream nor compares its responses.
            exchange.leaveCopy();
            attempts.switchTo(other);
        } else if (instead instanceof RouteAction.Respond respond) {
            attempts.giveUp();
            LocalResponses.LocalResponse fixed = LocalResponses.of(respond);
            exchange.respond(fixed.head(), fixed.body(), 0);
        }
        return true;
    }

    private void runFilter(Attempts attempts, @Nullable GatewayError error, @Nullable ResponseHead response) {
        state.remedied(OnFailure.Remedy.FILTER, error);
        unwanted = response;
        if (response == null) {
            attempts.end(error);
        }
        attempts.giveUp();
        // The filter may keep the response, so the gateway holds the response body until the filter has decided.
        state.become(response == null ? Phase.FILTERING_REQUEST : Phase.FILTERING_RESPONSE);
        if (!exchange.runs(FilterStage.FALLBACK, state.chains().fallback())) {
            onNoResponse();
        }
    }

    /** Continues with the original error or response, because the fallback filter of the route has not responded. */
    void onNoResponse() {
        GatewayError error = state.remedyFor();
        state.remedied(OnFailure.Remedy.FAIL_FAST, error);
        ResponseHead response = unwanted;
        if (response != null) {
            unwanted = null;
            exchange.requireAttempts().accept(response);
        } else if (error != null) {
            exchange.fail(error);
        }
    }
}
