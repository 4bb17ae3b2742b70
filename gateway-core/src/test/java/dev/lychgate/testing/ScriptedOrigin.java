package dev.lychgate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An origin on a real socket (127.0.0.1, a free port) that runs its scripts, byte by byte.
 *
 * <pre>{@code
 * try (ScriptedOrigin origin = ScriptedOrigin.start()
 *         .onNextConnection(c -> { c.readHead(); c.reset(); })
 *         .onConnection(c -> c.answerEvery(request -> Responses.ok("hello")))) {
 *     ...
 *     origin.awaitRequests(2);
 * }
 * }</pre>
 *
 * <p>Every connection runs its script on a separate thread. A script that fails, and a connection without a script, fail the
 * test when the origin is closed.
 */
public final class ScriptedOrigin implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final ServerSocket server;
    private final Queue<ConnectionScript> next = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<RawMessage> requests = new CopyOnWriteArrayList<>();
    private final Set<Wire> wires = ConcurrentHashMap.newKeySet();
    private final Set<Thread> players = ConcurrentHashMap.newKeySet();
    private final Tally accepted = new Tally("connections accepted");
    private final Tally seen = new Tally("requests seen");
    private final Tally open = new Tally("connections open");
    private final Thread acceptor;
    private volatile @Nullable ConnectionScript always;
    private volatile boolean closing;
    private volatile @Nullable SSLContext tls;
    private volatile boolean asksClients;
    private final Tally refusedHandshakes = new Tally("handshakes that failed");

    private ScriptedOrigin(ServerSocket server) {
        this.server = server;
        this.acceptor = thread("accept", this::accept);
    }

    /** Starts an origin; connections wait for a script from {@link #onConnection} or {@link #onNextConnection}. */
    public static ScriptedOrigin start() {
        return start(0);
    }

    /**
     * Starts an origin at a port that has refused connections so far, and will again as soon as the origin is closed. A client
     * may connect at once, so the behavior for every connection has to be set before.
     */
    public static ScriptedOrigin startAt(RefusingPort dead, ConnectionScript script) {
        return start(0, dead.address(), script);
    }

    /** Starts an origin with a small receive buffer, so that it is felt soon when it stops reading. */
    public static ScriptedOrigin startWithReceiveBuffer(int bytes) {
        return start(bytes);
    }

    /** Starts an origin that runs {@code script} for every request on every connection. */
    public static ScriptedOrigin answering(RequestScript script) {
        return start().onConnection(connection -> connection.answerEvery(script));
    }

    /** Works like {@link #answering}, with peers that may disconnect at any moment. */
    public static ScriptedOrigin answeringWhoStays(RequestScript script) {
        ConnectionScript all = connection -> connection.answerEvery(script);
        return start().onConnection(all.untilThePeerLeaves());
    }

    /** Works like {@link #answering}, at a given address. */
    public static ScriptedOrigin answeringAt(InetSocketAddress address, RequestScript script) {
        return start(0, address, connection -> connection.answerEvery(script));
    }

    private static ScriptedOrigin start(int receiveBuffer) {
        return start(receiveBuffer, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
    }

    @SuppressWarnings("resource") // closed by close()
    private static ScriptedOrigin start(
            int receiveBuffer, InetSocketAddress address, @Nullable ConnectionScript script) {
        try {
            ServerSocket server = new ServerSocket();
            if (receiveBuffer > 0) {
                server.setReceiveBufferSize(receiveBuffer);
            }
            server.setReuseAddress(true);
            server.bind(address, BACKLOG);
            ScriptedOrigin origin = new ScriptedOrigin(server);
            origin.always = script;
            origin.acceptor.start();
            return origin;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs {@code script} on every connection without a specific one. */
    public ScriptedOrigin onConnection(ConnectionScript script) {
        always = script;
        return this;
    }

    /** Plays {@code script} on one connection: the next that has none yet. Call again for the one after it. */
    public ScriptedOrigin onNextConnection(ConnectionScript script) {
        next.add(script);
        return this;
    }

    /**
     * Uses TLS on every connection from now on; the script begins after the handshake. A failed handshake is counted, and does
     * not fail the test.
     *
     * @param asks whether clients must present certificates
     */
    public ScriptedOrigin overTls(SSLContext context, boolean asks) {
        asksClients = asks;
        tls = context;
        return this;
    }

    /** Waits until at least {@code count} handshakes have failed. */
    public void awaitRefusedHandshakes(int count) throws InterruptedException {
        await(refusedHandshakes, count, true);
    }

    /** Returns the address of the origin. */
    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    /** The port it listens on. */
    public int port() {
        return server.getLocalPort();
    }

    /** Returns the number of accepted connections. */
    public int connectionsAccepted() {
        return accepted.get();
    }

    /**
     * The number of connections with a running script. A script that does not read does not detect that its peer disconnected.
     */
    public int openConnections() {
        return open.get();
    }

    /** Returns the number of requests, or of heads if a script reads heads, that were read. */
    public int requestsSeen() {
        return seen.get();
    }

    /** The requests read so far, over all connections; requests of {@link ScriptedConnection#readHead} have no body. */
    public List<RawMessage> requests() {
        return List.copyOf(requests);
    }

    /** Waits until at least {@code count} connections were accepted. */
    public void awaitConnections(int count) throws InterruptedException {
        await(accepted, count, true);
    }

    /** Waits until at least {@code count} requests were read, and returns them. */
    public List<RawMessage> awaitRequests(int count) throws InterruptedException {
        await(seen, count, true);
        return requests();
    }

    /** Waits until exactly {@code count} connections are open. */
    public void awaitOpenConnections(int count) throws InterruptedException {
        await(open, count, false);
    }

    /**
     * Stops listening, ends all connections and waits for their scripts.
     *
     * @throws AssertionError with the failures of the scripts
     */
    @Override
    public void close() {
        closing = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        join(acceptor); // no further players from here on
        wires.forEach(Wire::close);
        players.forEach(Thread::interrupt);
        for (Thread player : players) {
            join(player);
        }
        throwFailures();
    }

    private void accept() {
        while (!closing) {
            try {
                Socket socket = server.accept();
                open.add(1); // before it counts as accepted, so that a waiting test does not read 0 open
                int number = accepted.add(1);
                // Here and not on the connection's thread: connections get scripts in the order of acceptance.
                ConnectionScript script = takeScript(number);
                Thread player = thread("connection " + number, () -> play(number, socket, script));
                players.add(player);
                player.start();
            } catch (IOException e) {
                fail(e);
                return;
            }
        }
    }

    private void play(int number, Socket socket, ConnectionScript script) {
        Socket encrypted = socket;
        SSLContext context = tls;
        if (context != null) {
            try {
                encrypted = shakeHands(context, socket);
            } catch (IOException e) {
                refusedHandshakes.add(1);
                open.add(-1);
                players.remove(Thread.currentThread());
                closeQuietly(socket);
                return;
            }
        }
        try (Wire wire = new Wire(encrypted)) {
            wires.add(wire);
            try {
                if (!closing) { // else close() may have read the wires before this one was added
                    script.play(new ScriptedConnection(number, wire, socket, this::record));
                }
            } finally {
                wires.remove(wire);
            }
        } catch (Throwable e) {
            fail(e);
        } finally {
            open.add(-1);
            players.remove(Thread.currentThread());
        }
    }

    private Socket shakeHands(SSLContext context, Socket socket) throws IOException {
        socket.setSoTimeout((int) Wire.USUAL_LIMIT.toMillis());
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
        encrypted.setUseClientMode(false);
        encrypted.setNeedClientAuth(asksClients);
        encrypted.startHandshake();
        return encrypted;
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ConnectionScript takeScript(int number) {
        ConnectionScript own = next.poll();
        ConnectionScript script = own != null ? own : always;
        return script != null
                ? script
                : connection -> {
                    throw new AssertionError("connection " + number + " came, and no script is left for it");
                };
    }

    private void record(RawMessage request) {
        requests.add(request);
        seen.add(1);
    }

    private void fail(Throwable failure) {
        // Closing ends connections under their scripts: these exceptions are expected, a failed assertion is not.
        if (!closing || failure instanceof AssertionError) {
            failures.add(failure);
        }
    }

    private void await(Tally tally, int count, boolean orMore) throws InterruptedException {
        try {
            tally.await(
                    (orMore ? "at least " : "exactly ") + count,
                    now -> orMore ? now >= count : now == count,
                    Wire.USUAL_LIMIT);
        } catch (AssertionError e) {
            failures.forEach(e::addSuppressed);
            throw e;
        }
    }

    private Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, "origin " + port() + " " + name);
        thread.setDaemon(true);
        return thread;
    }

    private void join(Thread player) {
        try {
            player.join(Wire.USUAL_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (player.isAlive()) {
            failures.add(new AssertionError(player.getName() + " did not end"));
        }
    }

    private void throwFailures() {
        Throwable first = failures.poll();
        if (first != null) {
            AssertionError error = new AssertionError("a script of the origin failed: " + first, first);
            failures.forEach(error::addSuppressed);
            throw error;
        }
    }
}
