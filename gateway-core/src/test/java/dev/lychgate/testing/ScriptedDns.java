package dev.lychgate.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A DNS server on a separate port, over UDP and TCP, with scripted results. RFC 1035, 4; RFC 2782. */
public final class ScriptedDns implements AutoCloseable {
    /** Undecodable datagrams before a response: few enough for the receive buffer of a socket. */
    private static final int GARBAGE = 40;

    private static final int A = 1;
    private static final int CNAME = 5;
    private static final int AAAA = 28;
    private static final int SRV = 33;

    /** The treatment of a query. */
    public enum Mood {
        /** Responds with the configured records; other names do not exist. */
        ANSWERING,
        SILENT,
        /** Responds to queries for services as configured, and does not respond to queries for hosts. */
        SERVICES_ONLY,
        SERVER_FAILURE,
        NO_SUCH_NAME,
        /** The name exists, and has no such records. */
        EMPTY,
        /**
         * Responds as configured, but over UDP after {@value #GARBAGE} datagrams that no DNS decoder accepts,
         * half of them from another port.
         */
        BABBLING,
        /**
         * Responds as configured, but over UDP after {@value #GARBAGE} responses with the id of the query and
         * another question.
         */
        DIGRESSING,
        /** Over UDP, reports that the result did not fit; over TCP, sends the scripted one. */
        TRUNCATING
    }

    private record Entry(int type, int ttl, ByteBuffer data) {
        static Entry of(int type, int ttl, byte[] data) {
            return new Entry(type, ttl, ByteBuffer.wrap(data).asReadOnlyBuffer());
        }

        byte[] bytes() {
            byte[] copy = new byte[data.capacity()];
            data.duplicate().clear().get(copy);
            return copy;
        }
    }

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Map<String, List<Entry>> records = new ConcurrentHashMap<>();
    private final Queue<String> questions = new ConcurrentLinkedQueue<>();
    private volatile Mood mood = Mood.ANSWERING;

    private ScriptedDns(ServerSocket tcp, DatagramSocket udp) {
        this.tcp = tcp;
        this.udp = udp;
    }

    /** Binds a port for both protocols. A UDP socket of any process may use a port that is free for TCP. */
    private static ScriptedDns bound() throws IOException {
        while (true) {
            ServerSocket tcp = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            try {
                DatagramSocket udp = new DatagramSocket(tcp.getLocalPort(), InetAddress.getLoopbackAddress());
                return new ScriptedDns(tcp, udp);
            } catch (BindException used) {
                tcp.close();
            }
        }
    }

    public static ScriptedDns start() {
        try {
            ScriptedDns server = bound();
            thread(server::serveUdp);
            thread(server::serveTcp);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void thread(Runnable run) {
        Thread thread = new Thread(run, "scripted-dns");
        thread.setDaemon(true);
        thread.start();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) udp.getLocalSocketAddress();
    }

    /** The queries so far, as {@code A api.test}. */
    public List<String> questions() {
        return List.copyOf(questions);
    }

    public ScriptedDns mood(Mood changed) {
        mood = changed;
        return this;
    }

    /**
     * A host has these addresses from now on, IPv4 or IPv6, and no others.
     *
     * @param ttl seconds
     */
    public ScriptedDns host(String name, int ttl, String... addresses) {
        List<Entry> told = new ArrayList<>();
        for (String address : addresses) {
            try {
                byte[] data = InetAddress.getByName(address).getAddress();
                told.add(Entry.of(data.length == 4 ? A : AAAA, ttl, data));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        records.put(name, told);
        return this;
    }

    /** A name is another name for a host. */
    public ScriptedDns alias(String name, int ttl, String target) {
        records.put(name, List.of(Entry.of(CNAME, ttl, encoded(target))));
        return this;
    }

    /**
     * A service has these targets from now on, and no others.
     *
     * @param targets {@code PRIORITY WEIGHT PORT NAME} each
     */
    public ScriptedDns service(String name, int ttl, String... targets) {
        List<Entry> told = new ArrayList<>();
        for (String target : targets) {
            String[] part = target.split(" ", -1);
            byte[] host = encoded(part[3]);
            ByteBuffer data = ByteBuffer.allocate(6 + host.length);
            for (int i = 0; i < 3; i++) {
                data.putShort((short) Integer.parseInt(part[i]));
            }
            told.add(Entry.of(SRV, ttl, data.put(host).array()));
        }
        records.put(name, told);
        return this;
    }

    /** A service has a record that ends within its fields. */
    public ScriptedDns malformedService(String name) {
        records.put(name, List.of(Entry.of(SRV, 60, new byte[] {0, 0, 0})));
        return this;
    }

    private static byte[] encoded(String name) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String label : name.equals(".") ? new String[0] : name.split("\\.", -1)) {
            bytes.write(label.length());
            bytes.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        bytes.write(0);
        return bytes.toByteArray();
    }

    private void serveUdp() {
        byte[] buffer = new byte[4096];
        while (!udp.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                udp.receive(packet);
                byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()), false);
                if (mood == Mood.BABBLING) {
                    babble(packet.getSocketAddress());
                } else if (mood == Mood.DIGRESSING && answer != null) {
                    digress(answer, packet.getSocketAddress());
                }
                if (answer != null) {
                    udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
            } catch (IOException e) {
                return; // Closed.
            }
        }
    }

