package dev.lychgate.http;

import io.netty.handler.codec.http.HttpResponseStatus;

/** The standard reason phrases. */
public final class ReasonPhrases {
    private ReasonPhrases() {}

    /** The registered phrase of {@code status}, or a phrase for its class where none is registered. */
    public static String of(int status) {
        return HttpResponseStatus.valueOf(status).reasonPhrase();
    }
}
