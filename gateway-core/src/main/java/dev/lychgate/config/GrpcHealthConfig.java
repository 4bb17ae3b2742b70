package dev.lychgate.config;

import static dev.lychgate.config.Key.typed;

import java.nio.charset.StandardCharsets;

/**
 * What a server of gRPC is asked for its health.
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/health-checking.md">GRPC Health Checking Protocol</a>
 */
public record GrpcHealthConfig(String service) {

    private static final int LONGEST = 255;

    private static final Key<String> SERVICE = typed("service", Form.TEXT, "")
            .absent("-")
            .about("the service that is asked about, at most 255 bytes; empty = the whole server");

    public static final GrpcHealthConfig DEFAULT = read(Key.DEFAULTS);

    public GrpcHealthConfig {
        Expect.that(
                service.getBytes(StandardCharsets.UTF_8).length <= LONGEST
                        && service.chars().noneMatch(Character::isISOControl),
                "service",
                service,
                "the name of a service, such as example.Texts, at most " + LONGEST + " bytes long");
    }

    /** Reads a section. */
    static GrpcHealthConfig read(Key.Values values) {
        return new GrpcHealthConfig(values.get(SERVICE));
    }
}
