package dev.lychgate.postgresql;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.ContributedStore;
import dev.lychgate.extension.Extension;
import java.util.List;

/** The extension {@code postgresql}, which contributes only a store for fleets. */
public final class Postgresql implements Extension<Postgresql.Section, Postgresql.Section> {
    /** The section {@code extensions.postgresql}, which is not used. */
    record Section() {}

    @Override
    public Keys<Section> keys() {
        return Keys.none(Section::new);
    }

    @Override
    public List<ContributedFilter<Section, ?>> filters() {
        return List.of();
    }

    @Override
    public List<ContributedStore<?>> stores() {
        return List.of(new ContributedStore<>(
                "postgresql",
                "stores the releases of a fleet in PostgreSQL",
                PostgresqlSettings.KEYS,
                PostgresqlStore::open));
    }

    @Override
    public Section open(Section section) {
        throw new ConfigException("postgresql", "in extensions", "fleet.store.postgresql, without this section");
    }
}
