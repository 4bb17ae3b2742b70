package dev.lychgate.client;

import dev.lychgate.config.ClientsConfig;
import dev.lychgate.limit.ClientPrefix;
import dev.lychgate.loop.QuietPeriod;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The banned clients of a gateway. All generations share the bans, which are kept in memory and end with the process.
 * Thread-safe. A look-up takes no lock, and reads a single number if there are no bans.
 */
public final class Bans {
    private static final Logger LOG = LoggerFactory.getLogger(Bans.class);
    /** The longest ban. */
    public static final Duration LONGEST = Duration.ofDays(30);

    private static final int LONGEST_REASON = 200;
    private static final long BETWEEN_SWEEPS = TimeUnit.SECONDS.toNanos(1);
    /** The smallest adjustment of the wall clock after which the displayed end of a ban is corrected. */
    private static final Duration STEP = Duration.ofSeconds(1);

    /**
     * A ban in force.
     *
     * @param ends the time of the monotonic clock at which the ban ends, in nanoseconds
     */
    private record Running(Ban ban, long ends) {}

    private final ConcurrentHashMap<ClientPrefix, Running> bans = new ConcurrentHashMap<>();
    /**
     * The settings that have determined which addresses count as one client: one element for each pair of prefix
     * lengths that bans have used. The list almost always has a single element.
     */
    private final AtomicReference<List<ClientsConfig>> lengths = new AtomicReference<>(List.of());

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Map<Ban.Source, LongAdder> set = new EnumMap<>(Ban.Source.class);
    private final LongAdder dropped = new LongAdder();
    /** Limits the log lines about bans that filters and rules set. */
    private final QuietPeriod lines = new QuietPeriod();

    private volatile long swept;

    /**
     * Creates an object without bans.
     *
     * @param clock the wall clock, which determines nothing but the displayed end of a ban
     * @param nanoTime the monotonic clock, in nanoseconds: an adjustment of the wall clock neither lifts nor extends a
     *     ban
     */
    public Bans(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.swept = nanoTime.getAsLong() - BETWEEN_SWEEPS;
        for (Ban.Source source : Ban.Source.values()) {
            set.put(source, new LongAdder());
        }
    }

    /** Returns whether no client is banned. */
    public boolean isEmpty() {
        return bans.isEmpty();
    }

    /** Returns the ban of the client with that address; null if the client is not banned. */
    public @Nullable Ban of(InetAddress address) {
        if (isEmpty()) {
            return null;
        }
        for (ClientsConfig config : lengths()) {
            Running found = bans.get(ClientPrefix.of(address, config));
            if (found != null && remaining(found) > 0) {
                return shown(found);
            }
            if (found != null) {
                bans.remove(found.ban.client(), found);
            }
        }
        return null;
    }

    /** Returns the number of nanoseconds until a ban ends; 0 or less if the ban has ended. */
    private long remaining(Running found) {
        return found.ends - nanoTime.getAsLong();
    }

    /** Returns a ban with the wall time of its end. The time is correct even after an adjustment of the wall clock. */
    private Ban shown(Running found) {
        Ban ban = found.ban;
        Instant until = clock.instant().plusNanos(remaining(found)).truncatedTo(ChronoUnit.MILLIS);
        return Duration.between(ban.until(), until).abs().compareTo(STEP) < 0
                ? ban
                : new Ban(ban.client(), until, ban.reason(), ban.by(), ban.author());
    }

    private List<ClientsConfig> lengths() {
        return Objects.requireNonNull(lengths.get());
    }

