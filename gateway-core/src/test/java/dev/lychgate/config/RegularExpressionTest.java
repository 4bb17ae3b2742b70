package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.lang.reflect.Method;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RE2 itself is the oracle: the test compares the compiled size with the estimate. */
@Tag("slow")
class RegularExpressionTest {
    /** Half of a thread's stack in the smallest profile. */
    private static final int SMALL_STACK = 256 << 10;

    private static final String[] PARTS = {
        "a",
        "bc",
        ".",
        "^",
        "$",
        "\\d",
        "\\b",
        "\\pL",
        "\\p{Greek}",
        "\\x41",
        "\\x{1F600}",
        "\\012",
        "\\.",
        "\\Qa*{3}\\E",
        "\\{",
        "[a-z]",
        "[^]a]",
        "[]a]",
        "[[:alpha:]-]",
        "[\\]{3}\\pN]",
        "[a{2}]",
        "[[:]",
        "{",
        "}",
        "{,3}",
        "{a}",
        "{2",
        "é",
        "😀",
        "(?i)",
        "(?i:k)",
        "(?-i)",
        "(?s)",
        "()",
        "(?:)",
        "(?P<n>x)",
        "(?<m>y)",
        "/",
        "k"
    };
    private static final String[] REPETITIONS = {
        "*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{3,}", "{0,4}", "{2,5}?", "{007}", "{1,1}", "{0,0}", "{0,1}"
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/(((((a{0,100}){0,100}){0,100}){0,100}){0,100})",
                "/((a{0,100}){0,100}){0,30}",
                "(?:[a-z]{1000}){1000}",
                "(((((((((((((((((((((((((((((((a{2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}",
                "((a{1000,}){1000,}){1000,}",
                "a{0,1000}"
            })
    void refusesRepetitionsThatMultiplyWithoutCompilingThem(String text) {
        assertThatThrownBy(() -> RegularExpression.compile(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 2000 instructions");
    }

    @Test
    void refusesTextsThatAreLargeWithoutAnyRepetition() {
        for (String text : new String[] {
            "(".repeat(30_000) + "a" + ")".repeat(30_000),
            "\\pL".repeat(300),
            "[" + "a".repeat(100_000) + "]",
            "a|".repeat(5_000),
            "(?i)" + "[\\x{1d00}-\\x{1e943}]".repeat(2)
        }) {
            assertThatThrownBy(() -> RegularExpression.compile(text))
                    .as(text.substring(0, 20))
                    .hasMessageContaining("at most 2000 instructions");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?i)\u1c80",
                "(?i)\\x{1c80}",
                "(?i)[\\x{100}-\\x{1d00}]",
                "(?i:a[^\\x{1c85}])",
                "\\Q\u1c88\\E(?i)",
                "(?i)[\\x80-\\x{10ffff}]"
            })
    void refusesCharactersWhoseCaseRe2jSearchesForeverIfCaseIsIgnored(String text) {
        assertThatThrownBy(() -> RegularExpression.compile(text)).hasMessageContaining("U+1C80 to U+1C88");
    }

    @Test
    void detectsEveryCharacterWithUnboundedCaseFolding() throws Exception {
        Method fold = Class.forName("com.google.re2j.Unicode").getDeclaredMethod("simpleFold", int.class);
        fold.setAccessible(true);
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            int folded = c;
            int steps = 0;
            do {
                folded = (int) fold.invoke(null, folded);
            } while (folded != c && ++steps < 10);
            boolean endless = new RegexEstimate("(?i)" + Character.toString(c)).foldsWithoutEnd();
            assertThat(endless).as("U+%X", c).isEqualTo(folded != c);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v[12]/(users|orders)/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
                "\\d{1,9}",
                "[A-Za-z0-9+/]{100}={0,2}",
                "(?i)/(img|css|js)/.*\\.(png|jpe?g|gif|svg|css|js)",
                "(?i)[\\x{0}-\\x{10ffff}]\\pL",
                "\u1c80",
                "[^/]{1,255}"
            })
    void compilesWhatIsWrittenInPractice(String text) {
        assertThat(RegularExpression.compile(text).pattern()).isEqualTo(text);
    }

    @Test
    void reportsSyntaxThatRe2DoesNotSupport() {
        assertThatThrownBy(() -> RegularExpression.compile("(a"))
                .hasMessageContaining("an RE2 expression; missing closing )");
    }

    @Test
    void estimatesAtLeastTheInstructionsThatRe2Compiles() {
        SplittableRandom random = new SplittableRandom(20);
        int compiled = 0;
        for (int round = 0; round < 60_000; round++) {
            String text = expression(random, 4);
            RegexEstimate estimate = new RegexEstimate(text);
            if (estimate.size() > 20_000 || estimate.foldsWithoutEnd()) {
                continue;
            }
            try {
                int size = Pattern.compile(text).programSize();
                assertThat(estimate.size()).as(text).isGreaterThanOrEqualTo(size);
                compiled++;
            } catch (PatternSyntaxException e) {
                // No expression.
            }
        }
        assertThat(compiled).isGreaterThan(10_000);
    }

    private static String expression(SplittableRandom random, int depth) {
        StringBuilder text = new StringBuilder();
        int parts = 1 + random.nextInt(4);
        for (int i = 0; i < parts; i++) {
            if (depth > 0 && random.nextInt(3) == 0) {
                text.append(random.nextBoolean() ? "(" : "(?:")
                        .append(expression(random, depth - 1))
                        .append(')');
            } else {
                text.append(PARTS[random.nextInt(PARTS.length)]);
            }
            if (random.nextInt(3) == 0) {
                text.append(REPETITIONS[random.nextInt(REPETITIONS.length)]);
            }
            if (random.nextInt(8) == 0) {
                text.append('|');
            }
        }
        return text.toString();
    }

    @Test
    void compilesAndMatchesTheLargestOnASmallStack() throws Exception {
        for (String part :
                new String[] {"a?", "^", "(?:a|b)?", "()", "(", "a{0,100}", "(?:.?.?.?){0,10}", "(?:a(?:b", "|a"}) {
            String largest = largest(part);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread thread = new Thread(
                    null,
                    () -> assertThatCode(
                                    () -> RegularExpression.compile(largest).matches("/" + "a".repeat(500)))
                            .doesNotThrowAnyException(),
                    "small-stack",
                    SMALL_STACK);
            thread.setUncaughtExceptionHandler((t, e) -> thrown.set(e));
            thread.start();
            thread.join();
            assertThat(thrown.get()).as(part).isNull();
        }
    }

    private static String largest(String part) {
        String text = "a";
        for (int i = 1; ; i++) {
            int open = (int) part.chars().filter(c -> c == '(').count()
                    - (int) part.chars().filter(c -> c == ')').count();
            String next = part.repeat(i) + "a" + ")?".repeat(open * i);
            if (RegularExpression.size(next) > RegularExpression.MAX_SIZE) {
                return text;
            }
            text = next;
        }
    }
}
