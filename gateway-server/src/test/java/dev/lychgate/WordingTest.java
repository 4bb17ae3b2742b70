package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages, Javadoc, comments and messages follow the rules of wording of docs/glossary.md, and pages begin with their purpose. */
class WordingTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String SUBJECTS =
            "\\b(?:client|connection|exchange|file|filter|gateway|loop|origin|request|response)s? ";

    /** Refused expressions, with the advice. */
    private static final Map<Pattern, String> RULES = new LinkedHashMap<>();

    static {
        refuse("\\b(?:whoever|nobody|somebody)\\b", "name the subject");
        refuse("(?:^|[.;:] )what (?:it|is|was|has|comes|came|goes|they|one|remains)\\b", "name the subject");
        refuse("\\banswer(?:s|ed|ing)?\\b", "response, respond");
        refuse("\\b(?:is|are|was|were|be) told\\b|\\btells? (?:of|what|who|how|it)\\b", "report, return, log");
        refuse("\\b(?:hears?|heard) of\\b", "detect, notify");
        refuse(
                SUBJECTS + "(?:hears?|believes?|minds?|wants?|says?|tells?|thinks?)\\b",
                "expose, report, return, detect");
        refuse(
                "\\b(?:hand(?:s|ed|ing)? (?:on|over)|give[sn]? back|lets? (?:wait|go)|put(?:s|ting)? aside)\\b",
                "off-load, release, queue, eject");
        refuse("\\bso (?:many|much|long)\\b(?! as)|\\bgo(?:es)? on\\b", "state the limit or the time; continue");
        refuse("\\bstands? (?:which|there|beside|in it)\\b", "contain, list");
        refuse("\\bto be had\\b|\\bthe like\\b|\\bas ever\\b|\\btakes no more\\b|\\bmeets? it\\b", "say it precisely");
        refuse("\\b(?:woken|at night)\\b|\\bpapers\\b", "name the subject");
        refuse(
                "\\b(?:break(?:s|ing)?|broken|broke) off\\b|\\b(?:is|are|be|was|were) cut off\\b",
                "fail, abort, cancel, close, reset");
    }

    private static final Pattern PURPOSE = Pattern.compile("[Tt]his (?:page|guide|tutorial)\\b");
    private static final Pattern SENTENCE = Pattern.compile("\\.(?=\\s|$)");
    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern BEFORE =
            Pattern.compile("(?ms)^\\| Before \\| After \\|\\n\\|---\\|---\\|\\n((?:\\|.*?\\n)+)");
    /** Names in code, targets of links, and elements. */
    private static final Pattern CODE =
            Pattern.compile("`[^`\\n]*`|\\{@(?:code|link)[^}]*}|@param \\S+|\\]\\([^)]*\\)|<[^>]*>|\\$\\{[^}]*}");

    private static final Pattern COMMENT =
            Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"");

    private static void refuse(String expression, String advice) {
        RULES.put(Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.MULTILINE), advice);
    }

    private static List<String> faults(String prose) {
        List<String> faults = new ArrayList<>();
        String text = CODE.matcher(prose).replaceAll("");
        RULES.forEach((rule, advice) -> rule.matcher(text)
                .results()
                .forEach(found ->
                        faults.add("\"%s\" (%s)".formatted(found.group().strip(), advice))));
        return faults;
    }

    private static List<String> rows() throws IOException {
        Matcher table = BEFORE.matcher(Files.readString(ROOT.resolve("docs/glossary.md")));
        assertThat(table.find()).isTrue();
        return table.group(1).lines().toList();
    }

    @Test
    void refusesEachLineOfTheFirstColumnOfTheGlossary() throws Exception {
        assertThat(rows()).hasSizeGreaterThan(8).allSatisfy(row -> {
            String[] cells = row.split(" ?\\| ?", -1);
            assertThat(faults(cells[1])).as(cells[1]).isNotEmpty();
            assertThat(faults(cells[2])).as(cells[2]).isEmpty();
        });
    }

    @Test
    void pagesFollowTheRules() throws Exception {
        List<String> faults = new ArrayList<>();
        List<Path> pages = new ArrayList<>(files("docs", ".md"));
        Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md")
                .map(ROOT::resolve)
                .forEach(pages::add);
        for (Path page : pages) {
            String text = BEFORE.matcher(Files.readString(page)).replaceAll("");
            faults(FENCE.matcher(text).replaceAll(""))
                    .forEach(fault -> faults.add(ROOT.relativize(page) + ": " + fault));
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everyPageBeginsWithTwoSentencesThatStateItsPurpose() throws Exception {
        List<String> others = new ArrayList<>();
        for (Path page : files("docs", ".md")) {
            if (!page.toString().contains("/adr/")) {
                String first = Files.readString(page).split("\n\n", 3)[1];
                if (!PURPOSE.matcher(first).find()
                        || SENTENCE.matcher(first).results().count() < 2) {
                    others.add(ROOT.relativize(page) + ": " + first);
                }
            }
        }
        assertThat(others).isEmpty();
    }

    @Test
    void commentsAndMessagesFollowTheRules() throws Exception {
        List<String> faults = new ArrayList<>();
        List<Path> sources = new ArrayList<>();
        for (String module : List.of("gateway-core", "gateway-filters", "gateway-server", "extensions")) {
            for (Path file : files(module, ".java")) {
                if (file.toString().contains("/src/main/")) {
                    sources.add(file);
                }
            }
        }
        assertThat(sources).hasSizeGreaterThan(500);
        for (Path source : sources) {
            Matcher prose = COMMENT.matcher(Files.readString(source));
            while (prose.find()) {
                // Shorter texts are names.
                if (prose.group().startsWith("/") || prose.group().length() > 25) {
                    String text = prose.group().replaceAll("\\n\\s*\\*? ?", " ");
                    faults(text).forEach(fault -> faults.add(ROOT.relativize(source) + ": " + fault));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    private static List<Path> files(String directory, String extension) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(extension))
                    .sorted()
                    .toList();
        }
    }
}
