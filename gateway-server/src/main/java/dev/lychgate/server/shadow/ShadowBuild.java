package dev.lychgate.server.shadow;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;

/**
 * A generation whose filters serve no requests.
 *
 * @param release releases the filters and their state; must be called once
 */
public record ShadowBuild(GatewayConfig config, FilterSet filters, Runnable release) {
    /** Reports that a generation cannot have a shadow. */
    public static final class Impossible extends Exception {
        private static final long serialVersionUID = 1;

        public Impossible(String why) {
            super(why);
        }
    }

    /** Builds a generation for a shadow. */
    public interface Source {
        /**
         * Builds the generation, and blocks until it is built.
         *
         * @throws Impossible if the generation cannot have a shadow; the message states the reason for operators
         * @throws InterruptedException if the shadow has ended
         */
        ShadowBuild build() throws Exception;
    }
}
