package dev.lychgate.server.migrate;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.codehaus.groovy.ast.ClassNode;
import org.jspecify.annotations.Nullable;

/** Examines a directory with filters of Zuul 1 and with the properties of their application. */
public final class ZuulMigration {
    private static final Set<String> OMITTED =
            Set.of(".git", ".gradle", ".idea", "build", "node_modules", "target", "test");
    private static final String ZUUL_2 = "com.netflix.zuul.filters.";
    /** The maximum size of an examined file, in bytes. */
    private static final long LONGEST = 4 << 20;

    private final Path root;
    private final List<ZuulSource> sources = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final LegacyProperties properties = new LegacyProperties();
    private final Map<String, String> bases = new HashMap<>();
    private final Set<String> vips = new TreeSet<>();
    private final Set<String> hosts = new TreeSet<>();
    private final Set<String> read = new TreeSet<>();
    private @Nullable String propertiesFile;

    private ZuulMigration(Path root) {
        this.root = root;
    }

    /**
     * Examines all sources and properties below a directory.
     *
     * @throws IOException if a file can't be read
     */
    public static MigrationReport examine(Path directory) throws IOException {
        ZuulMigration migration = new ZuulMigration(directory);
        migration.readAll();
        List<FilterReport> filters = migration.filters();
        String configuration = migration.configuration(!filters.isEmpty());
        migration.properties.unread().forEach(property -> migration.notes.add(property.toString()));
        return new MigrationReport(filters, configuration, migration.notes);
    }

