/** JSON that the admin listener and the command line write, and the schemas that describe it. */
@NullMarked
package dev.lychgate.server.json;

import org.jspecify.annotations.NullMarked;
