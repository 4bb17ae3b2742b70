@NullMarked
package dev.lychgate.server.extensions;

import org.jspecify.annotations.NullMarked;
