package dev.lychgate.server.otlp;

import dev.lychgate.server.history.Author;
import dev.lychgate.server.history.Change;
import dev.lychgate.server.history.ChangedFile;
import dev.lychgate.server.history.Entry;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts an entry of the history to a log record with an event name. If OpenTelemetry's conventions define a name for
 * an attribute, this name is used.
 *
 * @see <a href="https://opentelemetry.io/docs/specs/semconv/general/events/">Semantic conventions for events</a>
 */
final class ChangeEvent {
    static final String NAME = "lychgate.change";

    private static final int INFO = 9;
    private static final int WARN = 13;

    /** The verdicts of changes that failed, and of states that need attention. */
    private static final Set<String> WARNINGS =
            Set.of("refused", "denied", "failed", "aborted", "fallback", "lost", "torn");

    /** Field numbers of a LogRecord. */
    private static final int TIME = 1;

    private static final int SEVERITY = 2;
    private static final int SEVERITY_TEXT = 3;
    private static final int BODY = 5;
    private static final int ATTRIBUTE = 6;
    private static final int OBSERVED = 11;
    private static final int EVENT_NAME = 12;

    private static final Pattern ADDRESS = Pattern.compile("\\[?(?<host>.*?)]?:(?<port>[0-9]{1,5})");

    private ChangeEvent() {}

    /**
     * Returns a {@code LogRecord}.
     *
     * @param now the time of the export
     */
    static ProtoMessage of(Entry entry, Instant now) {
        Change change = entry.change();
        boolean warning = WARNINGS.contains(change.verdict());
        ProtoMessage event = new ProtoMessage()
                .fixed(TIME, nanos(change.time()))
                .integer(SEVERITY, warning ? WARN : INFO)
                .text(SEVERITY_TEXT, warning ? "WARN" : "INFO")
                .message(BODY, ProtoMessage.any(change.action() + " " + change.verdict()))
                .attribute(ATTRIBUTE, "lychgate.change.number", entry.number())
                .attribute(ATTRIBUTE, "lychgate.change.previous", text(entry.previous()))
                .attribute(ATTRIBUTE, "lychgate.change.hash", text(entry.hash()))
                .attribute(ATTRIBUTE, "lychgate.change.action", change.action())
                .attribute(ATTRIBUTE, "lychgate.change.verdict", change.verdict())
                .attribute(ATTRIBUTE, "lychgate.change.reason", text(change.reason()))
                .attribute(ATTRIBUTE, "lychgate.change.duration_ms", change.millis());
        author(event, change.author());
        generations(event, change);
        return event.fixed(OBSERVED, nanos(now)).text(EVENT_NAME, NAME);
    }

    private static void author(ProtoMessage event, Author author) {
        event.attribute(ATTRIBUTE, "lychgate.change.by", author.by())
                .attribute(ATTRIBUTE, "user.name", text(author.operator()))
                .attribute(ATTRIBUTE, "lychgate.change.proof", text(author.proof()));
        Matcher address = ADDRESS.matcher(author.address());
        if (address.matches()) {
            event.attribute(ATTRIBUTE, "client.address", address.group("host"))
                    .attribute(ATTRIBUTE, "client.port", Long.valueOf(address.group("port")));
        }
    }

    private static void generations(ProtoMessage event, Change change) {
        event.attribute(ATTRIBUTE, "lychgate.change.from", positive(change.from()))
                .attribute(ATTRIBUTE, "lychgate.change.to", positive(change.to()))
                .attribute(ATTRIBUTE, "lychgate.change.kept", text(change.kept()))
                .attribute(
                        ATTRIBUTE,
                        "lychgate.change.arguments",
                        change.parameters().isEmpty() ? null : change.parameters())
                .attribute(ATTRIBUTE, "lychgate.change.files", files(change.files()))
                .attribute(ATTRIBUTE, "lychgate.change.more_files", positive(change.moreFiles()));
    }

    private static @Nullable List<Map<String, String>> files(List<ChangedFile> files) {
        return files.isEmpty() ? null : files.stream().map(ChangeEvent::file).toList();
    }

    private static Map<String, String> file(ChangedFile file) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("path", file.path());
        members.put("change", file.kind());
        if (!file.sha256().isEmpty()) {
            members.put("sha256", file.sha256());
        }
        return members;
    }

    private static @Nullable String text(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable Long positive(long number) {
        return number > 0 ? number : null;
    }

    private static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }
}
