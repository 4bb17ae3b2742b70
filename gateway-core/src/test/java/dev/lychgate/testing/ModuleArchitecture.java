package dev.lychgate.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.SYNCHRONIZED;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.PackageMatcher;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Architecture rules for every module. Each module has one subclass, which declares its layers and the packages that may block.
 * A rule with an empty subject fails, so a renamed or removed package has to be removed from the lists.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ModuleArchitecture {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Pattern SYNCHRONIZED_BLOCK = Pattern.compile("(?m)^\\s*synchronized \\(");

    /** The packages of the gateway. Classes with the names of a foreign API keep these names. */
    private static final String OWN = "dev.lychgate..";

    private final List<String> layers;
    private final String[] onTheLoop;
    private final JavaClasses module = new ClassFileImporter().importPath(Path.of("target/classes"));

    /**
     * @param layers every package of the module, in the syntax of ArchUnit, top to bottom: one depends on those further down
     *     only
     * @param mayBlock the packages with code that waits or locks, on separate threads or outside of requests
     */
    protected ModuleArchitecture(List<String> layers, List<String> mayBlock) {
        assertThat(layers).containsAll(mayBlock);
        this.layers = List.copyOf(layers);
        this.onTheLoop =
                layers.stream().filter(layer -> !mayBlock.contains(layer)).toArray(String[]::new);
    }

    /** Checks {@code rule} on the classes of the module; fails if it applies to none. */
    protected final void check(ArchRule rule) {
        rule.check(module);
    }

    final List<String> layers() {
        return layers;
    }

    @Test
    void everyPackageBelongsToALayer() {
        check(classes().should().resideInAnyPackage(layers.toArray(String[]::new)));
    }

    @ParameterizedTest
    @MethodSource("layers")
    void layerDependsOnLowerLayersOnly(String layer) {
        String[] above = layers.subList(0, layers.indexOf(layer)).toArray(String[]::new);
        check(noClasses().that().resideInAPackage(layer).should().dependOnClassesThat(resideInAnyPackage(above)));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("dev.lychgate.(**)").should().beFreeOfCycles());
    }

    @Test
    void noNameSaysManagerHelperUtilInfoOrData() {
        check(noClasses()
                .that()
                .resideInAPackage(OWN)
                .should()
                .haveNameMatching(".*(Manager|Helper|Utils?|Info|Data)"));
    }

    @Test
    void everyPackageIsNullMarked() {
        check(classes()
                .should(be(describe(
                        "in a package with @NullMarked in its package-info",
                        type -> type.getPackage().isAnnotatedWith(NullMarked.class)))));
    }

    @Test
    void publicFieldsAreFinal() {
        check(fields().that()
                .areDeclaredInClassesThat()
                .resideInAPackage(OWN)
                .should()
                .notBePublic()
                .orShould()
                .beFinal());
    }

    @Test
    void addressesAreWrittenInCanonicalForm() {
        check(noClasses()
                .should()
                .callMethodWhere(describe(
                        "InetAddress.getHostAddress, use IpLiteral.text",
                        call -> call.getTargetOwner().isAssignableTo(InetAddress.class)
                                && call.getName().equals("getHostAddress"))));
    }

    @Test
    void nothingOnTheLoopSleeps() {
        check(noClasses()
                .that()
                .resideInAnyPackage(onTheLoop)
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
                .resideInAnyPackage(onTheLoop)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent.locks.."));
    }

    @Test
    void nothingOnTheLoopWaits() {
        check(noClasses()
                .that()
                .resideInAnyPackage(onTheLoop)
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
                .resideInAnyPackage(onTheLoop)
                .should()
                .haveModifier(SYNCHRONIZED));
    }

    /**
     * ArchUnit does not detect synchronized blocks, so this rule reads the sources; the formatter puts each on a separate line.
     */
    @Test
    void nothingOnTheLoopHasASynchronizedBlock() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> read = files.filter(ModuleArchitecture::isSource)
                    .filter(this::isOnTheLoop)
                    .toList();
            assertThat(read).isNotEmpty();
            for (Path file : read) {
                assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(SYNCHRONIZED_BLOCK);
            }
        }
    }

    private static boolean isSource(Path file) {
        return file.toString().endsWith(".java");
    }

    private boolean isOnTheLoop(Path file) {
        String source = SOURCES.relativize(file).toString().replace(File.separatorChar, '.');
        String name = source.replaceFirst("\\.[^.]+\\.java$", "");
        return Stream.of(onTheLoop).anyMatch(layer -> PackageMatcher.of(layer).matches(name));
    }
}
