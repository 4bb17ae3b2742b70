package dev.lychgate.server.cli;

import dev.lychgate.server.terminal.CacheText;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code purge}: removes stored responses from the cache. */
@Command(
        name = "purge",
        description = {
            "Removes stored responses from the cache of a running gateway.",
            "Responses that were requested before the purge are not stored after it."
        },
        footer = {
            "  lychgate purge http://shop.example/a",
            "  lychgate purge --prefix http://shop.example/img/",
            "  lychgate purge --tag product-7",
            "  lychgate purge --all"
        })
final class PurgeCommand extends AdminCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "URI",
            description = "The address of the responses, with scheme, host and query.")
    private @Nullable String uri;

    @Option(names = "--prefix", paramLabel = "URI", description = "The responses whose addresses begin with this text.")
    private @Nullable String prefix;

    @Option(names = "--tag", paramLabel = "TAG", description = "The responses with this tag.")
    private @Nullable String tag;

    @Option(names = "--all", description = "All stored responses.")
    private boolean all;

    PurgeCommand() {
        super("POST", CacheText::purge);
    }

    @Override
    String target() throws UsageException {
        long given = Stream.of(uri != null, prefix != null, tag != null, all)
                .filter(each -> each)
                .count();
        if (given != 1) {
            throw new UsageException("purge (expected: exactly one of URI, --prefix, --tag and --all)");
        }
        String by = uri != null ? "uri" : prefix != null ? "prefix" : tag != null ? "tag" : "all";
        String value = uri != null ? uri : prefix != null ? prefix : tag;
        return target("/cache/purge", "by", by, "value", value);
    }
}