    /** A query with one label that is longer than the 63 bytes of RFC 1035, 2.3.4. */
    private void babble(SocketAddress to) throws IOException {
        byte[] garbage = new byte[200];
        garbage[2] = (byte) 0x80; // A response.
        garbage[5] = 1;
        garbage[12] = 100;
        try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < GARBAGE; i++) {
                (i % 2 == 0 ? udp : stranger).send(new DatagramPacket(garbage, garbage.length, to));
            }
        }
    }

    private void digress(byte[] answer, SocketAddress to) throws IOException {
        byte[] other = answer.clone();
        // The first letter of the question's name.
        other[13] = '0';
        for (int i = 0; i < GARBAGE; i++) {
            udp.send(new DatagramPacket(other, other.length, to));
        }
    }

    private void serveTcp() {
        while (!tcp.isClosed()) {
            try (Socket socket = tcp.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                byte[] answer = answer(in.readNBytes(in.readUnsignedShort()), true);
                if (answer != null) {
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    out.writeShort(answer.length);
                    out.write(answer);
                    out.flush();
                }
            } catch (IOException e) {
                // Closed, or the client has disconnected.
            }
        }
    }

    private byte @Nullable [] answer(byte[] query, boolean overTcp) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(query);
        short id = in.getShort();
        in.position(12);
        List<String> labels = new ArrayList<>();
        for (int length = in.get(); length > 0; length = in.get()) {
            byte[] label = new byte[length];
            in.get(label);
            labels.add(new String(label, StandardCharsets.US_ASCII));
        }
        String name = String.join(".", labels);
        int type = in.getShort();
        int questionEnds = in.position() + 2;
        questions.add((type == A ? "A " : type == AAAA ? "AAAA " : type == SRV ? "SRV " : "? ") + name);
        Mood now = mood;
        if (now == Mood.SILENT || (now == Mood.SERVICES_ONLY && type != SRV)) {
            return null;
        }
        boolean truncated = now == Mood.TRUNCATING && !overTcp;
        List<Entry> all = records.get(name);
        int code = now == Mood.SERVER_FAILURE ? 2 : now == Mood.NO_SUCH_NAME || all == null ? 3 : 0;
        boolean withRecords = code == 0 && !truncated && now != Mood.EMPTY;
        List<Entry> said = withRecords && all != null
                ? all.stream()
                        .filter(r -> r.type() == type || r.type() == CNAME)
                        .toList()
                : List.of();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(id);
        out.writeShort(0x8180 | (truncated ? 0x0200 : 0) | code);
        out.writeShort(1);
        out.writeShort(said.size());
        out.writeInt(0);
        out.write(query, 12, questionEnds - 12);
        for (Entry record : said) {
            out.writeShort(0xC00C); // The name of the question.
            out.writeShort(record.type());
            out.writeShort(1);
            out.writeInt(record.ttl());
            out.writeShort(record.bytes().length);
            out.write(record.bytes());
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        udp.close();
        try {
            tcp.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
