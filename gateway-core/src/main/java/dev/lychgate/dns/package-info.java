/**
 * Endpoint discovery by DNS: resolves the addresses of host names and the targets of services while a generation uses
 * them, at the pace of the records' times to live. Discovery runs once per process, on its own thread. Event loops only
 * use the generation that contains the new endpoints.
 */
@NullMarked
package dev.lychgate.dns;

import org.jspecify.annotations.NullMarked;
