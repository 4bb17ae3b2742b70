package dev.lychgate.gateway;

import static dev.lychgate.gateway.Candidates.BY_CLIENT;
import static dev.lychgate.gateway.Candidates.BY_REQUEST;
import static dev.lychgate.gateway.Candidates.BY_TENANT;
import static dev.lychgate.gateway.Candidates.CANARY;
import static dev.lychgate.gateway.Candidates.included;
import static dev.lychgate.gateway.Candidates.numbering;
import static dev.lychgate.gateway.Candidates.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lychgate.config.RouteAction;
import dev.lychgate.generation.Split;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The choice of requests for the candidate of a rollout, over real sockets and several event loops. */
@Tag("slow")
class CandidateChoiceTest {
    private static final int BATCH = 100;
    private static final String CANDIDATE = "2";

    private final Setup setup = new Setup()
            .workers(3)
            .trusting("127.0.0.0/8")
            .route("all", "/**", new RouteAction.Respond(204, Map.of(), null));
    private final Running gateway = setup.filters(numbering()).start();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void introduce(Split split) {
        assertThat(gateway.gateway()
                        .introduce(setup.config(), numbering(), split)
                        .number())
                .isEqualTo(2);
    }

    /**
     * Sends one request for each number, on several connections.
     *
     * @return the numbers that met the candidate
     */
    private BitSet met(int requests, IntFunction<String> fields) throws Exception {
        List<CompletableFuture<BitSet>> all = new ArrayList<>();
        int clients = 4;
        for (int c = 0; c < clients; c++) {
            int from = c * requests / clients;
            int to = (c + 1) * requests / clients;
            all.add(CompletableFuture.supplyAsync(() -> met(from, to, fields), Candidates.NEW_THREAD));
        }
        BitSet met = new BitSet(requests);
        for (CompletableFuture<BitSet> each : all) {
            met.or(each.get(1, TimeUnit.MINUTES));
        }
        return met;
    }