    private void readAll() throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(Files::isRegularFile)
                    .filter(file -> {
                        for (Path part : root.relativize(file)) {
                            if (OMITTED.contains(part.toString())) {
                                return false;
                            }
                        }
                        return true;
                    })
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            String name = String.valueOf(file.getFileName());
            String path = root.relativize(file).toString();
            if (name.endsWith(".groovy") || name.endsWith(".java")) {
                String text = text(file, path);
                if (text != null) {
                    sources.add(ZuulSource.parse(path, text));
                }
            } else if (name.endsWith(".properties")) {
                String text = text(file, path);
                if (text != null) {
                    properties.add(path, text);
                    propertiesFile =
                            propertiesFile == null || name.equals("application.properties") ? path : propertiesFile;
                }
            } else if (name.matches("(application|bootstrap)\\.ya?ml")) {
                String text = text(file, path);
                if (text != null) {
                    properties.add(path, LegacyYaml.read(path, text, notes));
                }
            } else if (name.matches("(application|bootstrap)-.*\\.ya?ml")) {
                notes.add(path + ": not read, because the file belongs to a profile of Spring");
            }
        }
        for (ZuulSource source : sources) {
            for (ClassNode type : source.classes()) {
                bases.put(type.getName(), source.superclass(type));
            }
        }
    }

    private @Nullable String text(Path file, String path) throws IOException {
        if (Files.size(file) > LONGEST) {
            notes.add(path + ": not read, because the file is longer than " + LONGEST + " bytes");
            return null;
        }
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            notes.add(path + ": not read, because the file is not in UTF-8");
            return null;
        }
    }

    private List<FilterReport> filters() {
        List<FilterReport> reports = new ArrayList<>();
        for (ZuulSource source : sources) {
            Finding fault = source.fault();
            if (fault != null && source.path().endsWith(".java")) {
                // The files are parsed as Groovy, which does not accept all of Java.
                notes.add(source.path() + ": not examined, because of the syntax in line " + fault.line());
                continue;
            }
            if (fault != null) {
                String name =
                        String.valueOf(Path.of(source.path()).getFileName()).replaceFirst("\\.\\w+$", "");
                reports.add(new FilterReport(source.path(), name, null, null, List.of(fault)));
                continue;
            }
            for (ClassNode type : source.classes()) {
                String base = base(type.getName());
                if (base != null && !type.isAbstract()) {
                    reports.add(report(source, type, base));
                }
            }
        }
        return reports;
    }

    /**
     * Returns the class of the filter library from which a class of the directory inherits, directly or indirectly;
     * null if there is none.
     */
    private @Nullable String base(String name) {
        String at = name;
        Set<String> seen = new TreeSet<>();
        while (seen.add(at)) {
            String next = bases.get(at);
            if (next == null) {
                return ZuulApi.BASES.contains(at) || isForeign(at) ? at : null;
            }
            at = bases.containsKey(next) || next.indexOf('.') >= 0 ? next : inPackageOf(at, next);
        }
        return null;
    }

    private String inPackageOf(String type, String simple) {
        String parent = Names.packageOf(type);
        return parent == null ? simple : parent + "." + simple;
    }

    private static boolean isForeign(String base) {
        return base.startsWith(ZUUL_2)
                || base.startsWith("com.netflix.zuul.")
                || Names.simple(base).equals("ZuulFilter")
                || Names.simple(base).equals("GateFilter");
    }

    private FilterReport report(ZuulSource source, ClassNode type, String base) {
        List<Finding> findings = new ArrayList<>();
        int line = Math.max(1, type.getLineNumber());
        int column = Math.max(1, type.getColumnNumber());
        String name = type.getNameWithoutPackage();
        if (ZuulApi.PLUMBING.contains(name)) {
            findings.add(
                    new Finding(line, column, Verdict.LEFT_OUT, name, "the gateway routes and responds by itself"));
        } else {
            FilterScan scan = source.scan(bases.keySet());
            if (!ZuulApi.BASES.contains(base)) {
                findings.add(new Finding(line, column, Verdict.CHANGE, base, remedy(base)));
            }
            if (scan != null) {
                findings.addAll(scan.findings());
                vips.addAll(scan.upstreams());
                hosts.addAll(scan.hosts());
                read.addAll(scan.properties());
            }
        }
        return new FilterReport(
                source.path(),
                name,
                ZuulSource.returned(type, "filterType") instanceof String text ? text : null,
                ZuulSource.returned(type, "filterOrder") instanceof Integer order ? order : null,
                findings);
    }

    private static String remedy(String base) {
        return base.startsWith(ZUUL_2) || base.startsWith("com.netflix.zuul.netty.")
                ? "an internal class of Zuul 2; write the filter for the gateway, see docs/guides/other-gateways.md"
                : "not com.netflix.zuul.ZuulFilter; extend that class";
    }

    private String configuration(boolean hasFilters) {
        DerivedUpstreams upstreams = new DerivedUpstreams(properties, notes);
        List<String> routes = new RouteKeys(properties, upstreams, notes).derive();
        properties.take("zuul.ignored-services");
        Map<String, String> named = new LinkedHashMap<>();
        vips.forEach(vip -> named.put(vip, upstreams.ofService(vip)));
        properties.namesBefore(".ribbon.listOfServers").forEach(upstreams::ofService);
        Map<String, String> origins = new LinkedHashMap<>();
        for (String host : hosts) {
            URI origin = RouteKeys.origin(host);
            if (origin == null) {
                notes.add("extensions.zuul.route-hosts: " + host + ": not the URL of an origin");
            } else {
                origins.put(
                        origin.getScheme() + "://" + origin.getRawAuthority(),
                        upstreams.ofUrl(origin.getHost(), origin));
            }
        }
        if (routes.isEmpty()) {
            notes.add("routes: no key zuul.routes.*; replace the upstream of the route all");
            routes = List.of(
                    "{ id: all, upstream: " + upstreams.ofUrl("origin", URI.create("http://127.0.0.1:9000")) + " }");
        }
        String file = settingsFile();
        DerivedYaml yaml = new DerivedYaml();
        yaml.line("listeners: [{ name: main, address: \"0.0.0.0:" + port() + "\" }]");
        if (hasFilters) {
            yaml.line("filters: { directory: " + DerivedYaml.quoted(root.toString()) + " }");
            yaml.settings(file == null ? null : root.resolve(file).toString(), named, origins);
        }
        yaml.sequence("routes", routes);
        yaml.mapping("upstreams", upstreams.all());
        return yaml.toString();
    }

    private String port() {
        String port = properties.take("server.port", "8080");
        if (port.matches("[1-9][0-9]{0,4}")) {
            return port;
        }
        notes.add("server.port=" + port + ": not a port number");
        return "8080";
    }

    /**
     * Returns the file that sets at least one property of a filter: a property that the filter reads, or a property
     * that disables the filter. Returns null if no file sets such a property.
     */
    private @Nullable String settingsFile() {
        Set<String> keys = new TreeSet<>(read);
        properties.namesBefore(".disable").stream()
                .filter(filter -> filter.startsWith("zuul."))
                .forEach(filter -> keys.add(filter + ".disable"));
        boolean needed = false;
        for (String key : keys) {
            LegacyProperties.Property property = properties.property(key);
            if (property != null && property.file().endsWith(".properties")) {
                needed = true;
            } else if (property != null) {
                notes.add(property + ": write this property to the file that extensions.zuul.properties names");
            }
        }
        return needed ? propertiesFile : null;
    }
}
