package dev.lychgate.dns;

import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.ServiceConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.loop.SerialExecutor;
import dev.lychgate.origin.HostResolver;
import dev.lychgate.upstream.DnsQuestion;
import dev.lychgate.upstream.DnsQuestion.Kind;
import dev.lychgate.upstream.UpstreamState;
import dev.lychgate.upstream.UpstreamStates;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves the names of all upstreams continuously, and stores the results in the states of the upstreams for the next
 * generation. A process has one instance. Lookups with unchanged settings continue when a new generation takes effect.
 */
public final class EndpointDiscovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EndpointDiscovery.class);

    private record Watched(UpstreamState state, DnsQuestion question) {}

    private final EventLoop loop;
    private final NettyLookup.Network network;
    private final Runnable changed;
    private final Map<Watched, NameWatch<?>> watches = new HashMap<>();
    private final SerialExecutor thread = SerialExecutor.lasting("lychgate-dns");
    private volatile boolean closed;

    /**
     * Creates an instance that resolves no names yet.
     *
     * @param loop the event loop for queries and timers
     * @param datagram the transport's UDP channel
     * @param socket the transport's TCP channel
     * @param changed called after a result has changed, on a thread of this object; may block
     */
    public EndpointDiscovery(
            EventLoop loop,
            Class<? extends DatagramChannel> datagram,
            Class<? extends SocketChannel> socket,
            Runnable changed) {
        this.loop = loop;
        this.network = new NettyLookup.Network(loop, datagram, socket, new QuietPeriod());
        this.changed = changed;
    }

    /** Returns the resolver that {@code loop} uses to connect to a host name that has not been resolved yet. */
    public HostResolver forConnects(EventLoop loop) {
        return new ConnectLookups(network.on(loop));
    }

    /**
     * Starts lookups for the names of a new generation, in addition to the existing lookups. Waits until each name has
     * been looked up once, but no longer than {@code within}, so that the generation starts with endpoints. Must not be
     * called on an event loop.
     */
    public void prepare(Collection<UpstreamConfig> upstreams, UpstreamStates states, Duration within) {
        List<CompletableFuture<Void>> first = begin(upstreams, states);
        try {
            CompletableFuture.allOf(first.toArray(CompletableFuture[]::new))
                    .get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // The lookups continue, and log their failures.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized List<CompletableFuture<Void>> begin(
            Collection<UpstreamConfig> upstreams, UpstreamStates states) {
        List<CompletableFuture<Void>> first = new ArrayList<>();
        if (!closed) {
            for (UpstreamConfig upstream : upstreams) {
                for (Watched name : names(upstream, states)) {
                    first.add(watches.computeIfAbsent(name, n -> watch(upstream.name(), n))
                            .first());
                }
            }
        }
        return first;
    }

    /**
     * Resolves only the names of these upstreams from now on, and discards the results for all other names. If two
     * generations in force contain upstreams with the same name, each upstream gets the results of its own DNS
     * settings.
     */
    public synchronized void adopt(Collection<UpstreamConfig> upstreams, UpstreamStates states) {
        Set<Watched> wanted = new HashSet<>();
        upstreams.forEach(upstream -> wanted.addAll(names(upstream, states)));
        begin(upstreams, states);
        watches.entrySet().removeIf(watch -> {
            boolean gone = !wanted.contains(watch.getKey());
            if (gone) {
                stop(watch.getKey(), watch.getValue());
            }
            return gone;
        });
    }

    private static List<Watched> names(UpstreamConfig upstream, UpstreamStates states) {
        List<Watched> names = new ArrayList<>();
        if (upstream.hasNames()) {
            UpstreamState state = states.of(upstream.name());
            for (EndpointConfig endpoint : upstream.endpoints()) {
                if (endpoint.address().isName()) {
                    String host = endpoint.address().host();
                    names.add(new Watched(state, new DnsQuestion(Kind.HOST, host, upstream.dns())));
                }
            }
            for (ServiceConfig service : upstream.services()) {
                names.add(new Watched(state, new DnsQuestion(Kind.SERVICE, service.name(), upstream.dns())));
            }
        }
        return names;
    }

    private NameWatch<?> watch(String upstream, Watched name) {
        DnsQuestion question = name.question();
        NameWatch<?> watch = switch (question.kind()) {
            case HOST -> watch(upstream, name, new HostLookup(network, question.dns(), question.name()));
            case SERVICE -> watch(upstream, name, new ServiceLookup(network, question.dns(), question.name()));
        };
        after(0, () -> {
            name.state().lend(question);
            watch.look();
        });
        return watch;
    }

    private <T extends List<?>> NameWatch<T> watch(String upstream, Watched name, Lookup<T> lookup) {
        DnsQuestion question = name.question();
        return new NameWatch<>(upstream, question.name(), question.dns(), lookup, this::after, answer -> {
            name.state().answered(question, answer);
            changed.run();
        });
    }

    private void stop(Watched name, NameWatch<?> watch) {
        // Tasks run sequentially, on the thread that receives results. Therefore, no result arrives after the removal,
        // and a later watch of the same name starts after the removal.
        after(0, () -> {
            watch.stop();
            name.state().forget(name.question());
        });
    }

    /**
     * Runs a task after {@code millis} milliseconds, on the thread that all watches share. After {@link #close}, no
     * task starts.
     */
    private void after(long millis, Runnable task) {
        try {
            if (millis == 0) {
                thread.execute(task);
            } else {
                loop.schedule(() -> after(0, task), millis, TimeUnit.MILLISECONDS);
            }
        } catch (RejectedExecutionException e) {
            retry(task, e);
        }
    }

    /** Schedules a rejected task again. Without this retry, the name of the task would never be looked up again. */
    private void retry(Runnable task, RejectedExecutionException refusal) {
        if (!closed && !loop.isShuttingDown()) {
            LOG.error(
                    "a DNS lookup cannot start: {}; the last result stays in use, and the next attempt starts in 1 s",
                    String.valueOf(refusal.getMessage()));
            loop.schedule(() -> after(0, task), 1, TimeUnit.SECONDS);
        }
    }

    /** Returns the lookup status of each name. */
    public synchronized List<NameStatus> statuses() {
        return watches.values().stream().map(NameWatch::status).toList();
    }

    /** Stops all lookups. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            watches.clear();
        }
        thread.close();
    }
}
