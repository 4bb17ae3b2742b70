/**
 * The asynchronous form in the words of RxJava 3: a filter gives a {@link io.reactivex.rxjava3.core.Single}, a
 * {@link io.reactivex.rxjava3.core.Maybe} or a {@link io.reactivex.rxjava3.core.Completable} in place of a stage. It is
 * subscribed to on the event loop, once per exchange; when nobody waits for it any more, the subscription is disposed.
 */
@NullMarked
package dev.lychgate.filters.rx;

import org.jspecify.annotations.NullMarked;
