package dev.lychgate.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The head of a space: its history, its signature, and the heads that each reader refuses. */
class FleetHeadTest extends FleetHome {
    private static final String A = "a".repeat(64);
    private static final String B = "b".repeat(64);
    private static final String TEXT = """
            lychgate-head 1
            space prod
            epoch 3
            stable %s
            prepared %s
            previous 2 %s
            previous 1 %s
            author alice
            time 2026-01-02T03:04:05Z
            reason why
            """.formatted(A, B, B, A);

    private String verify(String text) {
        return refusal(
                () -> FleetHead.verify(SignedText.sign(text.getBytes(StandardCharsets.UTF_8), key), SPACE, trusted));
    }

    @Test
    void readsTheHeadThatWasSigned() throws Exception {
        FleetHead head = FleetHead.first(SPACE, "alice", NOW)
                .preparing(A, "alice", NOW, "prepare")
                .activating(A, "bob", NOW.plusMillis(1500), "flip");
        FleetHead read = FleetHead.verify(head.sign(key), SPACE, trusted);

        assertThat(read).isEqualTo(head);
        assertThat(read.epoch()).isEqualTo(3);
        assertThat(read.stable()).isEqualTo(A);
        assertThat(read.prepared()).isNull();
        assertThat(read.time()).isEqualTo(NOW.plusSeconds(1));
        assertThat(verify(TEXT)).isEqualTo("accepted");
    }

    @Test
    void readsACanary() throws Exception {
        Canary canary =
                new Canary(B, 858993459, new TreeMap<>(Map.of("zone", "a=b", "tier", "edge")), NOW.plusSeconds(1800));
        FleetHead head = FleetHead.first(SPACE, "alice", NOW)
                .activating(A, "alice", NOW, "flip")
                .canarying(canary, "alice", NOW, "try");

        assertThat(new String(head.text(), StandardCharsets.UTF_8))
                .contains("""
                stable %s
                canary %s
                canary-bound 858993459
                canary-label tier=edge
                canary-label zone=a=b
                canary-until %s
                previous""".formatted(A, B, NOW.plusSeconds(1800)).replace("previous", "author"));
        assertThat(FleetHead.verify(head.sign(key), SPACE, trusted)).isEqualTo(head);
        FleetHead preparing = head.preparing(B, "alice", NOW, "prepare");
        assertThat(preparing.canary()).isEqualTo(canary);
        assertThat(preparing.activating(B, "alice", NOW, "flip").canary()).isNull();
        assertThat(preparing.canarying(null, "alice", NOW, "abort").canary()).isNull();
        assertThat(preparing.canarying(null, "alice", NOW, "abort").stable()).isEqualTo(A);
    }

    @Test
    void refusesMalformedCanariesEvenIfTheyAreSigned() {
        String with = TEXT.replace("prepared ", "canary " + B + "\ncanary-bound 7\nprepared ");
        assertThat(verify(with)).isEqualTo("accepted");
        assertThat(verify(with.replace("canary " + B, "canary " + A)))
                .contains("a canary requires that another release");
        assertThat(verify(with.replaceFirst("stable .*\n", "")))
                .contains("a canary requires that another release is in force");
        assertThat(verify(with.replace("bound 7", "bound 0"))).contains("canary-bound is not between 1 and");
        assertThat(verify(with.replace("bound 7", "bound 4294967297"))).contains("canary-bound is not between 1 and");
        assertThat(verify(with.replace("canary-bound 7\n", ""))).contains("does not begin with 'canary-bound'");
        assertThat(verify(with.replace("bound 7\n", "bound 7\ncanary-label =x\n")))
                .contains("canary-label is malformed");
        assertThat(verify(with.replace("bound 7\n", "bound 7\ncanary-label b=1\ncanary-label a=1\n")))
                .contains("not in its canonical form");
        assertThat(verify(with.replace("bound 7\n", "bound 7\n" + "canary-label a=1\n".repeat(2))))
                .contains("not in its canonical form");
        StringBuilder labels = new StringBuilder("bound 7\n");
        for (int i = 10; i < 27; i++) {
            labels.append("canary-label l").append(i).append("=1\n");
        }
        assertThat(verify(with.replace("bound 7\n", labels))).contains("more than 16");
        assertThat(verify(with.replace("bound 7\n", "bound 7\ncanary-until tomorrow\n")))
                .contains("time is malformed");
    }

