package dev.lychgate;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The sentences about the house that a compiler does not check. A station not built yet breaks none of them. */
class ArchitectureTest {
    /** The way of a request, top to bottom; who stands higher may know who stands lower, never the other way round. */
    private static final List<String> STATIONS = List.of(
            "gateway", // assembly: knows all, known by none
            "listener",
            "exchange",
            "generation", // what an exchange looks up: made of filters, routes and upstreams
            "filter",
            "route",
            "dns",
            "health",
            "upstream",
            "resilience",
            "pool",
            "origin");

    /** Known by every station, knowing none. */
    private static final List<String> COMMONS =
            List.of("http", "error", "config", "codec", "loop", "http2", "tls", "proxyprotocol", "tracing", "splice");

    /** Stations whose code runs on an event loop, which must never wait. */
    private static final List<String> ON_THE_LOOP = List.of(
            "listener",
            "codec",
            "http2",
            "proxyprotocol",
            "tracing",
            "splice",
            "exchange",
            "route",
            "resilience",
            "pool",
            "origin");

    private static final Pattern SYNCHRONIZED_BLOCK = Pattern.compile("(?m)^\\s*synchronized \\(");

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.lychgate");

    @Test
    void everyPackageHasItsPlaceOnTheWay() {
        check(classes().should().resideInAnyPackage(packages(Stream.concat(STATIONS.stream(), COMMONS.stream()))));
    }

    @ParameterizedTest
    @FieldSource("STATIONS")
    void aStationKnowsOnlyStationsFurtherDownTheWay(String station) {
        Stream<String> above = STATIONS.subList(0, STATIONS.indexOf(station)).stream();
        check(noClasses().that().resideInAPackage(in(station)).should().dependOnClassesThat(resideIn(above)));
    }

    @ParameterizedTest
    @FieldSource("COMMONS")
    void commonsKnowNoStation(String common) {
        check(noClasses()
                .that()
                .resideInAPackage(in(common))
                .should()
                .dependOnClassesThat(resideIn(STATIONS.stream())));
    }

    @Test
    void listenerAndOriginNeverImportEachOther() {
        check(noClasses()
                .that()
                .resideInAPackage(in("listener"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(in("origin")));
        check(noClasses()
                .that()
                .resideInAPackage(in("origin"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(in("listener")));
    }

    @Test
    void routeFilterAndUpstreamSeeNoChannel() {
        check(noClasses()
                .that()
                .resideInAnyPackage(in("route"), in("filter"), in("upstream"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.netty.channel.."));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("dev.lychgate.(*)..").should().beFreeOfCycles());
    }

    @Test
    void coreKnowsNothingThatSitsBehindItsInterfaces() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "groovy..",
                        "org.codehaus.groovy..",
                        "org.apache.groovy..",
                        "rx..",
                        "io.reactivex..",
                        "com.netflix..",
                        "io.micrometer..",
                        "ch.qos.logback..",
                        "org.snakeyaml..",
                        "org.yaml..",
                        "com.fasterxml.."));
    }

    @Test
    void noNameSaysManagerHelperUtilInfoOrData() {
        check(noClasses().should().haveNameMatching(".*(Manager|Helper|Utils?|Info|Data)"));
    }

    @Test
    void everyPackageIsNullMarked() {
        check(classes()
                .should(be(describe(
                        "in a package whose package-info says @NullMarked",
                        type -> type.getPackage().isAnnotatedWith(NullMarked.class)))));
    }

    @Test
    void publicFieldsAreFinal() {
        check(fields().that().arePublic().should().beFinal());
    }

    @Test
    void onlyErrorResponsesTurnsAFailureIntoAStatus() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(in("http"), in("config"), in("codec"), in("http2"))
                .and()
                .doNotHaveFullyQualifiedName("dev.lychgate.error.ErrorResponses")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(HttpResponseStatus.class));
    }

    @Test
    void nobodyWritesToTheStandardStreams() {
        check(NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
    }

    @Test
    void nobodySleeps() {
        check(noClasses()
                .should()
                .callMethodWhere(describe(
                        "Thread.sleep",
                        call -> call.getTargetOwner().isEquivalentTo(Thread.class)
                                && call.getName().equals("sleep"))));
    }

    @Test
    void nothingOnTheLoopTakesALock() {
        check(noClasses()
                .that()
                .resideInAnyPackage(packages(ON_THE_LOOP.stream()))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent.locks.."));
    }

    @Test
    void nothingOnTheLoopWaits() {
        check(noClasses()
                .that()
                .resideInAnyPackage(packages(ON_THE_LOOP.stream()))
                .should()
                .callMethodWhere(describe(
                        "Object.wait",
                        // By name and arguments: the call names the type it is made on, not Object.
                        call -> call.getName().equals("wait")
                                && call.getTarget().getRawParameterTypes().stream()
                                        .allMatch(JavaClass::isPrimitive))));
    }

    @Test
    void noMethodOnTheLoopIsSynchronized() {
        check(noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAnyPackage(packages(ON_THE_LOOP.stream()))
                .should()
                .haveModifier(SYNCHRONIZED));
    }

    /** ArchUnit does not see synchronized blocks, so this one reads the sources; the formatter gives each its own line. */
    @ParameterizedTest
    @FieldSource("ON_THE_LOOP")
    void nothingOnTheLoopHasASynchronizedBlock(String station) throws IOException {
        Path sources = Path.of("src/main/java/dev/lychgate", station);
        if (!Files.isDirectory(sources)) {
            return;
        }
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(SYNCHRONIZED_BLOCK);
            }
        }
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CORE);
    }

    private static DescribedPredicate<JavaClass> resideIn(Stream<String> names) {
        return JavaClass.Predicates.resideInAnyPackage(packages(names));
    }

    private static String[] packages(Stream<String> names) {
        return names.map(ArchitectureTest::in).toArray(String[]::new);
    }

    private static String in(String name) {
        return "dev.lychgate." + name + "..";
    }
}
