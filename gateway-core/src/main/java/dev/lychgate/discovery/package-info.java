/**
 * Discovery of endpoints at sources other than DNS, such as registries of services. An {@link
 * dev.lychgate.discovery.EndpointSource} reports whole sets of endpoints. {@link
 * dev.lychgate.discovery.SourceDiscovery} applies the same rules to all sources, and stores the endpoints in the states
 * of the upstreams. Discovery runs once per process, on its own thread. Event loops do not take part in discovery: they
 * use the generation that contains the new endpoints. The classes of this package are loaded only if an upstream names
 * a source.
 */
@NullMarked
package dev.lychgate.discovery;

import org.jspecify.annotations.NullMarked;
