package dev.lychgate.config;

/** A user of an etcd cluster. */
public record EtcdUser(String name, String password) {
    private static final Key<String> NAME = Key.typed("name", Form.TEXT, "unnamed")
            .matching("[!-~]{1,128}", "1 to 128 characters of ASCII without blanks")
            .required("the name of a user")
            .about("the name of the user");
    private static final Key<String> PASSWORD = Key.typed("password", Form.SECRET, "none")
            .required("the password of the user, such as ${file:PATH}")
            .about("the password of the user, preferably a [secret](secrets.md) such as `${file:PATH}`");

    static final Keys<EtcdUser> KEYS = Keys.of(EtcdUser::new, NAME, PASSWORD);

    public EtcdUser {
        KEYS.check(name, password);
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "EtcdUser[name=" + name + ", password=***]";
    }
}
