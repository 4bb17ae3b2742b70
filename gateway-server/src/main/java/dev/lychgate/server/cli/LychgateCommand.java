package dev.lychgate.server.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command line as a whole; without a subcommand it is {@code run}. */
@Command(
        name = "lychgate",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "An asynchronous HTTP reverse-proxy gateway. Without a command: run.",
        footer = {
            "",
            "Exit code: 0 if all went well, 1 if not, 70 if the gateway broke down;",
            "143 or 130 if a signal came before it was ready."
        })
public final class LychgateCommand implements Callable<Integer> {
    @Mixin
    private final ConfigOption config = new ConfigOption(null);

    private final RunCommand run;

    private LychgateCommand(Surroundings surroundings) {
        this.run = new RunCommand(surroundings, config);
    }

    /**
     * Runs one command to its end; {@code run}, {@code demo} and {@code origin} end when they are stopped.
     *
     * @return the exit code: 0 if all went well, 1 if not
     */
    public static int execute(Surroundings surroundings, String... args) {
        ConfigOption plain = PlainRun.understand(args);
        if (plain == null) {
            return parsed(surroundings, args);
        }
        try {
            return new RunCommand(surroundings, plain).call();
        } catch (Exception e) {
            return Failure.tell(e, surroundings.err());
        }
    }

    private static int parsed(Surroundings surroundings, String... args) {
        LychgateCommand whole = new LychgateCommand(surroundings);
        CommandLine line = new CommandLine(whole)
                .addSubcommand(whole.run)
                .addSubcommand(new CheckCommand(surroundings, whole.config))
                .addSubcommand(new RoutesCommand(surroundings, whole.config))
                .addSubcommand(new TestCommand(surroundings))
                .addSubcommand(new AdminCommand.Reload(surroundings, whole.config))
                .addSubcommand(new AdminCommand.Rollback(surroundings, whole.config))
                .addSubcommand(new EndpointCommand(surroundings, whole.config))
                .addSubcommand(new BreakerCommand(surroundings, whole.config))
                .addSubcommand(new FilterCommand(surroundings, whole.config))
                .addSubcommand(new LogLevelCommand(surroundings, whole.config))
                .addSubcommand(new ExplainCommand(surroundings, whole.config))
                .addSubcommand(new TopCommand(surroundings, whole.config))
                .addSubcommand(new TraceCommand(surroundings, whole.config))
                .addSubcommand(new CacheCommand(surroundings))
                .addSubcommand(new DemoCommand(surroundings))
                .addSubcommand(new OriginCommand(surroundings));
        OneLineErrors errors = new OneLineErrors();
        return line.setOut(surroundings.out())
                .setErr(surroundings.err())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setExecutionStrategy(whole::lastCommand)
                .execute(args);
    }

    /** An option that the command has no use for is refused, not passed over. */
    private int lastCommand(CommandLine.ParseResult parsed) {
        CommandLine.ParseResult command = parsed.subcommand();
        if (command != null
                && config.isGiven()
                && !command.commandSpec().optionsMap().containsKey("--config")) {
            String name = command.commandSpec().name();
            throw new CommandLine.ParameterException(
                    parsed.commandSpec().commandLine(), "--config means nothing to " + name + "; leave it out");
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    @Override
    public Integer call() throws Exception {
        return run.call();
    }
}
