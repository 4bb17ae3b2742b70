/**
 * Endpoint discovery by DNS: resolves the addresses of host names and the targets of services while a generation uses
 * them. A name is looked up again when the time to live of its records ends. Discovery runs once per process, on its
 * own thread. Event loops do not take part in discovery: they use the generation that contains the new endpoints.
 */
@NullMarked
package dev.lychgate.dns;

import org.jspecify.annotations.NullMarked;
