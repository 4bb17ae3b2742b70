package dev.lychgate.exchange;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.generation.RoutePolicies;
import dev.lychgate.generation.WebSocketPolicy;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.resilience.Admission;
import dev.lychgate.resilience.AttemptTally;
import dev.lychgate.resilience.BodyReplay;
import dev.lychgate.resilience.Ending;
import dev.lychgate.resilience.FailedAttempt;
import dev.lychgate.resilience.Guards;
import dev.lychgate.resilience.Hedging;
import dev.lychgate.resilience.Protection;
import dev.lychgate.resilience.RetryAfter;
import dev.lychgate.resilience.RetryBudget;
import dev.lychgate.resilience.RetryDecision;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.upstream.BalanceContext;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointSet;
import dev.lychgate.upstream.Persistence;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one exchange: which endpoint is tried next, whether there is another attempt after one that came to
 * nothing, and what of the body is kept for it. Lives on the exchange's event loop.
 */
final class Attempts implements BalanceContext {
    private final Exchange exchange;
    private final Worker worker;
    private ProxyTarget target;
    private Protection protection;
    private RetryBudget.LoopView budget;
    private AttemptTally.Cell tally;
    private Persistence.@Nullable Binding binding;
    private List<Endpoint> tried = List.of();
    private @Nullable Admission onRoute;
    private @Nullable BodyReplay replay;
    private @Nullable ScheduledFuture<?> pause;
    private @Nullable Hedge hedge;
    private @Nullable WebSocketPolicy webSocket;
    private boolean bodyBegun;
    private boolean resent;
    /** How many there were before the exchange turned to its fallback. */
    private int before;

    Attempts(Exchange exchange, Worker worker, ProxyTarget target) {
        this.exchange = exchange;
        this.worker = worker;
        this.target = target;
        this.protection = target.upstream().protection();
        this.budget = protection.budget(worker.loop().index());
        this.tally = protection.tally().onLoop(worker.loop().index());
        this.binding = bindingOf(target);
    }

    private Persistence.@Nullable Binding bindingOf(ProxyTarget to) {
        Persistence persistence = to.upstream().persistence();
        return persistence == null ? null : persistence.read(head(), clientAddress());
    }

    ProxyTarget target() {
        return target;
    }

    private RoutePolicies policies() {
        return target.policies();
    }

    /** The first one begins, unless the route has too much under way. */
    void begin() {
        if (head().protocol() != null && !enterTunnel()) {
            return;
        }
        long now = worker.loop().nanoTime();
        Guards guards = policies().guards(worker.loop().index());
        if (guards != Guards.NONE) {
            Admission admission = new Admission(null);
            if (!admission.enter(guards, now)) {
                refuse(admission, "too many requests of this route are under way");
                return;
            }
            onRoute = admission;
        }
        if (exchange.request() == Half.BODY && policies().bytesToKeep() > 0) {
            replay = new BodyReplay(
                    exchange.downstream().allocator(),
                    worker.loop().memory(),
                    policies().bytesToKeep());
        }
        if (policies().hedging() != Hedging.NONE && webSocket == null) {
            hedge = new Hedge(exchange, worker, this);
        }
        budget.sent(now);
        next(false, now);
    }

    /** A WebSocket is asked for. @return whether the route has a place for it; if not, the exchange has been answered */
    private boolean enterTunnel() {
        WebSocketPolicy policy = policies().webSocket();
        GatewayError refusal;
        if (policy == null) {
            refusal = GatewayError.downstream(ErrorKind.WEBSOCKET_NOT_SERVED, "this route takes no WebSockets");
        } else if (exchange.downstream().isDraining()) {
            refusal = GatewayError.local(ErrorKind.DRAINING, "the gateway is shutting down");
        } else {
            refusal = policy.enter(head());
        }
        if (refusal != null) {
            exchange.fail(refusal);
            return false;
        }
        webSocket = policy;
        return true;
    }

    /** Under which a WebSocket is asked for, or open; null if there is none. */
    @Nullable
    WebSocketPolicy webSocket() {
        return webSocket;
    }

    /** The answer was a tunnel: as one of the route's exchanges it is over, as one of its WebSockets it has begun. */
    void becomeTunnel() {
        Admission admission = onRoute;
        if (admission != null) {
            admission.leave(Ending.IGNORED, worker.loop().nanoTime());
        }
    }

