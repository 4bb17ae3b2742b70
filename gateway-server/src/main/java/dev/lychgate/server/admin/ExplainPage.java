package dev.lychgate.server.admin;

import dev.lychgate.config.IpLiteral;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.explain.Explanation;
import dev.lychgate.server.explain.ExplanationJson;
import dev.lychgate.server.explain.Inquiry;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code /explain}: what a request would meet in the generation that runs. Nothing is sent, and no filter runs. */
final class ExplainPage {
    private ExplainPage() {}

    /** 200 with what it would meet, also if that is nothing; 404 if there is no such listener, 400 for what is no request. */
    static AdminAnswer of(Generation generation, Parameters given) {
        ListenerConfig listener = listener(generation.config().listeners(), given.optional("listener"));
        if (listener == null) {
            return AdminAnswer.notFound("there is no such listener; see /listeners");
        }
        Inquiry inquiry;
        try {
            inquiry = inquiry(given);
        } catch (IllegalArgumentException e) {
            return AdminAnswer.malformed("expected: " + e.getMessage());
        }
        Explanation explanation = Explanation.of(generation.routes(), listener, generation.filters(), inquiry);
        return AdminAnswer.json(json -> {
            json.writeStartObject();
            json.writeNumberField("generation", generation.number());
            ExplanationJson.fields(json, explanation);
            json.writeEndObject();
        });
    }

    private static @Nullable ListenerConfig listener(List<ListenerConfig> all, @Nullable String name) {
        return all.stream()
                .filter(one -> name == null || one.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static Inquiry inquiry(Parameters given) {
        String method = Objects.requireNonNullElse(given.optional("method"), "GET");
        Inquiry inquiry = Inquiry.parse(method, given.needed("url"));
        String client = given.optional("client");
        if (client != null) {
            InetAddress address = IpLiteral.address(client);
            if (address == null) {
                throw new IllegalArgumentException("an IP address as client");
            }
            inquiry = inquiry.from(address);
        }
        for (String field : given.every("header")) {
            int colon = field.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("a header field such as x-beta:yes");
            }
            inquiry = inquiry.with(
                    field.substring(0, colon), field.substring(colon + 1).strip());
        }
        return inquiry;
    }
}