    /**
     * Bans the client with the address {@code address}. If this client already has a ban that ends later, the client
     * keeps that ban.
     *
     * @param config defines how clients are identified, and how many of them can be banned
     * @param time the length of the ban from now on; more than zero, at most {@link #LONGEST}
     * @param reason the reason for the ban: 1 to 200 characters without control characters
     * @param author the name of the filter, the listener or the operator
     * @return false if the client was not banned, because the maximum number of clients is already banned
     * @throws IllegalArgumentException if the time or the reason is not permitted
     */
    public boolean add(
            InetAddress address, ClientsConfig config, Duration time, String reason, Ban.Source by, String author) {
        check(time, reason);
        ClientPrefix client = ClientPrefix.of(address, config);
        Instant until = clock.instant().plus(time).truncatedTo(ChronoUnit.MILLIS);
        Running added = new Running(new Ban(client, until, reason, by, author), nanoTime.getAsLong() + time.toNanos());
        if (bans.mappingCount() >= config.maxBans() && !bans.containsKey(client) && !removeExpired()) {
            dropped.increment();
            return false;
        }
        if (lengths().stream().noneMatch(known -> known.identifiesLike(config))) {
            lengths.updateAndGet(
                    known -> Stream.concat(known.stream(), Stream.of(config)).toList());
        }
        Running kept = bans.merge(client, added, (before, now) -> before.ends - now.ends > 0 ? before : now);
        if (added.equals(kept)) {
            Objects.requireNonNull(set.get(by)).increment();
            String more = by == Ban.Source.OPERATOR ? "" : lines.tell(nanoTime.getAsLong());
            if (more != null) {
                LOG.info("client {} banned until {} by {} {}: {}{}", client, until, label(by), author, reason, more);
            }
        }
        return true;
    }

    private static void check(Duration time, String reason) {
        if (time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the length of a ban is out of range (expected: more than 0, at most 30 days)");
        }
        if (reason.isBlank()
                || reason.length() > LONGEST_REASON
                || reason.chars().anyMatch(Bans::breaksLine)) {
            throw new IllegalArgumentException(
                    "the reason of a ban is malformed (expected: 1 to 200 characters, no control characters)");
        }
    }

    /**
     * Returns a reason that {@link #add} accepts.
     *
     * @param reason any text
     */
    public static String printable(String reason) {
        StringBuilder printable = new StringBuilder();
        reason.chars().limit(LONGEST_REASON).forEach(c -> printable.append(breaksLine(c) ? ' ' : (char) c));
        return printable.toString().isBlank() ? "no reason" : printable.toString();
    }

    private static boolean breaksLine(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
    }

    private static String label(Ban.Source by) {
        return switch (by) {
            case FILTER -> "filter";
            case ERRORS -> "the ban rule of listener";
            case OPERATOR -> "operator";
        };
    }

    /**
     * Ends all bans of the client with that address early.
     *
     * @return one of the bans that this call ended; null if the client was not banned
     */
    public @Nullable Ban end(InetAddress address, String author) {
        Ban ended = null;
        for (Ban ban = of(address); ban != null; ban = of(address)) {
            if (bans.remove(ban.client()) != null) {
                LOG.info("ban of client {} ended by operator {}", ban.client(), author);
                ended = ban;
            }
        }
        return ended;
    }

    /**
     * Removes bans that have expired. Runs at most once a second, because it reads all bans.
     *
     * @return whether any ban was removed
     */
    private boolean removeExpired() {
        long now = nanoTime.getAsLong();
        if (now - swept < BETWEEN_SWEEPS) {
            return false;
        }
        swept = now;
        return bans.values().removeIf(found -> found.ends - now <= 0);
    }

    /** Returns the bans in force. The ban that ends last is the first in the list. */
    public List<Ban> all() {
        removeExpired();
        return bans.values().stream()
                .filter(found -> remaining(found) > 0)
                .map(this::shown)
                .sorted(Comparator.comparing(Ban::until).reversed())
                .toList();
    }

    /** Returns the number of bans that authors of this kind have set since the start. */
    public long set(Ban.Source by) {
        return Objects.requireNonNull(set.get(by)).sum();
    }

    /**
     * Returns whether a ban was set or refused since the start of the gateway. Bans are refused while too many clients
     * are banned.
     */
    public boolean hasBeenUsed() {
        return dropped() > 0 || set.values().stream().anyMatch(count -> count.sum() > 0);
    }

    /** Returns the number of bans that were refused since the start because too many clients were banned. */
    public long dropped() {
        return dropped.sum();
    }
}
