package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** Holds the build to what CONTRIBUTING.md says of its options. */
class BuildTest {
    /** Failsafe reads no {@code -DskipTests} of its own since 3.6.0: without this, the option skips unit tests alone. */
    @Test
    void skipTestsReachesIntegrationTests() throws Exception {
        Document pom = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("../pom.xml").toFile());
        XPath find = XPathFactory.newInstance().newXPath();
        assertThat(find.evaluate("/project/properties/skipTests", pom)).isEqualTo("false");
        assertThat(find.evaluate("//plugin[artifactId='maven-failsafe-plugin']/configuration/skipTests", pom))
                .isEqualTo("${skipTests}");
    }
}
