@NullMarked
package dev.lychgate.server.shadow;

import org.jspecify.annotations.NullMarked;
