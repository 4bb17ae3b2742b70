package dev.lychgate.server.discovery;

import dev.lychgate.config.ConsulConfig;
import dev.lychgate.config.EtcdConfig;
import dev.lychgate.config.EurekaConfig;
import dev.lychgate.config.FileSourceConfig;
import dev.lychgate.config.KubernetesConfig;
import dev.lychgate.config.SourceConfig;
import dev.lychgate.discovery.EndpointSource;
import dev.lychgate.discovery.EndpointSources;
import dev.lychgate.discovery.LastSets;
import java.nio.file.Path;

/** Creates the sources of endpoints that this module implements, such as files, Consul and Kubernetes. */
public final class ServerSources implements EndpointSources {
    @Override
    public EndpointSource open(String name, SourceConfig settings) {
        FileSourceConfig file = settings.file();
        if (file != null) {
            return new FileSource(name, Path.of(file.directory()));
        }
        ConsulConfig consul = settings.consul();
        if (consul != null) {
            return new ConsulSource(name, consul);
        }
        KubernetesConfig kubernetes = settings.kubernetes();
        if (kubernetes != null) {
            return new KubernetesSource(name, KubernetesAccess.of(kubernetes));
        }
        EurekaConfig eureka = settings.eureka();
        if (eureka != null) {
            return new EurekaSource(name, eureka);
        }
        EtcdConfig etcd = settings.etcd();
        if (etcd != null) {
            return new EtcdSource(name, etcd);
        }
        throw new IllegalArgumentException("a source without settings: " + name);
    }

    @Override
    public LastSets lastSets(Path directory) {
        return new LastSetFiles(directory);
    }
}
