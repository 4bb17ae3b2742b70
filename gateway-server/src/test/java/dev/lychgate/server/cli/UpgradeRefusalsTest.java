package dev.lychgate.server.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.server.engine.RunningGateway;
import dev.lychgate.server.handover.NotifySocket;
import dev.lychgate.server.handover.SharedSockets;
import dev.lychgate.server.handover.Successor;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Upgrades that are refused before a process is started. */
class UpgradeRefusalsTest {
    private static <T> T fake(Class<T> type, Map<String, Object> results) {
        Object made = Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> results.get(method.getName()));
        return type.cast(made);
    }

    private static void isRefused(boolean draining, @Nullable String refusal, Map<String, String> set, String reason) {
        SharedSockets sockets = fake(SharedSockets.class, refusal == null ? Map.of() : Map.of("refusal", refusal));
        RunningGateway gateway = fake(RunningGateway.class, Map.of("isDraining", draining, "sockets", sockets));
        Upgrade upgrade = new Upgrade(gateway, Path.of("gateway.yml"), set::get, NotifySocket.of(null), () -> {
            throw new AssertionError("the process must not end");
        });
        assertThatThrownBy(upgrade::run)
                .isInstanceOf(Successor.FailedException.class)
                .hasMessage(reason);
    }

    @Test
    void refusesWhileTheGatewayDrains() {
        isRefused(true, null, Map.of(), "the gateway is draining");
    }

    @Test
    void refusesForTheReasonOfTheGateway() {
        isRefused(false, "a rollout is in progress", Map.of(), "a rollout is in progress");
    }

    @Test
    void refusesIfSystemdIsNotNotified() {
        String own = Long.toString(ProcessHandle.current().pid());
        isRefused(
                false,
                null,
                Map.of("SYSTEMD_EXEC_PID", own),
                "systemd would end the new process together with this one; use Type=notify in the unit");
    }
}