    /** Another attempt beside {@code first}; null if there is none to be had. */
    @Nullable
    Attempt beside(Attempt first) {
        noteTried(first.endpoint());
        Endpoint endpoint = worker.balancers().of(target.subset()).choose(this);
        if (endpoint == null) {
            return null;
        }
        Attempt attempt =
                new Attempt(exchange, worker, target, endpoint, worker.loop().nanoTime());
        return attempt.enter() ? attempt : null;
    }

    /** Two attempts beside each other, where the route wants that; otherwise null. */
    @Nullable
    Hedge hedge() {
        return hedge;
    }

    /** What attempts beyond the first draw on. */
    RetryBudget.LoopView budget() {
        return budget;
    }

    /** Where this loop counts what becomes of attempts at the upstream. */
    AttemptTally.Cell tally() {
        return tally;
    }

    /** @param fresh whether a connection from the pool won't do */
    private void next(boolean fresh, long now) {
        exchange.become(Phase.CONNECTING);
        Hedge beside = hedge;
        if (beside != null) {
            // It stood beside an attempt that is over, and maybe at another upstream.
            beside.close();
        }
        Endpoint endpoint = worker.balancers().of(target.subset()).choose(this);
        if (endpoint == null) {
            exchange.forwarding()
                    .giveUp(GatewayError.local(ErrorKind.NO_ENDPOINT, "the upstream has no endpoint that may be used"));
            return;
        }
        Attempt attempt = new Attempt(exchange, worker, target, endpoint, now);
        if (!attempt.enter()) {
            refuse(attempt.admission(), "the upstream is protected from more requests");
            return;
        }
        if (exchange.record().attempts > before) {
            SentAgain why = fresh ? SentAgain.STALE : SentAgain.RETRY;
            attempt.repeats(why);
            tally.again(why);
        }
        exchange.forwarding().begin(attempt, fresh);
    }

    private void refuse(Admission refused, String detail) {
        exchange.failing().retryAfter(refused.retryAfterSeconds());
        exchange.forwarding().giveUp(GatewayError.local(refused.refusedWith(), detail));
    }

    // ---- after one that came to nothing

    /** An attempt has failed. @return whether there will be another one; if not, the exchange fails */
    boolean onFailed(Attempt failed, GatewayError error) {
        Hedge beside = hedge;
        if (beside != null && beside.replaces(failed)) {
            return true;
        }
        return again(failed, error, 0, 0);
    }

    /** An answer has come that is perhaps not to be had. @return whether there will be another attempt in its place */
    boolean onAnswer(Attempt answered, ResponseHead head) {
        if (policies().retry().retriesStatus(head.status())) {
            Hedge beside = hedge;
            if (beside != null && beside.replaces(answered)) {
                return true;
            }
            long patience =
                    RetryAfter.nanos(head.headers().get(HttpHeaderNames.RETRY_AFTER), System.currentTimeMillis());
            if (again(answered, null, head.status(), patience)) {
                return true;
            }
        }
        return policies().isFailure(head.status()) && exchange.forwarding().fallsBack(null, head);
    }

    private boolean again(Attempt last, @Nullable GatewayError error, int status, long patience) {
        long now = worker.loop().nanoTime();
        FailedAttempt failed = new FailedAttempt(
                error,
                status,
                exchange.requireHead().method(),
                made(),
                resent,
                last.isReused(),
                isBodyWhole(),
                false,
                patience,
                exchange.remaining(now));
        RetryDecision decision = policies().retry().decide(failed, budget, now);
        tally.retryDecided(decision);
        if (!decision.sendsAgain()) {
            return false;
        }
        boolean fresh = decision == RetryDecision.RESEND_FRESH;
        resent |= fresh;
        if (binding == null || !fresh) {
            // That its connection was stale says nothing against the endpoint that the client is bound to.
            noteTried(last.endpoint());
        }
        last.end();
        if (exchange.request() == Half.BODY) {
            exchange.downstream().pauseReading();
        }
        long delay = fresh ? 0 : policies().retry().delay(failed, worker.loop().random());
        if (delay < TimeUnit.MILLISECONDS.toNanos(1)) {
            // Asked anew: the last one has ended since, and its successor does not begin before that.
            next(fresh, worker.loop().nanoTime());
        } else {
            exchange.become(Phase.CONNECTING);
            pause = worker.loop().eventLoop().schedule(this::resume, delay, TimeUnit.NANOSECONDS);
        }
        return true;
    }

