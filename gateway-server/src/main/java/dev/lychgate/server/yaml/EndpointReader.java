package dev.lychgate.server.yaml;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.ServiceConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code endpoints} of an upstream: URLs, or mappings with more to say, also of services. */
final class EndpointReader {
    static final EndpointConfig NOWHERE = new EndpointConfig("127.0.0.1", 1);
    private static final ServiceConfig NO_SERVICE = new ServiceConfig("none.invalid");

    /** What the list names. */
    record Named(List<EndpointConfig> endpoints, List<ServiceConfig> services) {}

    private final List<EndpointConfig> endpoints = new ArrayList<>();
    private final List<ServiceConfig> services = new ArrayList<>();

    private EndpointReader() {}

    /** What was refused is left out; a stand-in for each would look like an endpoint said several times. */
    static Named list(Element element) {
        EndpointReader reader = new EndpointReader();
        boolean said = !element.list("URLs", reader::read).isEmpty();
        if (said && reader.endpoints.isEmpty() && reader.services.isEmpty()) {
            reader.endpoints.add(NOWHERE);
        }
        return new Named(reader.endpoints, reader.services);
    }

    private boolean read(Element element) {
        if (element.isMapping()) {
            return element.section(this::read);
        }
        url(element).map(EndpointConfig::new).ifPresent(endpoints::add);
        return true;
    }

    private boolean read(Section s) {
        s.exactlyOne("url", "srv");
        Optional<EndpointAddress> url = url(s.get("url"));
        Element srv = s.get("srv");
        EndpointConfig endpoint = s.build(
                () -> new EndpointConfig(
                        url.orElse(NOWHERE.address()),
                        s.number("weight", 1),
                        s.get("zone").text(""),
                        s.number("priority", 0),
                        s.texts("metadata"),
                        s.get("host").text("")),
                NOWHERE);
        if (srv.present()) {
            absent(s.get("weight"), "the weights of its records");
            absent(s.get("host"), "the names of its targets");
            ServiceConfig service = s.build(
                    () -> new ServiceConfig(
                            s.get("srv").text(NO_SERVICE.name()),
                            endpoint.zone(),
                            endpoint.priority(),
                            endpoint.metadata()),
                    NO_SERVICE);
            if (!service.name().equals(NO_SERVICE.name())) {
                services.add(service);
            }
        } else if (url.isPresent()) {
            endpoints.add(endpoint);
        }
        return true;
    }

    private static void absent(Element besideSrv, String instead) {
        if (besideSrv.present()) {
            besideSrv.refuse("beside srv", "the key left out, for " + instead);
        }
    }

    private static Optional<EndpointAddress> url(Element element) {
        return element.parsed(Optional.empty(), text -> Optional.of(EndpointAddress.parse(text)));
    }
}