    @Test
    void keepsTheLastTwentyReleases() throws Exception {
        FleetHead head = FleetHead.first(SPACE, "alice", NOW);
        for (int i = 0; i < 30; i++) {
            head = head.activating("%064x".formatted(i), "alice", NOW, "change");
        }
        assertThat(head.epoch()).isEqualTo(31);
        assertThat(head.previous()).hasSize(20);
        assertThat(head.previous().get(0)).isEqualTo(new FleetHead.Previous(30, "%064x".formatted(28)));
        assertThat(FleetHead.verify(head.sign(key), SPACE, trusted)).isEqualTo(head);
    }

    @Test
    void refusesForgedHeads() throws Exception {
        FleetHead head = FleetHead.first(SPACE, "alice", NOW).activating(A, "alice", NOW, "flip");
        byte[] signed = head.sign(key);
        byte[] forged = new String(signed, StandardCharsets.UTF_8).replace(A, B).getBytes(StandardCharsets.UTF_8);

        assertThat(refusal(() -> FleetHead.verify(forged, SPACE, trusted))).endsWith("no trusted key has signed it");
        assertThat(refusal(() -> FleetHead.verify(head.sign(otherKey()), SPACE, trusted)))
                .endsWith("no trusted key has signed it");
        assertThat(refusal(() -> FleetHead.verify(head.text(), SPACE, trusted))).endsWith(": not signed");
        assertThat(refusal(() -> FleetHead.verify(signed, "test", trusted)))
                .endsWith(": made for the space prod, not for test");
        assertThat(refusal(() -> FleetHead.verify(concat(signed, signed), SPACE, trusted)))
                .endsWith(": bytes follow the signature");
        assertThat(refusal(() -> FleetHead.verify(new byte[9000], SPACE, trusted)))
                .endsWith(": larger than 8192 bytes");
        for (int length = 0; length < signed.length; length++) {
            byte[] truncated = Arrays.copyOf(signed, length);
            assertThat(refusal(() -> FleetHead.verify(truncated, SPACE, trusted)))
                    .as("%d bytes", length)
                    .startsWith("REFUSED: ");
        }
    }

    @Test
    void refusesASignatureWithASecondSpelling() throws Exception {
        byte[] signed = FleetHead.first(SPACE, "alice", NOW).sign(key);
        // The last digit before the padding has unused bits.
        byte[] other = signed.clone();
        other[signed.length - 4]++;

        assertThat(refusal(() -> FleetHead.verify(other, SPACE, trusted))).startsWith("REFUSED: head of prod: ");
    }

    @Test
    void refusesMalformedHeadsEvenIfTheyAreSigned() {
        Map<String, String> changes = new LinkedHashMap<>();
        changes.put("epoch 0", "the epoch is less than 1");
        changes.put("epoch -1", "the epoch is not a number");
        changes.put("epoch 9223372036854775808", "the epoch is not a number");
        changes.put("stable ../x", "a digest is malformed");
        changes.put("prepared " + A.toUpperCase(Locale.ROOT), "a digest is malformed");
        changes.put("reason a\tb", "the reason contains unprintable characters");
        changes.put("reason " + "x".repeat(201), "the reason is longer than 200 characters");
        changes.forEach((line, reason) -> {
            String name = line.substring(0, line.indexOf(' '));
            assertThat(verify(TEXT.replaceFirst("(?m)^" + name + " .*$", line)))
                    .as(line)
                    .contains(reason);
        });
        assertThat(verify(TEXT.replace("previous 2", "previous 3"))).endsWith("previous releases are out of order");
        assertThat(verify(TEXT.replace("previous 2", "previous 1"))).endsWith("previous releases are out of order");
        assertThat(verify(TEXT + "canary x\n")).endsWith("line 11 is unknown or out of order");
        assertThat(verify(TEXT.replace("lychgate-head 1", "lychgate-head 2")))
                .endsWith("the first line is not 'lychgate-head 1'");
        assertThat(verify(TEXT.replace("epoch 3\n", ""))).endsWith("line 3 does not begin with 'epoch'");
    }
}
