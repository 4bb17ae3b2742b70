package dev.lychgate.config;

import java.nio.charset.StandardCharsets;

/**
 * What a server of gRPC is asked for its health.
 *
 * @param service the service that is asked about; empty = the whole server; at most 255 bytes of UTF-8 without control
 *     characters
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/health-checking.md">GRPC Health Checking Protocol</a>
 */
public record GrpcHealthConfig(String service) {
    /** About the whole server. */
    public static final GrpcHealthConfig DEFAULT = new GrpcHealthConfig("");

    private static final int LONGEST = 255;

    public GrpcHealthConfig {
        Expect.that(
                service.getBytes(StandardCharsets.UTF_8).length <= LONGEST
                        && service.chars().noneMatch(Character::isISOControl),
                "service",
                service,
                "the name of a service, such as example.Texts, at most " + LONGEST + " bytes long");
    }
}
