/** Helper classes of Netflix that the API of Zuul uses. */
@NullMarked
package com.netflix.util;

import org.jspecify.annotations.NullMarked;
