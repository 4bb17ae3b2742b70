package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** The build has the options that CONTRIBUTING.md documents. */
@Tag("slow")
class BuildTest {
    private final XPath find = XPathFactory.newInstance().newXPath();

    /** Failsafe has no separate {@code -DskipTests} since 3.6.0: without this, the option skips only unit tests. */
    @Test
    void skipTestsReachesIntegrationTests() throws Exception {
        Document pom = pom();
        assertThat(find.evaluate("/project/properties/skipTests", pom)).isEqualTo("false");
        assertThat(find.evaluate("//plugin[artifactId='maven-failsafe-plugin']/configuration/skipTests", pom))
                .isEqualTo("${skipTests}");
    }

    @Test
    void quickSkipsSlowTestsAndTheFatJar() throws Exception {
        Document pom = pom();
        String quick = "/project/profiles/profile[id='quick']/properties/";
        assertThat(find.evaluate(quick + "excludedGroups", pom)).isEqualTo("slow");
        assertThat(find.evaluate(quick + "skipITs", pom)).isEqualTo("true");
        assertThat(find.evaluate(quick + "shade.skip", pom)).isEqualTo("true");
        assertThat(find.evaluate("//plugin[artifactId='maven-shade-plugin']/configuration/skip", pom))
                .isEqualTo("${shade.skip}");
        assertThat(find.evaluate("/project/properties/shade.skip", pom)).isEqualTo("false");
    }

    private static Document pom() throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("../pom.xml").toFile());
    }
}
