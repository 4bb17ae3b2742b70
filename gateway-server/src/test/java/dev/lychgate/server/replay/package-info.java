@NullMarked
package dev.lychgate.server.replay;

import org.jspecify.annotations.NullMarked;