    /** How many the upstream has had; one that was resent, its connection being stale, does not count. */
    int made() {
        return exchange.record().attempts - before - (resent ? 1 : 0);
    }

    private void resume() {
        pause = null;
        next(false, worker.loop().nanoTime());
        exchange.onResumed();
    }

    /**
     * Whether the request may be sent to another upstream: no origin has seen it, or it may be done twice; and its body is
     * whole.
     *
     * @param error why; null if there was an answer that counts as a failure
     */
    boolean mayTurn(@Nullable GatewayError error) {
        boolean unseen = error != null && (error.retry() == Retry.UNPROCESSED || error.side() == Side.LOCAL);
        return isBodyWhole()
                && (unseen
                        || policies()
                                .retry()
                                .isIdempotent(exchange.requireHead().method()));
    }

    /** Goes on with another upstream. */
    void turnTo(ProxyTarget other) {
        target = other;
        binding = bindingOf(other);
        protection = other.upstream().protection();
        budget = protection.budget(worker.loop().index());
        tally = protection.tally().onLoop(worker.loop().index());
        tried = List.of();
        resent = false;
        before = exchange.record().attempts;
        long now = worker.loop().nanoTime();
        budget.sent(now);
        if (exchange.request() == Half.BODY) {
            exchange.downstream().pauseReading();
        }
        next(false, now);
    }

    private void noteTried(Endpoint endpoint) {
        if (tried.isEmpty()) {
            tried = new ArrayList<>(2);
        }
        tried.add(endpoint);
    }

    // ---- the body

    /** A piece of the body is about to be written for the first time; it stays the caller's. */
    void onBody(ByteBuf piece) {
        bodyBegun = true;
        BodyReplay kept = replay;
        if (kept != null) {
            kept.keep(piece);
        }
    }

    boolean isBodyWhole() {
        BodyReplay kept = replay;
        return !bodyBegun
                || (kept != null && kept.isWhole())
                || exchange.forwarding().holdsBody();
    }

    /** What former attempts have sent of the body, as the caller's own; null if that is nothing. */
    @Nullable
    ByteBuf sentBefore() {
        BodyReplay kept = replay;
        return bodyBegun && kept != null ? kept.again() : null;
    }

    /** The answer begins, which {@code by} has given: there will be no other attempt. */
    void onCommit(Attempt by, ResponseHead answer) {
        dropReplay();
        Hedge beside = hedge;
        if (beside != null) {
            if (beside.hasBegun(by)) {
                tally.hedgeWon();
            }
            beside.close();
            policies().latency(worker.loop().index()).record(by.latency(), by.answeredAt());
        }
        Persistence.Binding b = binding;
        if (b != null) {
            b.answered(by.endpoint(), answer);
        }
    }

    private void dropReplay() {
        BodyReplay kept = replay;
        if (kept != null) {
            kept.close();
        }
    }

    /** The exchange has failed: there will be no other attempt. */
    void giveUp() {
        dropReplay();
        Hedge beside = hedge;
        if (beside != null) {
            beside.close();
        }
        ScheduledFuture<?> waiting = pause;
        if (waiting != null) {
            pause = null;
            waiting.cancel(false);
        }
    }

    /** The exchange is over. */
    void close() {
        giveUp();
        WebSocketPolicy policy = webSocket;
        if (policy != null) {
            webSocket = null;
            policy.leave();
        }
        Admission admission = onRoute;
        if (admission != null) {
            admission.leave(Ending.IGNORED, worker.loop().nanoTime());
        }
    }

    // ---- what a balancer asks

    @Override
    public RequestHead head() {
        return exchange.requireHead();
    }

    @Override
    public InetAddress clientAddress() {
        return exchange.client().getAddress();
    }

    @Override
    public boolean isFirst() {
        return tried.isEmpty() && !protection.isPerEndpoint();
    }

    @Override
    public @Nullable Endpoint preferred(EndpointSet set) {
        Persistence.Binding b = binding;
        return b == null ? null : b.preferred(set);
    }

    /** One whose circuit is open counts as tried: another one goes first. */
    @Override
    public boolean tried(Endpoint endpoint) {
        return tried.contains(endpoint)
                || protection.isRefusing(
                        endpoint.authority(), worker.loop().deadlines().now());
    }
}
