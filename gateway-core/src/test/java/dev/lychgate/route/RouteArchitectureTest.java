package dev.lychgate.route;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class RouteArchitectureTest {
    @Test
    void routesSeeNoChannelAndNoOtherStation() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.lychgate.route");
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.netty.channel..",
                        "io.netty.bootstrap..",
                        "dev.lychgate.listener..",
                        "dev.lychgate.exchange..",
                        "dev.lychgate.filter..",
                        "dev.lychgate.pool..",
                        "dev.lychgate.origin..")
                .check(classes);
    }
}
