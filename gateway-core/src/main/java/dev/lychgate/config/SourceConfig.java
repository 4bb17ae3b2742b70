package dev.lychgate.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A source of endpoints. Exactly one of the components is not null.
 *
 * @param file files in a directory
 * @param consul the services of Consul
 * @param kubernetes the EndpointSlices of Kubernetes
 * @param eureka the applications of Eureka
 * @param etcd the keys of an etcd cluster
 */
public record SourceConfig(
        @Nullable FileSourceConfig file,
        @Nullable ConsulConfig consul,
        @Nullable KubernetesConfig kubernetes,
        @Nullable EurekaConfig eureka,
        @Nullable EtcdConfig etcd) {
    private static final String OTHER = "another source";

    private static final Key<FileSourceConfig> FILE = Key.section("file", null, FileSourceConfig.KEYS::read)
            .absent(OTHER)
            .about("[files](discovery.md#files) in a directory, one for each service; exactly one kind of source is"
                    + " required");
    private static final Key<ConsulConfig> CONSUL = Key.section("consul", null, ConsulConfig::read)
            .absent(OTHER)
            .about("the services of [Consul](discovery.md#consul)");
    private static final Key<KubernetesConfig> KUBERNETES = Key.section("kubernetes", null, KubernetesConfig::read)
            .absent(OTHER)
            .about("the EndpointSlices of [Kubernetes](discovery.md#kubernetes); `{}` = the namespace of the pod");
    private static final Key<EurekaConfig> EUREKA = Key.section("eureka", null, EurekaConfig::read)
            .absent(OTHER)
            .about("the applications of [Eureka](discovery.md#eureka)");
    private static final Key<EtcdConfig> ETCD = Key.section("etcd", null, EtcdConfig.KEYS::read)
            .absent(OTHER)
            .about("the keys of an [etcd](discovery.md#etcd) cluster, version 3.4 or later");

    public SourceConfig {
        List<String> present = new ArrayList<>();
        add(present, FILE, file);
        add(present, CONSUL, consul);
        add(present, KUBERNETES, kubernetes);
        add(present, EUREKA, eureka);
        add(present, ETCD, etcd);
        Expect.that(!present.isEmpty(), FILE.name(), "missing", "a source");
        Expect.that(
                present.size() < 2,
                present.get(present.size() - 1),
                "set together with " + present.get(0),
                "only one of the two");
    }

    private static void add(List<String> to, Key<?> key, @Nullable Object value) {
        if (value != null) {
            to.add(key.name());
        }
    }

    static SourceConfig read(Key.Values values) {
        values.exactlyOne(FILE.name(), CONSUL.name(), KUBERNETES.name(), EUREKA.name(), ETCD.name());
        return new SourceConfig(
                values.get(FILE), values.get(CONSUL), values.get(KUBERNETES), values.get(EUREKA), values.get(ETCD));
    }

    /** Creates a source of files. */
    public static SourceConfig of(FileSourceConfig file) {
        return new SourceConfig(file, null, null, null, null);
    }

    /** Creates a source in Consul. */
    public static SourceConfig of(ConsulConfig consul) {
        return new SourceConfig(null, consul, null, null, null);
    }

    /** Creates a source in Kubernetes. */
    public static SourceConfig of(KubernetesConfig kubernetes) {
        return new SourceConfig(null, null, kubernetes, null, null);
    }

    /** Creates a source in Eureka. */
    public static SourceConfig of(EurekaConfig eureka) {
        return new SourceConfig(null, null, null, eureka, null);
    }

    /** Creates a source in etcd. */
    public static SourceConfig of(EtcdConfig etcd) {
        return new SourceConfig(null, null, null, null, etcd);
    }
}
