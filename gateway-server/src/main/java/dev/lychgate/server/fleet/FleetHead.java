package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import dev.lychgate.fleet.FleetStore;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The head of a space: the release in force, the release that some nodes serve in its place, and the release that the
 * nodes prepare. Each change, including a rollback, increases the epoch by one. Immutable.
 *
 * @param epoch the number of the change, from 1
 * @param stable the digest of the release in force; null before the first activation
 * @param canary the release that some nodes serve; null for none
 * @param prepared the digest of the release that nodes build without serving it; null for none
 * @param previous the releases that were in force before, the newest first
 * @param author the name that the author states; the signature does not prove it
 * @param time in whole seconds
 */
public record FleetHead(
        String space,
        long epoch,
        @Nullable String stable,
        @Nullable Canary canary,
        @Nullable String prepared,
        List<Previous> previous,
        String author,
        Instant time,
        String reason) {
    /** The maximum size of a signed head, in bytes. */
    public static final int LARGEST = FleetStore.LARGEST_HEAD;

    private static final String KIND = "lychgate-head 1";
    private static final int MOST_PREVIOUS = 20;

    /**
     * A release that was in force.
     *
     * @param epoch the last epoch in which it was in force
     */
    public record Previous(long epoch, String digest) {}

    public FleetHead {
        previous = List.copyOf(previous);
    }

    /** Returns the first head of a space, without a release. */
    static FleetHead first(String space, String author, Instant time) {
        return new FleetHead(space, 1, null, null, null, List.of(), author, seconds(time), "created");
    }

    /**
     * Returns the next head, which makes nodes prepare a release. If {@code digest} is null, the head ends a
     * preparation. A canary continues in both cases.
     */
    FleetHead preparing(@Nullable String digest, String by, Instant now, String why) {
        return new FleetHead(space, epoch + 1, stable, canary, digest, previous, by, seconds(now), why);
    }

    /**
     * Returns the next head, which starts the canary {@code next}: some nodes then serve its release. If {@code next} is
     * null, the head ends the current canary.
     */
    FleetHead canarying(@Nullable Canary next, String by, Instant now, String why) {
        return new FleetHead(space, epoch + 1, stable, next, prepared, previous, by, seconds(now), why);
    }

    /** Returns the next head, which puts a release into force and ends a canary. */
    FleetHead activating(String digest, String by, Instant now, String why) {
        List<Previous> earlier = new ArrayList<>(previous);
        if (stable != null) {
            earlier.add(0, new Previous(epoch, stable));
        }
        return new FleetHead(
                space,
                epoch + 1,
                digest,
                null,
                null,
                earlier.subList(0, Math.min(earlier.size(), MOST_PREVIOUS)),
                by,
                seconds(now),
                why);
    }

    /**
     * Returns the release that a node serves; null before the first activation.
     *
     * @param now the time of the node
     */
    @Nullable
    String releaseOf(String node, Map<String, String> labels, Instant now) {
        return canary != null && !canary.hasEnded(now) && canary.selects(node, labels) ? canary.digest() : stable;
    }

    /** Returns the digests of the releases that nodes serve or prepare. */
    Set<String> named() {
        return Stream.of(stable, prepared, canary == null ? null : canary.digest())
                .flatMap(Stream::ofNullable)
                .collect(Collectors.toSet());
    }

    static Instant seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    /** Returns the canonical text. */
    byte[] text() {
        StringBuilder text = new StringBuilder(KIND)
                .append("\nspace ")
                .append(space)
                .append("\nepoch ")
                .append(epoch)
                .append('\n');
        if (stable != null) {
            text.append("stable ").append(stable).append('\n');
        }
        if (canary != null) {
            canary.appendTo(text);
        }
        if (prepared != null) {
            text.append("prepared ").append(prepared).append('\n');
        }
        previous.forEach(each -> text.append("previous ")
                .append(each.epoch())
                .append(' ')
                .append(each.digest())
                .append('\n'));
        text.append("author ")
                .append(author)
                .append("\ntime ")
                .append(time)
                .append("\nreason ")
                .append(reason)
                .append('\n');
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the signed head.
     *
     * @throws FleetException if a value is malformed
     */
    public byte[] sign(SigningKey key) throws FleetException {
        byte[] text = text();
        parse(text);
        return SignedText.sign(text, key);
    }

    /**
     * Verifies a signed head.
     *
     * @throws FleetException if the head is malformed, made for another space, or not signed by a trusted key
     */
    public static FleetHead verify(byte[] signed, String space, TrustedKeys keys) throws FleetException {
        String what = "head of " + space;
        if (signed.length > LARGEST) {
            throw FleetException.refused(what + ": larger than " + LARGEST + " bytes");
        }
        SignedText text = SignedText.at(what, signed, LARGEST);
        if (text.length() != signed.length) {
            throw FleetException.refused(what + ": bytes follow the signature");
        }
        FleetHead head = parse(text.verified(what, keys));
        if (!head.space.equals(space)) {
            throw FleetException.refused(what + ": made for the space " + head.space + ", not for " + space);
        }
        return head;
    }

    private static FleetHead parse(byte[] text) throws FleetException {
        TextFields fields = new TextFields(KIND, text);
        String space = FleetNames.name("space", fields.value("space"));
        long epoch = FleetText.number("epoch", fields.value("epoch"));
        if (epoch < 1) {
            throw FleetException.refused("the epoch is less than 1");
        }
        String stable = fields.optional("stable");
        Canary canary = Canary.read(fields);
        if (canary != null && (stable == null || canary.digest().equals(stable))) {
            throw FleetException.refused(KIND + ": a canary requires that another release is in force");
        }
        String prepared = fields.optional("prepared");
        List<Previous> previous = new ArrayList<>();
        long before = epoch;
        for (String line = fields.optional("previous"); line != null; line = fields.optional("previous")) {
            String[] parts = line.split(" ", -1);
            if (parts.length != 2 || previous.size() == MOST_PREVIOUS) {
                throw FleetException.refused(
                        KIND + ": a previous release is malformed, or the head lists too many previous releases");
            }
            Previous each = new Previous(FleetText.number("epoch", parts[0]), FleetNames.digest(parts[1]));
            if (each.epoch() >= before) {
                throw FleetException.refused(KIND + ": the previous releases are out of order");
            }
            before = each.epoch();
            previous.add(each);
        }
        FleetHead head = new FleetHead(
                space,
                epoch,
                stable == null ? null : FleetNames.digest(stable),
                canary,
                prepared == null ? null : FleetNames.digest(prepared),
                previous,
                FleetText.line("author", fields.value("author")),
                FleetText.time(fields.value("time")),
                FleetText.line("reason", fields.value("reason")));
        fields.end();
        if (!Arrays.equals(head.text(), text)) {
            throw FleetException.refused(KIND + ": the text is not in its canonical form");
        }
        return head;
    }
}
