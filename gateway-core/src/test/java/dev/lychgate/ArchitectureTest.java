package dev.lychgate;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import dev.lychgate.testing.ModuleArchitecture;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The architecture of the data plane: the permitted dependencies of packages, and the parts behind interfaces. */
class ArchitectureTest extends ModuleArchitecture {
    /** The path of a request, top to bottom; a package depends on those further down only. */
    private static final List<String> STATIONS = List.of(
            "gateway", // assembly: uses every package, used by none
            "listener",
            "exchange",
            "blocking", // threads of filters that may block
            "generation", // snapshot that an exchange uses: made of filters, routes and upstreams
            "chain", // filters of a generation in their order
            "access", // authentication and authorization
            "extension", // API of extensions, which contribute filters
            "fleet", // API of stores that the gateways of a fleet share
            "filter",
            "client", // protection against single clients, shared by all event loops
            "cache", // stored responses, shared by all event loops
            "limit", // rate limits, shared by all event loops
            "route",
            "dns",
            "discovery", // endpoints of sources other than DNS
            "health",
            "upstream",
            "resilience",
            "pool",
            "origin");

    /** The rooms of an exchange, top to bottom; a room depends on those below it only. */
    private static final List<String> ROOMS = List.of(
            "exchange", // the events and the list of steps
            "exchange.call",
            "exchange.tunnel",
            "exchange.attempt",
            "exchange.filtering",
            "exchange.state");

    /** Used by every station, using none. */
    private static final List<String> COMMONS =
            List.of("http2", "codec", "tracing", "proxyprotocol", "splice", "tls", "error", "http", "config", "loop");

    /** Packages that may block: their locks are taken when a generation, a name or an endpoint's health changes. */
    private static final List<String> MAY_BLOCK = List.of(
            "gateway", // swaps generations
            "dns",
            "discovery",
            "health",
            "tls", // renews ticket keys
            "loop"); // an exception without a stack trace overrides a synchronized method

    ArchitectureTest() {
        super(in(Stream.concat(STATIONS.stream(), COMMONS.stream())), in(MAY_BLOCK.stream()));
    }

    @ParameterizedTest
    @FieldSource("ROOMS")
    void layerOfTheExchangeDependsOnLowerLayersOnly(String room) {
        String[] above = ROOMS.subList(0, ROOMS.indexOf(room)).stream()
                .map(name -> "dev.lychgate." + name)
                .toArray(String[]::new);
        check(noClasses()
                .that()
                .resideInAPackage("dev.lychgate." + room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(above));
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
    void coreDoesNotDependOnImplementationsOfItsInterfaces() {
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
    void noClassWritesToTheStandardStreams() {
        check(NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
    }

    @Test
    void noClassSleeps() {
        check(noClasses()
                .should()
                .callMethodWhere(describe(
                        "Thread.sleep",
                        call -> call.getTargetOwner().isEquivalentTo(Thread.class)
                                && call.getName().equals("sleep"))));
    }

    private static List<String> in(Stream<String> names) {
        return names.map(ArchitectureTest::in).toList();
    }

    private static String in(String name) {
        return "dev.lychgate." + name + "..";
    }
}
