package dev.lychgate.server.accesslog;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.http.Redaction;
import dev.lychgate.perf.NanosecondBenchmark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;

/**
 * The cost of one JSON line of the access log, written by the gateway's code and by Jackson. Jackson is used in its cheapest
 * form: all lines share one generator, the field names are encoded beforehand, and the times are formatted beforehand. See
 * decision 16.
 */
@Fork(3)
public class AccessLineBenchmark extends NanosecondBenchmark {
    private final AccessRecord record = record();
    private final JsonLines lines = new JsonLines(Redaction.USUAL);
    private final LineBuffer line = new LineBuffer(1024);
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    private final List<SerializableString> names = new ArrayList<>();
    /** The values of {@link #names}: texts, longs and doubles. */
    private final List<Object> values = new ArrayList<>();

    private final JsonGenerator json;

    /** Reads the fields of a line of the gateway, so that Jackson writes the same fields. */
    public AccessLineBenchmark() {
        JsonFactory factory =
                JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
        lines.append(line, record);
        try (JsonParser parser = factory.createParser(line.take())) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                if (parser.currentToken() == JsonToken.FIELD_NAME) {
                    names.add(new SerializedString(parser.currentName()));
                } else if (parser.currentToken().isScalarValue()) {
                    values.add(
                            parser.currentToken() == JsonToken.VALUE_STRING
                                    ? parser.getText()
                                    : parser.getNumberValue());
                }
            }
            json = factory.createGenerator(bytes);
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
                null,
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
                0,
                null,
                new AccessRecord.Times(12_345_600, 0, -1, 11_000_000),
                null,
                null,
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
        for (int i = 0; i < names.size(); i++) {
            json.writeFieldName(names.get(i));
            Object value = values.get(i);
            if (value instanceof String text) {
                json.writeString(text);
            } else if (value instanceof Double number) {
                json.writeNumber(number);
            } else {
                json.writeNumber(((Number) value).longValue());
            }
        }
        json.writeEndObject();
        json.flush();
        int length = bytes.size();
        bytes.reset();
        return length;
    }
}
