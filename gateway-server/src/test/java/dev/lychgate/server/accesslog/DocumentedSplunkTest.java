package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.MarkdownTable;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.server.accesslog.AccessRecord.Request;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the configuration of docs/splunk.md with the written lines. */
class DocumentedSplunkTest {
    private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-z_]+)>");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(ini|spl)\\n(.*?)^```");
    /** Fields of the application log as JSON, which the test of the encoder checks. */
    private static final Set<String> OF_THE_APPLICATION_LOG = Set.of("request_id");

    private String page = "";

    @BeforeEach
    void read() throws Exception {
        page = Files.readString(Path.of("..", "docs", "splunk.md"));
    }

    /** Returns the text after each {@code key = }. */
    private List<String> values(String key) {
        return Pattern.compile("(?m)^" + Pattern.quote(key) + " = (.*)$")
                .matcher(page)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /** A pattern in the syntax of PCRE, in which names of groups may have an underscore. */
    private Map<String, String> extracted(String line) {
        String regex = values("REGEX").get(0);
        List<String> names = GROUP.matcher(regex)
                .results()
                .map((MatchResult m) -> m.group(1))
                .toList();
        Matcher matcher = Pattern.compile(GROUP.matcher(regex).replaceAll("(")).matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        assertThat(matcher.end()).isEqualTo(line.length());
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            if (matcher.group(i + 1) != null) {
                fields.put(names.get(i), matcher.group(i + 1));
            }
        }
        return fields;
    }

    @Test
    void extractsTheFieldsOfCombinedLines() {
        assertThat(extracted(LineFormatTest.combined(
                        Records.of(Records.get("/a/b", "x=1&token=hidden"), 200, null), ZoneOffset.UTC)))
                .isEqualTo(Map.of(
                        "client", "10.0.0.9",
                        "method", "GET",
                        "path", "/a/b",
                        "query", "x=1&token=***",
                        "protocol", "HTTP/1.1",
                        "status", "200",
                        "response_bytes", "1234",
                        "referer", "https://a.example/",
                        "user_agent", "curl/8.5"));
    }

    @Test
    void extractsTheFieldsOfLinesWithMissingValues() {
        GatewayError malformed = GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request line is broken");
        assertThat(extracted(LineFormatTest.combined(Records.malformed(malformed), ZoneOffset.UTC)))
                .isEqualTo(Map.of(
                        "client", "10.0.0.9",
                        "status", "400",
                        "response_bytes", "90",
                        "referer", "-",
                        "user_agent", "-"));
        Request bare = new Request("GET", "", "/", null, HttpVersion.HTTP_1_0, null, null);
        assertThat(extracted(LineFormatTest.combined(Records.of(bare, 200, null), ZoneId.of("Asia/Kolkata"))))
                .containsEntry("path", "/")
                .doesNotContainKey("query");
    }

    @ParameterizedTest
    @MethodSource("dev.lychgate.server.accesslog.LogInjectionTest#hostile")
    void hostileTextForgesNoField(String hostile) {
        // Request lines contain no blanks: the decoder rejects them.
        String target = hostile.replaceAll("[ ?]", "");
        Request request = new Request("GET", hostile, "/" + target, target, HttpVersion.HTTP_1_1, hostile, hostile);
        Map<String, String> fields = extracted(LineFormatTest.combined(Records.of(request, 200, null), ZoneOffset.UTC));

        assertThat(fields)
                .hasSize(9)
                .containsEntry("client", "10.0.0.9")
                .containsEntry("method", "GET")
                .containsEntry("status", "200")
                .containsEntry("response_bytes", "1234");
    }

    @Test
    void refersOnlyToExistingFields() throws Exception {
        Set<String> known = new HashSet<>(MarkdownTable.names("access-log.md"));
        assertThat(known)
                .containsAll(extracted(
                                LineFormatTest.combined(Records.of(Records.get("/", "q"), 200, null), ZoneOffset.UTC))
                        .keySet());
        known.addAll(OF_THE_APPLICATION_LOG);
        List<String> named = new ArrayList<>();
        BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1).equals("spl"))
                .forEach(block -> Pattern.compile(
                                "(?<![A-Za-z0-9_])([a-z]+(?:_[a-z]+)+|status|route|endpoint|upstream|attempts|error|sample|id)(?![a-z_(])")
                        .matcher(block.group(2))
                        .results()
                        .forEach(word -> named.add(word.group(1))));
        assertThat(named)
                .hasSizeGreaterThan(15)
                .allSatisfy(name -> assertThat(known).contains(name));
    }

    @Test
    void timesAreExtractedAsTheyAreWritten() {
        AccessRecord record = Records.of(Records.get("/", null), 200, null);
        String json = LineFormatTest.json(record);
        String combined = LineFormatTest.combined(record, ZoneId.of("America/New_York"));

        assertThat(values("TIME_PREFIX")).hasSize(3);
        assertThat(values("MAX_TIMESTAMP_LOOKAHEAD")).containsExactly("24", "24", "26");
        assertThat(values("TIME_FORMAT"))
                .containsExactly("%Y-%m-%dT%H:%M:%S.%3NZ", "%Y-%m-%dT%H:%M:%S.%3NZ", "%d/%b/%Y:%H:%M:%S %z");
        assertThat(Instant.parse(behind(values("TIME_PREFIX").get(0), json, 24)))
                .isEqualTo(Instant.ofEpochMilli(Records.BEGAN));
        assertThat(OffsetDateTime.parse(
                                behind(values("TIME_PREFIX").get(2), combined, 26),
                                DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss xx", Locale.ENGLISH))
                        .toInstant())
                .isEqualTo(Instant.ofEpochMilli(Records.BEGAN - Records.BEGAN % 1000));
    }

    private static String behind(String prefix, String line, int length) {
        Matcher matcher = Pattern.compile(prefix).matcher(line);
        assertThat(matcher.find()).as(prefix).isTrue();
        return line.substring(matcher.end(), matcher.end() + length);
    }

    @Test
    void theLongestLineIsNotTruncated() {
        String text = "\u0000".repeat(10_000);
        Request request = new Request(
                AccessRecord.cut(text, 64),
                AccessRecord.cut(text, 256),
                AccessRecord.cut(text, 2048),
                AccessRecord.cut(text, 2048),
                HttpVersion.HTTP_1_1,
                AccessRecord.cut(text, 512),
                AccessRecord.cut(text, 1024));
        int fields = 32 * (LoggedFields.LONGEST * 6 + 128 + 10);
        int line = LineFormatTest.json(Records.of(request, 200, null)).length() + fields;

        assertThat(values("TRUNCATE")).allSatisfy(value -> assertThat(line).isLessThan(Integer.parseInt(value)));
    }
}
