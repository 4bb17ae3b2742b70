package dev.lychgate.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A TLS client, by the JDK, that the test controls. For one thread. */
public final class TlsClient implements AutoCloseable {
    private final Socket transport;
    private final SSLSocket socket;
    private final RawClient raw;

    private TlsClient(Socket transport, SSLSocket socket, RawClient raw) {
        this.transport = transport;
        this.socket = socket;
        this.raw = raw;
    }

    /**
     * Connects and completes the handshake.
     *
     * @param name the name in SNI; null = none
     */
    public static TlsClient connect(
            InetSocketAddress address, SSLContext context, @Nullable String name, String... protocols)
            throws IOException {
        return connectSaying(new byte[0], address, context, name, protocols);
    }

    /** Connects, sends {@code first} without TLS, and completes the handshake. */
    public static TlsClient connectSaying(
            byte[] first, InetSocketAddress address, SSLContext context, @Nullable String name, String... protocols)
            throws IOException {
        Socket transport = new Socket();
        transport.connect(address, (int) Wire.USUAL_LIMIT.toMillis());
        transport.setSoTimeout((int) Wire.USUAL_LIMIT.toMillis());
        transport.getOutputStream().write(first);
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(transport, "localhost", address.getPort(), true);
        try {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(name == null ? List.of() : List.of(new SNIHostName(name)));
            parameters.setApplicationProtocols(new String[] {"http/1.1"});
            if (protocols.length > 0) {
                parameters.setProtocols(protocols);
            }
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return new TlsClient(transport, socket, RawClient.over(socket));
        } catch (IOException | RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    /** The connection itself. */
    public RawClient raw() {
        return raw;
    }

    public SSLSession session() {
        return socket.getSession();
    }

    public String applicationProtocol() {
        return socket.getApplicationProtocol();
    }

    /** The subject of the server's certificate. */
    public String serverSubject() throws IOException {
        X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }

    /** With TLS 1.3: updates its key, and requests an update of the server, which is not read here. */
    public void updateKeys() throws IOException {
        socket.startHandshake();
    }

    /** Sends bytes on the connection under TLS. */
    public void under(byte[] bytes) throws IOException {
        transport.getOutputStream().write(bytes);
    }

    /** Closes the connection under TLS, without a word. */
    public void tear() throws IOException {
        transport.close();
    }

    @Override
    public void close() {
        raw.close();
    }
}
