package dev.lychgate.server.extensions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.ScratchDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Jars with extensions, compiled on the fly. */
public final class ExtensionJars {
    /** The sample counts its open objects in the system property {@code NAME.open}. */
    private static final String SAMPLE = """
            package sample;

            import dev.lychgate.config.*;
            import dev.lychgate.extension.*;
            import dev.lychgate.filter.*;
            import java.util.List;
            import org.slf4j.LoggerFactory;

            public final class Sample implements Extension<Sample.Settings, Sample.Shared> {
                static {
                    System.setProperty("NAME.loaded", "true");
                }

                public record Settings(String greeting, int level) {
                    public Settings {
                        if (greeting.equals("rude")) {
                            throw new ConfigException("greeting", greeting, "a polite word");
                        }
                    }
                }

                public record Stamp(String value, int order) {}

                public static final class Shared implements AutoCloseable {
                    final String text;

                    Shared(String text) {
                        this.text = text;
                        count(1);
                    }

                    static synchronized void count(int change) {
                        System.setProperty("NAME.open", "" + (Integer.getInteger("NAME.open", 0) + change));
                    }

                    @Override
                    public void close() {
                        count(-1);
                    }
                }

                private static final Key<String> GREETING =
                        Key.typed("greeting", Form.TEXT, "hello").about("the greeting");
                private static final Key<Integer> LEVEL = Key.number("level", 1).between(1, 5).about("the level");
                private static final Key<String> VALUE = Key.text("value").required("a text").about("the value");

                @Override
                public Keys<Settings> keys() {
                    return Keys.of(Settings::new, GREETING, LEVEL);
                }

                @Override
                public List<ContributedFilter<Shared, ?>> filters() {
                    return List.of(new ContributedFilter<>(
                            "NAME-stamp",
                            "stamps responses",
                            Keys.of(Stamp::new, VALUE, ContributedFilter.ORDER),
                            Sample::stamp));
                }

                private static Filter stamp(Shared shared, Stamp stamp, String name) {
                    if (stamp.value().equals("bad")) {
                        throw new ConfigException("value", stamp.value(), "a good one");
                    }
                    return new Stamping(shared, stamp, name);
                }

                private record Stamping(Shared shared, Stamp stamp, String name) implements OutboundFilter, SyncFilter {
                    @Override
                    public FilterOutcome filter(FilterExchange exchange) {
                        exchange.getResponse().getHeaders().set("x-NAME",
                                shared.text + " " + stamp.value() + " " + clash.Library.version());
                        return exchange.proceed();
                    }
                }

                @Override
                public Shared open(Settings settings) {
                    LoggerFactory.getLogger(Sample.class).debug("opened");
                    if (settings.level() == 5) {
                        throw new IllegalStateException("too high\\nfor us");
                    }
                    return new Shared(settings.greeting());
                }
            }
            """;

    /** Accepts requests by a header field, with the value as the subject; a rule is the only accepted subject. */
    private static final String GUARDS = """
            package guards;

            import dev.lychgate.config.*;
            import dev.lychgate.error.ErrorKind;
            import dev.lychgate.extension.*;
            import dev.lychgate.filter.*;
            import java.util.List;
            import java.util.Map;
            import java.util.concurrent.CompletableFuture;
            import java.util.concurrent.CompletionStage;

            public final class Guards implements Extension<Guards.Settings, Guards.Settings> {
                public record Settings() {}

                public record User(String header) {}

                public record Rule(String rule) {}

                private static final Key<String> HEADER =
                        Key.typed("header", Form.TEXT, "x-user").about("the field");
                private static final Key<String> RULE = Key.text("rule").required("a rule").about("the rule");

                @Override
                public Keys<Settings> keys() {
                    return Keys.none(Settings::new);
                }

                @Override
                public List<ContributedFilter<Settings, ?>> filters() {
                    return List.of();
                }

                @Override
                public List<ContributedAuthenticator<Settings, ?>> authenticators() {
                    return List.of(new ContributedAuthenticator<>(
                            "NAME-user", "accepts a field", Keys.of(User::new, HEADER), Guards::user));
                }

                @Override
                public List<ContributedFilter<Settings, ?>> authorizers() {
                    return List.of(new ContributedFilter<>(
                            "cel", "accepts one subject", Keys.of(Rule::new, RULE), Guards::rule));
                }

                private static Authenticator user(Settings opened, User user, String name) {
                    if (user.header().equals("x-refused")) {
                        throw new ConfigException("header", user.header(), "another field");
                    }
                    return new ByField(user.header());
                }

                private static Filter rule(Settings opened, Rule rule, String name) {
                    if (rule.rule().equals("bad")) {
                        throw new ConfigException("rule", rule.rule(), "a good rule");
                    }
                    return new Only(rule.rule(), name);
                }

                private record ByField(String header) implements Authenticator, AutoCloseable {
                    @Override
                    public String challenge() {
                        return "Field name=" + header;
                    }

                    @Override
                    public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
                        String user = exchange.getRequest().getHeaders().get(header);
                        return CompletableFuture.completedFuture(user == null
                                ? Authentication.absent()
                                : Authentication.accepted(new Identity(
                                        "field", null, user, Map.of("team", user + "s"))));
                    }

                    @Override
                    public void close() {
                        System.setProperty("NAME.closed", header);
                    }
                }

                private record Only(String subject, String name) implements InboundFilter, SyncFilter {
                    @Override
                    public FilterOutcome filter(FilterExchange exchange) {
                        Identity sender = exchange.getIdentity();
                        return sender != null && subject.equals(sender.subject())
                                ? exchange.proceed()
                                : exchange.fail(ErrorKind.FORBIDDEN, "only " + subject);
                    }
                }

                @Override
                public Settings open(Settings settings) {
                    return settings;
                }
            }
            """;

