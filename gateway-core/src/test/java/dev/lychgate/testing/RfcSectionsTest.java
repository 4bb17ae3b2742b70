package dev.lychgate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;

/** Every test on raw bytes names the section of the RFC that it verifies, itself or in each of its rows. */
class RfcSectionsTest {
    private static final List<String> SUITES = List.of(
            "codec.ChunkReaderTest",
            "codec.HeadScannerTest",
            "codec.MessageWriterTest",
            "codec.RequestReaderTest",
            "codec.ResponseReaderTest",
            "gateway.ClientsThatLeaveTest",
            "gateway.EarlyResponsesTest",
            "gateway.ForwardedFieldsTest",
            "gateway.InterimResponsesTest",
            "gateway.LargeBodiesTest",
            "gateway.MaxForwardsTest",
            "gateway.OldClientsTest",
            "gateway.OriginFaultsTest",
            "gateway.PipelinedFloodTest",
            "gateway.PlainTrafficTest",
            "gateway.RefusedRequestsTest",
            "gateway.StaleConnectionsTest",
            "gateway.TimeoutsTest",
            "http.HeaderRulesTest",
            "http.HttpBytesTest",
            "http.PathNormalizerTest",
            "http.TrailerFieldsTest");

    /** Rules without an RFC: buffers, pauses and deadlines, refused paths, and settings of routes. */
    private static final Set<String> OUR_OWN = Set.of(
            "HeadScannerTest.headsLongerThanTheWindowAreReadInOneGo",
            "HeadScannerTest.theNextHeadBeginsAfterAReset",
            "MessageWriterTest.aCharacterThatIsNoByteBecomesAQuestionMark",
            "MessageWriterTest.aHeadWithASmallBodyIsOneBuffer",
            "MessageWriterTest.aLargePieceIsPassedOnWithoutACopy",
            "MessageWriterTest.doesNotFlushWithoutAWrite",
            "MessageWriterTest.releasesWritesToAClosedConnection",
            "MessageWriterTest.tinyPiecesAreQueuedAsFewBuffers",
            "MessageWriterTest.holdsUnreadBytesInBuffersOfTheirSize",
            "RequestReaderTest.aPauseAtAHeadLeavesItsBodyUnparsed",
            "RequestReaderTest.aResumeWithNothingBufferedParsesNothing",
            "RequestReaderTest.aResumeWithinAReadContinuesThatRead",
            "RequestReaderTest.keepsBytesThatArriveDuringAPauseInOrder",
            "ResponseReaderTest.detectsTheStartOfAResponseAtItsFirstByte",
            "ForwardedFieldsTest.thePathIsRewrittenAndTheQueryIsNot",
            "LargeBodiesTest.aBodyOfOneByteChunksIsNotQueuedAsOneByteBuffers",
            "LargeBodiesTest.aDownloadWaitsForItsReaderAndArrivesWhole",
            "LargeBodiesTest.anUploadWaitsForItsReaderAndArrivesWhole",
            "RefusedRequestsTest.anUnsafePathIsRefusedAndTheConnectionGoesOn",
            "TimeoutsTest.aClientThatDoesNotReadItsResponseIsDisconnected",
            "TimeoutsTest.aSlowButSteadyBodyIsNotCutOff",
            "TimeoutsTest.aSlowUploadIsNoSilenceOfTheOrigin",
            "HeaderRulesTest.aLongRequestIdIsNotAccepted",
            "HeaderRulesTest.aPlainRequestIdOfATrustedProxyIsAccepted",
            "HeaderRulesTest.connectionCannotRemoveRoutingFramingOrRecordFields",
            "HttpBytesTest.doesNotReadBeyondTheEnd",
            "PathNormalizerTest.eachPolicyAcceptsItsOwnPathsOnly",
            "PathNormalizerTest.mergesSlashesBeforeItRemovesDotSegments");

    private static final Pattern SECTION = Pattern.compile("\\d{4,5}, \\d+(\\.\\d+)*");

    @ParameterizedTest
    @FieldSource("SUITES")
    void everyTestNamesItsSections(String suite) throws Exception {
        List<Method> tests = tests(suite);

        assertThat(tests).isNotEmpty();
        for (Method test : tests) {
            List<String> named = sections(test);
            if (OUR_OWN.contains(name(test))) {
                assertThat(named).as("%s without an RFC", name(test)).isEmpty();
            } else {
                assertThat(named).as("the sections of %s", name(test)).isNotEmpty();
            }
            assertThat(named)
                    .as(name(test))
                    .allMatch(section -> SECTION.matcher(section).matches());
        }
    }

    @Test
    void everyExceptionIsATest() throws Exception {
        List<String> tests = new ArrayList<>();
        for (String suite : SUITES) {
            tests(suite).forEach(test -> tests.add(name(test)));
        }
        assertThat(tests).containsAll(OUR_OWN);
    }

    private static List<Method> tests(String suite) throws ClassNotFoundException {
        return Stream.of(Class.forName("dev.lychgate." + suite).getDeclaredMethods())
                .filter(method -> AnnotationSupport.isAnnotated(method, Testable.class))
                .toList();
    }

    private static String name(Method test) {
        return test.getDeclaringClass().getSimpleName() + "." + test.getName();
    }

    /** Returns the sections that {@code test}, its class and its rows name, in this order. */
    private static List<String> sections(Method test) {
        return Stream.of(
                        named(test.getAnnotation(Rfc.class)),
                        named(test.getDeclaringClass().getAnnotation(Rfc.class)),
                        rows(test))
                .flatMap(sections -> sections)
                .toList();
    }

    private static Stream<String> named(@Nullable Rfc rfc) {
        return rfc == null ? Stream.empty() : Arrays.stream(rfc.value());
    }

    /** The first column of every row, if that is what the test is shown by. */
    private static Stream<String> rows(Method test) {
        ParameterizedTest shown = test.getAnnotation(ParameterizedTest.class);
        if (shown == null || !shown.name().startsWith("RFC ")) {
            return Stream.empty();
        }
        assertThat(shown.name()).as("the name of %s", name(test)).startsWith("RFC {0}: {1}");
        CsvSource table = test.getAnnotation(CsvSource.class);
        if (table != null) {
            return Arrays.stream(table.value()).map(row -> firstColumn(row, table.delimiter()));
        }
        assertThat(test.isAnnotationPresent(MethodSource.class))
                .as("the rows of %s can be read", name(test))
                .isTrue();
        Method source = ReflectionSupport.findMethod(test.getDeclaringClass(), test.getName())
                .orElseThrow();
        Iterable<?> rows = (Iterable<?>) ReflectionSupport.invokeMethod(source, null);
        return StreamSupport.stream(rows.spliterator(), false).map(row -> (String) ((Arguments) row).get()[0]);
    }

    private static String firstColumn(String row, char delimiter) {
        if (delimiter != '\0') {
            return row.substring(0, row.indexOf(delimiter)).strip();
        }
        return row.startsWith("'") ? row.substring(1, row.indexOf('\'', 1)) : row;
    }
}
