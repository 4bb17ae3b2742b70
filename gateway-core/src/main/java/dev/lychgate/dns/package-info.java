/**
 * Endpoints by name: DNS is asked for the addresses of host names and the targets of services for as long as a generation
 * names them, at the pace that the records' times to live set. Works once per process, on a thread of its own; event loops
 * only meet the generation that has the new endpoints.
 */
@NullMarked
package dev.lychgate.dns;

import org.jspecify.annotations.NullMarked;
