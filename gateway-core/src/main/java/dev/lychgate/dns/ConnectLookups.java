package dev.lychgate.dns;

import dev.lychgate.config.DnsConfig;
import dev.lychgate.origin.HostResolver;
import dev.lychgate.upstream.DnsQuestion;
import dev.lychgate.upstream.DnsQuestion.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Resolves a host name if an event loop opens a connection before {@link NameWatch} has a result for the name. Each
 * lookup uses the DNS settings of the upstream, because different DNS servers may resolve a name to different
 * addresses. All connections with the same name and settings share one pending lookup. Used only on this event loop.
 */
final class ConnectLookups implements HostResolver {
    private final NettyLookup.Network network;
    private final Map<DnsQuestion, CompletionStage<List<String>>> underWay = new HashMap<>();

    ConnectLookups(NettyLookup.Network network) {
        this.network = network;
    }

    @Override
    public CompletionStage<String> resolve(String host, DnsConfig dns) {
        assert network.loop().inEventLoop();
        DnsQuestion question = new DnsQuestion(Kind.HOST, host, dns);
        CompletionStage<List<String>> addresses = underWay.get(question);
        if (addresses == null) {
            addresses = lookUp(question);
            underWay.put(question, addresses);
        }
        return addresses.thenApply(all -> all.get(ThreadLocalRandom.current().nextInt(all.size())));
    }

    private CompletionStage<List<String>> lookUp(DnsQuestion question) {
        HostLookup lookup = new HostLookup(network, question.dns(), question.name());
        // The lookup completes after this method returns. It is removed before the waiting connections continue, so
        // that a retry starts a new lookup.
        return lookup.ask()
                .whenComplete((answer, failure) -> {
                    underWay.remove(question);
                    lookup.close();
                })
                .thenApply(Lookup.Answer::value);
    }
}
