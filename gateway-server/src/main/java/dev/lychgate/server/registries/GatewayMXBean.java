package dev.lychgate.server.registries;

/** The MBean of the gateway itself, {@code dev.lychgate:type=gateway}. */
public interface GatewayMXBean {
    /** Returns the number of exposed series. The call first adds the MBeans of new series. */
    int getSeries();

    /** Returns the age of the exposed values in milliseconds; -1 if no values have been read yet. */
    long getAgeMillis();
}
