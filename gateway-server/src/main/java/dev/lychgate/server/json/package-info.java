/** Writes the JSON output of the admin listener and the command line, and the schemas that describe this output. */
@NullMarked
package dev.lychgate.server.json;

import org.jspecify.annotations.NullMarked;
