package dev.lychgate.server.shadow;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;

/**
 * A generation whose filters serve no request.
 *
 * @param release releases the filters and their state; called once
 */
public record ShadowBuild(GatewayConfig config, FilterSet filters, Runnable release) {
    /** A generation can have no shadow. */
    public static final class Impossible extends Exception {
        private static final long serialVersionUID = 1;

        public Impossible(String why) {
            super(why);
        }
    }

    /** Builds a generation for a shadow. */
    public interface Source {
        /**
         * Blocks until it is built.
         *
         * @throws Impossible with the reason for operators
         * @throws InterruptedException if the shadow has ended
         */
        ShadowBuild build() throws Exception;
    }
}
