@NullMarked
package dev.lychgate.server.registries;

import org.jspecify.annotations.NullMarked;
