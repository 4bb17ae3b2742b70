@NullMarked
package dev.lychgate.oidc;

import org.jspecify.annotations.NullMarked;
