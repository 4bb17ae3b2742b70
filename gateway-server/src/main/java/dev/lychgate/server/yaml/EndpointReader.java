package dev.lychgate.server.yaml;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import java.util.List;
import java.util.Optional;

/** Reads {@code endpoints} of an upstream: URLs, or mappings with more to say. */
final class EndpointReader {
    static final EndpointConfig NOWHERE = new EndpointConfig("127.0.0.1", 1);

    private EndpointReader() {}

    /** What was refused is left out; a stand-in for each would look like an endpoint said several times. */
    static List<EndpointConfig> list(Element element) {
        List<Optional<EndpointConfig>> said = element.list("URLs", EndpointReader::endpoint);
        List<EndpointConfig> taken = said.stream().flatMap(Optional::stream).toList();
        return taken.isEmpty() && !said.isEmpty() ? List.of(NOWHERE) : taken;
    }

    private static Optional<EndpointConfig> endpoint(Element element) {
        return element.isMapping()
                ? element.section(EndpointReader::endpoint)
                : url(element).map(EndpointConfig::new);
    }

    private static Optional<EndpointConfig> endpoint(Section s) {
        Optional<EndpointAddress> url = url(s.required("url", "a URL such as http://10.0.0.1:9000"));
        EndpointConfig rest = s.build(
                () -> new EndpointConfig(
                        url.orElse(NOWHERE.address()),
                        s.number("weight", 1),
                        s.get("zone").text(""),
                        s.number("priority", 0),
                        s.texts("metadata")),
                NOWHERE);
        return url.map(there -> rest);
    }

    private static Optional<EndpointAddress> url(Element element) {
        return element.parsed(Optional.empty(), text -> Optional.of(EndpointAddress.parse(text)));
    }
}
