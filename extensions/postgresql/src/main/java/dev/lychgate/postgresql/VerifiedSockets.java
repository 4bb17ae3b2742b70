package dev.lychgate.postgresql;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/**
 * The TLS sockets of a connection, with the authorities and the client certificate of the settings. For each
 * connection, the driver creates an object of this class by the name of the class. After the handshake, the driver
 * verifies the host.
 */
public final class VerifiedSockets extends SSLSocketFactory {
    private static final String CONTEXT = "dev.lychgate.tls";

    private final SSLSocketFactory sockets;

    /** @param connection the properties of the connection, with the context that {@link #use} has added */
    public VerifiedSockets(Properties connection) {
        if (!(connection.get(CONTEXT) instanceof SSLContext context)) {
            throw new IllegalArgumentException("no TLS context");
        }
        this.sockets = context.getSocketFactory();
    }

    static void use(Properties connection, SSLContext context) {
        connection.put(CONTEXT, context);
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return sockets.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return sockets.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        return sockets.createSocket(socket, host, port, autoClose);
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return sockets.createSocket(host, port, localHost, localPort);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return sockets.createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return sockets.createSocket(address, port, localAddress, localPort);
    }
}
