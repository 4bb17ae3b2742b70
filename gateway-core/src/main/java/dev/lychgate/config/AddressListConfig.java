package dev.lychgate.config;

import java.util.List;

/**
 * A named list of addresses.
 *
 * @param addresses the address blocks that are written in the configuration itself
 * @param files the paths of files that contain additional address blocks
 */
public record AddressListConfig(List<Cidr> addresses, List<String> files) {
    private static final Key<List<Cidr>> ADDRESSES = Key.list("addresses", Form.ADDRESS_BLOCK)
            .about("the addresses and blocks of addresses, such as `192.0.2.7` and `2001:db8::/32`");
    private static final Key<List<String>> FILES = Key.typed("files", Form.oneOrList(Form.FILE), List.of())
            .absent("no files")
            .about("[files](client-protection.md#address-lists) with an address or block in each line, relative to "
                    + "this file; the gateway watches them for changes");

    static final Keys<AddressListConfig> KEYS = Keys.of(AddressListConfig::new, ADDRESSES, FILES);

    public AddressListConfig {
        KEYS.check(addresses, files);
        addresses = Expect.copy(addresses);
        files = Expect.copy(files);
        Expect.that(!(addresses.isEmpty() && files.isEmpty()), "addresses", "[]", "at least one address or file");
    }
}
