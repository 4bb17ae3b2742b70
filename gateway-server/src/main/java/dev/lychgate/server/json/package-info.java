/** JSON that the admin listener and the command line write. */
@NullMarked
package dev.lychgate.server.json;

import org.jspecify.annotations.NullMarked;
