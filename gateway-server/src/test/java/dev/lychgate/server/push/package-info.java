@NullMarked
package dev.lychgate.server.push;

import org.jspecify.annotations.NullMarked;
