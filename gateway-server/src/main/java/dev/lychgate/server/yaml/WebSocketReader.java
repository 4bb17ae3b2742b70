package dev.lychgate.server.yaml;

import dev.lychgate.config.WebSocketConfig;
import org.jspecify.annotations.Nullable;

/** Reads {@code websocket} of a route: true, false, or a mapping. */
final class WebSocketReader {
    private WebSocketReader() {}

    static @Nullable WebSocketConfig read(Element element) {
        if (element.isMapping()) {
            return element.section(s -> s.build(() -> section(s), WebSocketConfig.DEFAULT));
        }
        return element.flag(false) ? WebSocketConfig.DEFAULT : null;
    }

    private static WebSocketConfig section(Section s) {
        WebSocketConfig d = WebSocketConfig.DEFAULT;
        return new WebSocketConfig(
                s.get("origins").list("origins", item -> item.text("*")),
                s.flag("require-origin", d.requireOrigin()),
                s.duration("idle", d.idle()),
                s.duration("lifetime", d.lifetime()),
                s.number("connections", d.connections()));
    }
}
