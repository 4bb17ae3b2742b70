package dev.lychgate.server.discovery;

import dev.lychgate.discovery.LastSets;
import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.json.JsonText;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Keeps the last set of endpoints of each service in a directory, with one file for each service of an upstream. */
final class LastSetFiles implements LastSets {
    private final Path directory;

    LastSetFiles(Path directory) {
        this.directory = directory;
    }

    private Path file(Service service) {
        // The names contain neither a slash nor an at sign.
        String name = service.name().replace(':', '@');
        return directory.resolve(service.upstream() + "@" + service.source() + "@" + name + ".json");
    }

    @Override
    public @Nullable Kept read(Service service) throws IOException {
        Path file = file(service);
        try {
            JsonValue json = JsonValue.of(Files.readString(file));
            List<FoundEndpoint> endpoints = new ArrayList<>();
            for (JsonValue each : json.list("endpoints")) {
                endpoints.add(EndpointJson.read(each));
            }
            return new Kept(Instant.parse(json.get("confirmed").raw()), endpoints);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IOException(file + " is malformed", e);
        }
    }

    @Override
    public void write(Service service, Kept set) throws IOException {
        JsonObject json = new JsonObject()
                .with("confirmed", set.confirmed().toString())
                .with(
                        "endpoints",
                        set.endpoints().stream().map(EndpointJson::of).toList());
        Files.createDirectories(directory);
        Path file = file(service);
        Path next = directory.resolve(".new-" + UUID.randomUUID());
        try {
            try (FileChannel out = FileChannel.open(next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(JsonText.of(json).getBytes(StandardCharsets.UTF_8));
                while (rest.hasRemaining()) {
                    out.write(rest);
                }
                out.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
    }
}
