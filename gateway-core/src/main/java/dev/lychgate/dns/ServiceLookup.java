package dev.lychgate.dns;

import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.upstream.ServiceTarget;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DefaultDnsRecordDecoder;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.util.ReferenceCountUtil;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the SRV records of a service, then the addresses of their targets. Targets without addresses are omitted; if
 * no target has an address, the lookup fails. The name is fully qualified: no search domains apply.
 */
final class ServiceLookup extends NettyLookup<List<ServiceTarget>> {
    private static final Comparator<ServiceTarget> ORDER = Comparator.comparing(ServiceTarget::rank)
            .thenComparing(ServiceTarget::ip)
            .thenComparing(ServiceTarget::port)
            .thenComparing(ServiceTarget::name)
            .thenComparing(ServiceTarget::weight);

    /** Matches names that a Host header may contain. DNS labels may contain any bytes. */
    private static final Pattern HOST = Pattern.compile("(?=.{1,253}$)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*");

    /**
     * The maximum number of targets of one service that are looked up concurrently. The limit prevents a large service
     * from delaying the lookups of other names.
     */
    private static final int AT_ONCE = 16;

    private final String service;

    ServiceLookup(Network network, DnsConfig config, String service) {
        super(network, config);
        this.service = service;
    }

    @Override
    CompletionStage<List<ServiceTarget>> find() {
        return stage(resolver.resolveAll(new DefaultDnsQuestion(service, DnsRecordType.SRV)))
                .thenApply(this::read)
                .thenCompose(this::locate);
    }

    /** Decodes the records and releases them. */
    private List<SrvRecord> read(List<DnsRecord> records) {
        try {
            List<SrvRecord> read = new ArrayList<>();
            for (DnsRecord record : records) {
                if (record instanceof DnsRawRecord raw && record.type().equals(DnsRecordType.SRV)) {
                    ttl.see(record.timeToLive());
                    read.add(SrvRecord.of(raw));
                }
            }
            return read;
        } catch (CorruptedFrameException | IndexOutOfBoundsException e) {
            throw new CompletionException(new UnknownHostException("malformed SRV record"));
        } finally {
            records.forEach(ReferenceCountUtil::release);
        }
    }

    private CompletionStage<List<ServiceTarget>> locate(List<SrvRecord> records) {
        List<SrvRecord> usable = records.stream()
                .filter(r -> r.port() > 0 && HOST.matcher(r.target()).matches())
                .toList();
        if (usable.isEmpty()) {
            // RFC 2782: a target of "." means that the service is not available.
            return records.stream().anyMatch(r -> r.target().isEmpty())
                    ? CompletableFuture.completedStage(List.of())
                    : CompletableFuture.failedStage(new UnknownHostException("no usable SRV records"));
        }
        Map<String, CompletableFuture<List<String>>> hosts = new HashMap<>();
        LookupPermits own = new LookupPermits(loop, AT_ONCE);
        usable.forEach(r -> hosts.computeIfAbsent(
                r.target(), host -> own.run(() -> addresses(host)).toCompletableFuture()));
        return CompletableFuture.allOf(hosts.values().toArray(CompletableFuture[]::new))
                .handle((done, failure) -> targets(usable, hosts, failure));
    }

    private static List<ServiceTarget> targets(
            List<SrvRecord> records, Map<String, CompletableFuture<List<String>>> hosts, @Nullable Throwable failure) {
        List<Integer> priorities =
                records.stream().map(SrvRecord::priority).distinct().sorted().toList();
        int heaviest = records.stream().mapToInt(SrvRecord::weight).max().orElse(0);
        List<ServiceTarget> found = new ArrayList<>();
        for (SrvRecord record : records) {
            CompletableFuture<List<String>> host = hosts.get(record.target());
            if (host == null || host.isCompletedExceptionally()) {
                continue;
            }
            int weight = weight(record.weight(), heaviest);
            int rank = priorities.indexOf(record.priority());
            for (String ip : host.join()) {
                found.add(new ServiceTarget(record.target(), ip, record.port(), weight, rank));
            }
        }
        if (found.isEmpty()) {
            throw new IllegalStateException("no target of the SRV records has an address", failure);
        }
        found.sort(ORDER);
        return found;
    }

    /**
     * Returns a weight that an endpoint may have. If {@code heaviest}, the largest weight of the service, exceeds the
     * maximum of the configuration, scales {@code weight} down in proportion. Replaces 0 with 1, because a target with
     * weight 0 should have a very small chance of being selected (RFC 2782).
     */
    static int weight(int weight, int heaviest) {
        int most = EndpointConfig.MAX_WEIGHT;
        return Math.max(1, heaviest <= most ? weight : (int) Math.round((double) weight * most / heaviest));
    }

    /**
     * One SRV record.
     *
     * @param priority 0 to 65535; lower is preferred
     * @param weight 0 to 65535
     * @param port 0 to 65535
     * @param target a host name without the final dot; empty if the service is not available
     * @see <a href="https://www.rfc-editor.org/rfc/rfc2782">RFC 2782, SRV</a>
     */
    private record SrvRecord(int priority, int weight, int port, String target) {
        /**
         * Decodes a record.
         *
         * @throws CorruptedFrameException or IndexOutOfBoundsException if the record is malformed
         */
        static SrvRecord of(DnsRawRecord record) {
            ByteBuf content = record.content().duplicate();
            int priority = content.readUnsignedShort();
            int weight = content.readUnsignedShort();
            int port = content.readUnsignedShort();
            // The name should not be compressed, but some servers compress it. A compression pointer refers to another
            // part of this buffer.
            String name = DefaultDnsRecordDecoder.decodeName(content);
            return new SrvRecord(
                    priority, weight, port, name.endsWith(".") ? name.substring(0, name.length() - 1) : name);
        }
    }
}