    private final Map<String, String> manifest = new LinkedHashMap<>();
    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    private ExtensionJars() {}

    /** A jar without classes that is not an extension. */
    public static ExtensionJars library() {
        return new ExtensionJars();
    }

    /** An extension without classes. */
    static ExtensionJars of(String name) {
        return new ExtensionJars().with("Lychgate-Extension", name).with("Lychgate-Extension-Api", "1");
    }

    /** An extension with the keys {@code greeting} and {@code level}, and a filter {@code NAME-stamp}. */
    public static ExtensionJars sample(String name) {
        return sample(name, "1");
    }

    /** @param version of a library that each extension brings under the same name */
    static ExtensionJars sample(String name, String version) {
        String library = "package clash; public class Library { public static String version() { return \"" + version
                + "\"; } }";
        return of(name).with("Lychgate-Extension-Class", "sample.Sample")
                .with("Lychgate-Extension-Filters", name + "-stamp")
                .with("Implementation-Version", "1.0")
                .compiled(Map.of("sample.Sample", SAMPLE.replace("NAME", name), "clash.Library", library));
    }

    /** An extension with an authenticator {@code NAME-user}, which has the key {@code header}, and an authorizer {@code cel}. */
    public static ExtensionJars guards(String name) {
        return of(name).with("Lychgate-Extension-Class", "guards.Guards")
                .with("Lychgate-Extension-Authenticators", name + "-user")
                .with("Lychgate-Extension-Authorizers", "cel")
                .with("Implementation-Version", "1.0")
                .compiled(Map.of("guards.Guards", GUARDS.replace("NAME", name)));
    }

    public ExtensionJars with(String attribute, String value) {
        manifest.put(attribute, value);
        return this;
    }

    public ExtensionJars with(String entry, byte[] content) {
        entries.put(entry, content);
        return this;
    }

    /** @param sources by the names of their classes */
    public ExtensionJars compiled(Map<String, String> sources) {
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            Path directory = scratch.path();
            List<String> options = new ArrayList<>(List.of(
                    "-proc:none",
                    "-nowarn",
                    "-cp",
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path", "")),
                    "-d",
                    directory.resolve("classes").toString()));
            for (Map.Entry<String, String> source : sources.entrySet()) {
                Path file = directory.resolve(source.getKey().replace('.', '/') + ".java");
                Files.createDirectories(file.getParent());
                options.add(Files.writeString(file, source.getValue()).toString());
            }
            ByteArrayOutputStream complaints = new ByteArrayOutputStream();
            int failed = ToolProvider.getSystemJavaCompiler()
                    .run(null, complaints, complaints, options.toArray(String[]::new));
            assertThat(failed).as(complaints.toString(StandardCharsets.UTF_8)).isZero();
            Path classes = directory.resolve("classes");
            try (Stream<Path> files = Files.walk(classes)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    entries.put(classes.relativize(file).toString(), Files.readAllBytes(file));
                }
            }
            return this;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public Path write(Path jar) throws IOException {
        Manifest written = new Manifest();
        written.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.forEach(written.getMainAttributes()::putValue);
        Files.createDirectories(jar.getParent());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), written)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                out.write(entry.getValue());
                out.closeEntry();
            }
        }
        return jar;
    }
}
