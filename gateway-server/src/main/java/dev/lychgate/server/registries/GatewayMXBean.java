package dev.lychgate.server.registries;

/** The gateway itself among its MBeans; {@code dev.lychgate:type=gateway}. */
public interface GatewayMXBean {
    /** How many series there are. Reading it looks for new ones. */
    int getSeries();

    /** How old the figures are that are shown, in milliseconds; -1 if none have been taken yet. */
    long getAgeMillis();
}