    private BitSet met(int from, int to, IntFunction<String> fields) {
        BitSet met = new BitSet();
        try (RawClient client = gateway.client()) {
            for (int at = from; at < to; at += BATCH) {
                StringBuilder batch = new StringBuilder();
                int end = Math.min(to, at + BATCH);
                for (int i = at; i < end; i++) {
                    batch.append(Candidates.get(fields.apply(i)));
                }
                client.send(batch.toString());
                for (int i = at; i < end; i++) {
                    met.set(i, isCandidate(client.readResponse().body()));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return met;
    }

    private static boolean isCandidate(String body) {
        assertThat(body).isIn("1", CANDIDATE);
        return body.equals(CANDIDATE);
    }

    private static String from(int client) {
        return "X-Forwarded-For: 10.1." + (client >> 8) + "." + (client & 0xff) + "\r\n";
    }

    @Test
    void withoutACandidateEveryRequestMeetsTheStableGeneration() throws Exception {
        assertThat(gateway.gateway().candidate()).isNull();
        assertThat(met(1000, i -> CANARY).cardinality()).isZero();
    }

    @Test
    void byRequestTheCandidateGetsItsShareOfTheRequests() throws Exception {
        introduce(share(0.1, BY_REQUEST));
        assertThat(met(20_000, i -> "").cardinality()).isCloseTo(2000, within(200));
    }

    @Test
    void byHeaderAValueMeetsOneGenerationAndNeverGoesBackWhileTheShareGrows() throws Exception {
        int tenants = 10_000;
        introduce(share(0.01, BY_TENANT));
        BitSet before = new BitSet();
        for (double share : new double[] {0.01, 0.1, 0.5, 1}) {
            gateway.gateway().split(share(share, BY_TENANT));
            BitSet met = met(tenants, i -> "x-tenant: t" + i + "\r\n" + from(i));
            assertThat(met(tenants, i -> "x-tenant: t" + i + "\r\n" + from(i + 7)))
                    .isEqualTo(met);
            assertThat(met.cardinality() / (double) tenants).isCloseTo(share, within(0.02));
            before.andNot(met);
            assertThat(before.cardinality()).as("values that went back").isZero();
            before = met;
        }
    }

    @Test
    void byClientTheAddressBehindATrustedProxyDecides() throws Exception {
        introduce(share(0.3, BY_CLIENT));
        BitSet met = met(1000, CandidateChoiceTest::from);
        assertThat(met(1000, CandidateChoiceTest::from)).isEqualTo(met);
        assertThat(met.cardinality()).isBetween(230, 370);
    }

    @Test
    void aClientThatMetTheCandidateMeetsItWhileTheShareGrowsUnderLoadAndAfterThePromotion() throws Exception {
        introduce(share(0, BY_TENANT));
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Integer>> clients = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> watch(i, over), Candidates.NEW_THREAD))
                .toList();
        for (int percent = 1; percent <= 100; percent++) {
            gateway.gateway().split(share(percent / 100.0, BY_TENANT));
            met(BATCH, i -> "");
        }
        gateway.gateway().promote();
        met(BATCH, i -> "");
        over.set(true);
        for (CompletableFuture<Integer> client : clients) {
            assertThat(client.get(1, TimeUnit.MINUTES)).isPositive();
        }
        assertThat(met(BATCH, i -> "").cardinality()).isEqualTo(BATCH);
    }

    /**
     * Requests the same values again and again, for the last time when it is over.
     *
     * @return how many of them ended up with the candidate
     */
    private int watch(int client, AtomicBoolean over) {
        BitSet met = new BitSet();
        boolean last;
        do {
            last = over.get();
            BitSet now = met(0, BATCH, i -> "x-tenant: c" + client + "-" + i + "\r\n");
            met.andNot(now);
            assertThat(met.cardinality()).as("values that went back").isZero();
            met = now;
        } while (!last);
        return met.cardinality();
    }

    @Test
    void includedRequestsMeetTheCandidateWhateverItsShare() throws Exception {
        introduce(included());
        assertThat(met(BATCH, i -> "").cardinality()).isZero();
        assertThat(met(BATCH, i -> CANARY).cardinality()).isEqualTo(BATCH);
    }

    @Test
    void streamsOfOneHttp2ConnectionAreChosenEachByRequestAndTogetherByClient() throws Exception {
        introduce(share(0.5, BY_REQUEST));
        try (Http2Client client = gateway.http2()) {
            assertThat(generations(client, 1, 60)).containsExactlyInAnyOrder("1", CANDIDATE);
            gateway.gateway().split(share(0.5, BY_CLIENT));
            assertThat(generations(client, 121, 60)).hasSize(1);
        }
    }

    private static Set<String> generations(Http2Client client, int firstStream, int streams) throws IOException {
        Set<String> met = new HashSet<>();
        for (int i = 0; i < streams; i++) {
            client.get(firstStream + 2 * i, "/");
        }
        for (int i = 0; i < streams; i++) {
            met.add(client.response(firstStream + 2 * i).body());
        }
        return met;
    }

    @Test
    void aForgedForwardingFieldDecidesNothing() throws Exception {
        Setup direct = new Setup().route("all", "/**", new RouteAction.Respond(204, Map.of(), null));
        try (Running other = direct.filters(numbering()).start();
                RawClient client = other.client()) {
            other.gateway().introduce(direct.config(), numbering(), share(0.5, BY_CLIENT));
            Set<String> met = new HashSet<>();
            for (int i = 0; i < 60; i++) {
                client.send(Candidates.get(from(i)));
                met.add(client.readResponse().body());
            }
            assertThat(met).hasSize(1);
        }
    }

    @Test
    void aRejectedHeadMeetsTheGenerationOfItsClient() throws Exception {
        introduce(share(1, BY_CLIENT));
        try (RawClient client = gateway.client()) {
            client.send("GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponse().status()).isEqualTo(400);
            assertThat(gateway.nextOutcome().generation()).isEqualTo(2);
        }
    }
}
