package dev.lychgate.server.accesslog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.http.Redaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of one JSON line of the access log: as the gateway writes it, and by Jackson's generator in the form that costs least,
 * one generator for all lines, field names encoded beforehand and the second of the time formatted once. See decision 15.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class AccessLineBenchmark {
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final SerializableString TIME = new SerializedString("time");
    private static final SerializableString ID = new SerializedString("id");
    private static final SerializableString LISTENER = new SerializedString("listener");
    private static final SerializableString CLIENT = new SerializedString("client");
    private static final SerializableString METHOD = new SerializedString("method");
    private static final SerializableString HOST = new SerializedString("host");
    private static final SerializableString PATH = new SerializedString("path");
    private static final SerializableString QUERY = new SerializedString("query");
    private static final SerializableString PROTOCOL = new SerializedString("protocol");
    private static final SerializableString STATUS = new SerializedString("status");
    private static final SerializableString REQUEST_BYTES = new SerializedString("request_bytes");
    private static final SerializableString RESPONSE_BYTES = new SerializedString("response_bytes");
    private static final SerializableString ROUTE = new SerializedString("route");
    private static final SerializableString UPSTREAM = new SerializedString("upstream");
    private static final SerializableString ENDPOINT = new SerializedString("endpoint");
    private static final SerializableString ATTEMPTS = new SerializedString("attempts");
    private static final SerializableString TOTAL_MS = new SerializedString("total_ms");
    private static final SerializableString POOL_WAIT_MS = new SerializedString("pool_wait_ms");
    private static final SerializableString CONNECT_MS = new SerializedString("connect_ms");
    private static final SerializableString FIRST_BYTE_MS = new SerializedString("first_byte_ms");
    private static final SerializableString GENERATION = new SerializedString("generation");
    private static final SerializableString USER_AGENT = new SerializedString("user_agent");
    private static final SerializableString REFERER = new SerializedString("referer");

    private final AccessRecord record = record();
    private final JsonLines lines = new JsonLines(Redaction.USUAL);
    private final LineBuffer line = new LineBuffer(1024);
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    private final JsonGenerator json;
    private long second = Long.MIN_VALUE;
    private String secondText = "";

    public AccessLineBenchmark() {
        try {
            json = JsonFactory.builder()
                    .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
                    .build()
                    .createGenerator(bytes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        json.setRootValueSeparator(new SerializedString(""));
    }

    private static AccessRecord record() {
        return new AccessRecord(
                1_793_678_706_801L,
                "5f0c1d2e3f4a5b6c00000001",
                "main",
                InetAddress.getLoopbackAddress(),
                new AccessRecord.Request(
                        "GET",
                        "shop.example",
                        "/api/orders/2931/items",
                        "page=3&sort=price",
                        HttpVersion.HTTP_1_1,
                        "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
                        "https://shop.example/cart"),
                200,
                0,
                1024,
                "api",
                "orders",
                "10.0.0.17:9000",
                1,
                null,
                new AccessRecord.Times(12_345_600, 0, -1, 11_000_000),
                null,
                null,
                7,
                null,
                null,
                null,
                1);
    }

    @Benchmark
    public int own() {
        lines.append(line, record);
        int length = line.length();
        line.truncate(0);
        return length;
    }

    @Benchmark
    public int jackson() throws IOException {
        json.writeStartObject();
        long began = record.beganAt();
        json.writeFieldName(TIME);
        json.writeString(time(began));
        text(ID, record.id());
        text(LISTENER, record.listener());
        text(CLIENT, record.client().getHostAddress());
        AccessRecord.Request request = record.request();
        if (request != null) {
            text(METHOD, request.method());
            text(HOST, request.host(Redaction.USUAL));
            text(PATH, request.path());
            text(QUERY, Redaction.USUAL.query(request.query()));
            text(PROTOCOL, request.protocol());
        }
        number(STATUS, record.status());
        number(REQUEST_BYTES, record.requestBytes());
        number(RESPONSE_BYTES, record.responseBytes());
        text(ROUTE, record.route());
        text(UPSTREAM, record.upstream());
        text(ENDPOINT, record.endpoint());
        number(ATTEMPTS, record.attempts());
        AccessRecord.Times times = record.times();
        millis(TOTAL_MS, times.total());
        millis(POOL_WAIT_MS, times.poolWait());
        millis(CONNECT_MS, times.connect());
        millis(FIRST_BYTE_MS, times.firstByte());
        number(GENERATION, record.generation());
        if (request != null) {
            text(USER_AGENT, request.userAgent(Redaction.USUAL));
            text(REFERER, request.referer(Redaction.USUAL));
        }
        json.writeEndObject();
        json.flush();
        int length = bytes.size();
        bytes.reset();
        return length;
    }

    private String time(long millis) {
        long its = Math.floorDiv(millis, 1000L);
        if (its != second) {
            second = its;
            secondText = SECOND.format(Instant.ofEpochSecond(its)) + '.';
        }
        long rest = Math.floorMod(millis, 1000L);
        return secondText + (char) ('0' + rest / 100) + (char) ('0' + rest / 10 % 10) + (char) ('0' + rest % 10) + 'Z';
    }

    private void text(SerializableString name, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeFieldName(name);
            json.writeString(value);
        }
    }

    private void number(SerializableString name, long value) throws IOException {
        json.writeFieldName(name);
        json.writeNumber(value);
    }

    private void millis(SerializableString name, long nanos) throws IOException {
        if (nanos >= 0) {
            long micros = (nanos + 500) / 1000;
            json.writeFieldName(name);
            json.writeNumber(micros / 1e3);
        }
    }
}
