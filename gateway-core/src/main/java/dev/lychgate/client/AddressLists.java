package dev.lychgate.client;

import dev.lychgate.config.AddressListConfig;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The address lists of a generation, by name, with the contents of their files. Immutable. */
final class AddressLists {
    private static final Logger LOG = LoggerFactory.getLogger(AddressLists.class);
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

    /** The attributes of a file. If they differ from the attributes at an earlier time, the file has changed. */
    private record Stamp(
            long size,
            @Nullable FileTime modified,
            @Nullable Object key) {
        static Stamp of(String file) {
            try {
                BasicFileAttributes found = Files.readAttributes(Path.of(file), BasicFileAttributes.class);
                return new Stamp(found.size(), found.lastModifiedTime(), found.fileKey());
            } catch (IOException e) {
                return new Stamp(-1, null, null);
            }
        }
    }

    /** A list, and the attributes that its files had before the files were read. */
    private record Read(AddressListConfig config, List<Stamp> files, AddressSet addresses) {}

    private final Map<String, Read> lists;

    private AddressLists(Map<String, Read> lists) {
        this.lists = lists;
    }

    /**
     * Reads the lists of a configuration. A list carries over from the previous generation if its settings and files
     * are unchanged. Blocks.
     *
     * @param previous the lists of the previous generation; null if there is none
     * @throws ConfigException if a file can't be used; the message states the file, the line and the reason
     */
    static AddressLists of(GatewayConfig config, @Nullable AddressLists previous) {
        Map<String, Read> lists = new LinkedHashMap<>();
        config.policies().addressLists().forEach((name, list) -> {
            List<Stamp> stamps = list.files().stream().map(Stamp::of).toList();
            Read before = previous == null ? null : previous.lists.get(name);
            boolean same = before != null && before.config.equals(list) && before.files.equals(stamps);
            Read now = before != null && same ? before : new Read(list, stamps, read(name, list));
            warn(name, before, now);
            lists.put(name, now);
        });
        return new AddressLists(lists);
    }

    /**
     * Warns if a list has lost more than half of its blocks. A possible cause is a file that is only partly written.
     * With such a file, the gateway would accept or refuse the wrong clients.
     */
    private static void warn(String name, @Nullable Read before, Read now) {
        if (before != null && now.addresses.size() < before.addresses.size() / 2) {
            LOG.warn(
                    "address list {} has shrunk from {} to {} blocks of addresses; if the change is not intended, check"
                            + " the files of the list",
                    name,
                    before.addresses.size(),
                    now.addresses.size());
        }
    }

    private static AddressSet read(String name, AddressListConfig list) {
        AddressSet.Builder builder = new AddressSet.Builder();
        for (Cidr block : list.addresses()) {
            builder.add(block);
        }
        for (int i = 0; i < list.files().size(); i++) {
            String file = list.files().get(i);
            try {
                AddressFile.read(Path.of(file), builder, MOST_BYTES);
            } catch (AddressFile.Unusable e) {
                throw new ConfigException(
                        "address-lists." + name + ".files", file + ": " + e.getMessage(), e.expected(), e);
            }
        }
        return builder.build();
    }

    /**
     * Returns a copy of these lists. If {@code current} contains a list with the same name and settings as one of these
     * lists, the copy contains the list of {@code current} instead.
     */
    AddressLists beside(AddressLists current) {
        Map<String, Read> merged = new LinkedHashMap<>(lists);
        merged.replaceAll((name, read) -> {
            Read other = current.lists.get(name);
            return other != null && other.config.equals(read.config) ? other : read;
        });
        return new AddressLists(merged);
    }

    /** Returns the addresses of each list, in the order of the configuration. */
    Map<String, AddressSet> all() {
        Map<String, AddressSet> all = new LinkedHashMap<>();
        lists.forEach((name, read) -> all.put(name, read.addresses));
        return all;
    }

    /**
     * Returns the addresses of some lists.
     *
     * @param names the names of the lists; each must exist
     */
    AddressSet[] named(List<String> names) {
        return names.stream()
                .map(name -> {
                    Read read = lists.get(name);
                    return read == null ? AddressSet.EMPTY : read.addresses;
                })
                .toArray(AddressSet[]::new);
    }
}
