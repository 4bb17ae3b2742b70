package dev.lychgate.server.yaml;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.GrpcHealthConfig;
import dev.lychgate.config.HealthConfig;
import dev.lychgate.config.OutlierConfig;
import dev.lychgate.config.Percent;
import java.util.Set;

/** Reads {@code health} of an upstream; what is not named in it is not done. */
final class HealthReader {
    private HealthReader() {}

    static HealthConfig read(Section s) {
        return new HealthConfig(
                s.get("active").sectionOrNull(HealthReader::active),
                s.get("outlier").sectionOrNull(HealthReader::outlier));
    }

    private static ActiveHealthConfig active(Section s) {
        ActiveHealthConfig d = ActiveHealthConfig.DEFAULT;
        return s.build(
                () -> new ActiveHealthConfig(
                        s.get("path").textOrNull(),
                        s.get("host").textOrNull(),
                        s.number("port", d.port()),
                        s.duration("interval", d.interval()),
                        s.get("jitter").measured(d.jitter(), Percent::parse),
                        s.duration("timeout", d.timeout()),
                        s.number("rise", d.rise()),
                        s.number("fall", d.fall()),
                        Set.copyOf(s.get("status").list("of statuses", e -> e.number(200))),
                        s.get("body").textOrNull(),
                        s.get("grpc").sectionOrNull(HealthReader::grpc)),
                d);
    }

    private static GrpcHealthConfig grpc(Section s) {
        GrpcHealthConfig d = GrpcHealthConfig.DEFAULT;
        return s.build(() -> new GrpcHealthConfig(s.get("service").text(d.service())), d);
    }

    private static OutlierConfig outlier(Section s) {
        OutlierConfig d = OutlierConfig.DEFAULT;
        return s.build(
                () -> new OutlierConfig(
                        s.number("consecutive", d.consecutive()),
                        s.duration("ejection", d.ejection()),
                        s.duration("longest", d.longest()),
                        s.get("max-share").measured(d.maxShare(), Percent::parse),
                        s.duration("interval", d.interval()),
                        s.number("minimum", d.minimum()),
                        s.get("margin").measured(d.margin(), Percent::parse),
                        s.number("slower", d.slower())),
                d);
    }
}
