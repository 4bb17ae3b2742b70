package dev.lychgate;

import dev.lychgate.testing.ModuleArchitecture;
import java.util.List;

/** Architecture of the control plane, from the command line to exports, logs and terminal output. */
class ArchitectureTest extends ModuleArchitecture {
    private static final List<String> LAYERS = List.of(
            "server", // Main
            "server.cli",
            "server.demo",
            "server.doctor",
            "server.bench",
            "server.engine",
            "", // Lychgate, for embedding
            "server.reload",
            "server.admin",
            "server.gate",
            "server.replay",
            "server.explain",
            "server.filters",
            "server.migrate",
            "server.yaml",
            "server.secrets",
            "server.fleet",
            "server.discovery",
            "server.extensions",
            "server.registries",
            "server.otlp",
            "server.recorder",
            "server.recording",
            "server.accesslog",
            "server.history",
            "server.handover",
            "server.etcd",
            "server.shadow",
            "server.rollout",
            "server.mirror",
            "server.metrics",
            "server.errorlog",
            "server.push",
            "server.hystrix",
            "server.applog",
            "server.textlog",
            "server.logwriter",
            "server.terminal",
            "server.origin",
            "server.json",
            "server.loop");

    /** Packages with their own threads, or with locks that no event loop acquires. BlockedLoops checks their code on loops. */
    private static final List<String> MAY_BLOCK = List.of(
            "server.demo",
            "server.doctor",
            "server.bench",
            "server.engine",
            "server.reload",
            "server.admin",
            "server.gate",
            "server.extensions",
            "server.registries",
            "server.recorder",
            "server.recording",
            "server.history",
            "server.handover",
            "server.fleet",
            "server.discovery",
            "server.etcd",
            "server.shadow",
            "server.metrics",
            "server.accesslog",
            "server.push",
            "server.hystrix",
            "server.applog",
            "server.logwriter",
            "server.terminal",
            "server.origin");

    ArchitectureTest() {
        super(in(LAYERS), in(MAY_BLOCK));
    }

    private static List<String> in(List<String> names) {
        return names.stream()
                .map(name -> name.isEmpty() ? "dev.lychgate" : "dev.lychgate." + name)
                .toList();
    }
}
