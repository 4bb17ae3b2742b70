package dev.lychgate.server.history;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A change of the gateway, or an attempt to change it. Immutable. Texts and lists are truncated, so that a line of the
 * history has a bounded length.
 *
 * @param action the kind of change in one word: {@code reload}, {@code rollback}, {@code rollout}, {@code renewal},
 *     {@code start}, {@code stop}, or the last segments of the path of the admin listener, such as
 *     {@code upstreams/endpoint}
 * @param parameters the parameters of the request to the admin listener; parameters that the operation does not define
 *     are omitted
 * @param from the number of the generation before the change; 0 if the change concerns no generation
 * @param to the generation after the change, which may be a candidate; 0 if there is none
 * @param files the files that differ from the previous generation
 * @param moreFiles the number of further files that differ and are not listed
 * @param kept the digest under which the files of the generation are stored; empty if they are not stored
 * @param verdict {@code accepted}, {@code refused}, {@code denied}, {@code failed}, {@code unchanged},
 *     {@code candidate}, or the event of a rollout
 * @param millis the duration in milliseconds
 * @param reason an explanation for people
 */
public record Change(
        Instant time,
        String action,
        Author author,
        Map<String, String> parameters,
        long from,
        long to,
        List<ChangedFile> files,
        int moreFiles,
        String kept,
        String verdict,
        long millis,
        String reason) {
    private static final int LONGEST_TEXT = 512;
    private static final int LONGEST_REASON = 4096;
    private static final int MOST_FILES = 100;
    private static final int MOST_PARAMETERS = 16;

    public Change {
        action = cut(action, LONGEST_TEXT);
        author = new Author(
                author.by(),
                cut(author.operator(), LONGEST_TEXT),
                cut(author.address(), LONGEST_TEXT),
                cut(author.proof(), LONGEST_TEXT));
        parameters = cut(parameters);
        if (files.size() > MOST_FILES) {
            moreFiles += files.size() - MOST_FILES;
            files = files.subList(0, MOST_FILES);
        }
        files = files.stream()
                .map(file -> new ChangedFile(cut(file.path(), LONGEST_TEXT), file.kind(), file.sha256()))
                .toList();
        reason = cut(reason, LONGEST_REASON);
    }

    /** Creates a change with the current time and without files. */
    public static Change of(String action, Author author, String verdict, String reason) {
        return new Change(Instant.now(), action, author, Map.of(), 0, 0, List.of(), 0, "", verdict, 0, reason);
    }

    /** Returns this change with the parameters of a request. */
    public Change with(Map<String, String> others) {
        return new Change(time, action, author, others, from, to, files, moreFiles, kept, verdict, millis, reason);
    }

    /**
     * Returns this change with the generations before and after it.
     *
     * @param after 0 if there is none
     */
    public Change between(long before, long after) {
        return new Change(
                time, action, author, parameters, before, after, files, moreFiles, kept, verdict, millis, reason);
    }

    /** Returns this change with the files that differ from the previous generation. */
    public Change of(List<ChangedFile> changed) {
        return new Change(time, action, author, parameters, from, to, changed, 0, kept, verdict, millis, reason);
    }

    /**
     * Returns this change with stored files.
     *
     * @param digest the digest under which the files are stored; empty if they are not stored
     */
    public Change keptAs(String digest) {
        return new Change(
                time, action, author, parameters, from, to, files, moreFiles, digest, verdict, millis, reason);
    }

    /** Returns this change with its duration. */
    public Change lasting(long milliseconds) {
        return new Change(
                time, action, author, parameters, from, to, files, moreFiles, kept, verdict, milliseconds, reason);
    }

    private static Map<String, String> cut(Map<String, String> all) {
        Map<String, String> some = new LinkedHashMap<>();
        all.forEach((name, value) -> {
            if (some.size() < MOST_PARAMETERS) {
                some.put(cut(name, LONGEST_TEXT), cut(value, LONGEST_TEXT));
            }
        });
        return Collections.unmodifiableMap(some);
    }

    private static String cut(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "...";
    }
}
