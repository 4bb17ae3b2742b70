package dev.lychgate.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;

/** A TLS handshake in memory. */
final class EmbeddedHandshake {
    private EmbeddedHandshake() {}

    /**
     * Performs the handshake and closes both sides.
     *
     * @return whether the client's side succeeded
     */
    static boolean succeeds(SslHandler client, SslHandler server) throws Exception {
        EmbeddedChannel there = new EmbeddedChannel(server);
        EmbeddedChannel here = new EmbeddedChannel(client);
        try {
            for (int i = 0; i < 10 && !client.handshakeFuture().isDone(); i++) {
                pass(here, there);
                pass(there, here);
            }
            return client.handshakeFuture().isSuccess();
        } catch (Exception e) {
            // Embedded channels throw the failure of the handshake.
            assertThat(e).hasRootCauseInstanceOf(SSLException.class);
            return false;
        } finally {
            close(here);
            close(there);
        }
    }

    private static void pass(EmbeddedChannel from, EmbeddedChannel to) {
        for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
            to.writeInbound(bytes);
        }
    }

    private static void close(EmbeddedChannel channel) {
        try {
            channel.finishAndReleaseAll();
        } catch (Exception e) {
            // The test has read the reason by now.
            assertThat(channel.isOpen()).isFalse();
        }
    }
}
