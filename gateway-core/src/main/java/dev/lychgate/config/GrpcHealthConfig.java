package dev.lychgate.config;

import java.nio.charset.StandardCharsets;

/**
 * The health check of a gRPC server.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/health-checking.md">GRPC Health Checking Protocol</a>
 */
public record GrpcHealthConfig(String service) {

    private static final int LONGEST = 255;

    private static final Key<String> SERVICE = Key.typed("service", Form.TEXT, "")
            .absent("-")
            .about("the service of the health check, at most 255 bytes; empty = the whole server");

    static final Keys<GrpcHealthConfig> KEYS = Keys.of(GrpcHealthConfig::new, SERVICE);

    public static final GrpcHealthConfig DEFAULT = KEYS.defaults();

    public GrpcHealthConfig {
        Expect.that(
                service.getBytes(StandardCharsets.UTF_8).length <= LONGEST
                        && service.chars().noneMatch(Character::isISOControl),
                "service",
                service,
                "the name of a service, such as example.Texts, at most " + LONGEST + " bytes long");
    }
}
