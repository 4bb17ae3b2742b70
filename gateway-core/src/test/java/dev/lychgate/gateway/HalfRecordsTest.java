package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.TlsConfig;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import dev.lychgate.testing.WithEachTlsProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that send the first part of a TLS record and no more: the oldest of them give way, and others are served. */
@SuppressWarnings("try") // resources that only have to be there
class HalfRecordsTest extends WithEachTlsProvider {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Certificates CA = Certificates.authority("Test Authority");
    private static final int LENGTH = 16_000;
    private static final int ROOM = 80_000;

    private Running start(ScriptedOrigin origin) throws Exception {
        TlsConfig tls = TlsConfig.of(Certificates.pem(directory, "site", CA.issue("lychgate.test")))
                .withProvider(provider);
        return Setup.to(origin.address()).tls(tls).start();
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(Responses.ok("hello")));
    }

    private static TlsClient connect(Running gateway) throws IOException {
        return TlsClient.connect(gateway.gateway().address("main"), CA.context(null), "lychgate.test");
    }

    /** All of a record but its last byte. */
    private static byte[] half(int type) {
        byte[] record = new byte[5 + LENGTH - 1];
        record[0] = (byte) type;
        record[1] = 3;
        record[2] = 3;
        record[3] = (byte) (LENGTH >> 8);
        record[4] = (byte) LENGTH;
        return record;
    }

    private static void awaitReclaimed(long number) throws Exception {
        Eventually.eventually(
                LONG, () -> assertThat(MemoryBudget.OF_PROCESS.reclaimed()).isGreaterThanOrEqualTo(number));
    }

    @Test
    void closesHalfHandshakesAndServesOthers() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (ScriptedOrigin origin = origin();
                Running gateway = start(origin);
                Scarcity scarcity = Scarcity.leaving(ROOM)) {
            long before = MemoryBudget.OF_PROCESS.reclaimed();
            for (int i = 0; i < 20; i++) {
                clients.add(gateway.client().within(LONG).send(half(22)));
            }
            awaitReclaimed(before + 20 - ROOM / LENGTH);
            assertThat(clients.get(0).readUntilClose()).isEmpty();
            try (TlsClient other = connect(gateway)) {
                assertThat(other.raw().within(LONG).get("/").body()).isEqualTo("hello");
            }
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void closesHalfApplicationRecordsAndServesOthers() throws Exception {
        List<TlsClient> clients = new ArrayList<>();
        try (ScriptedOrigin origin = origin();
                Running gateway = start(origin);
                TlsClient other = connect(gateway);
                Scarcity scarcity = Scarcity.leaving(ROOM)) {
            long before = MemoryBudget.OF_PROCESS.reclaimed();
            for (int i = 0; i < 20; i++) {
                TlsClient client = connect(gateway);
                clients.add(client);
                client.under(half(23));
            }
            awaitReclaimed(before + 20 - ROOM / LENGTH);
            assertThat(other.raw().within(LONG).get("/").body()).isEqualTo("hello");
        } finally {
            clients.forEach(TlsClient::close);
        }
    }
}
