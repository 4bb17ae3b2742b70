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
        footer = {"", "Exit code: 0 if all went well, 1 if not."})
public final class LychgateCommand implements Callable<Integer> {
    private final RunCommand run;

    @Mixin
    private final ConfigOption config = new ConfigOption();

    private LychgateCommand(RunCommand run) {
        this.run = run;
    }

    /**
     * Runs one command to its end; {@code run}, {@code demo} and {@code origin} end when they are stopped.
     *
     * @return the exit code: 0 if all went well, 1 if not
     */
    public static int execute(Surroundings surroundings, String... args) {
        RunCommand run = new RunCommand(surroundings);
        CommandLine line = new CommandLine(new LychgateCommand(run))
                .addSubcommand(run)
                .addSubcommand(new CheckCommand(surroundings))
                .addSubcommand(new RoutesCommand(surroundings))
                .addSubcommand(new DemoCommand(surroundings))
                .addSubcommand(new OriginCommand(surroundings));
        OneLineErrors errors = new OneLineErrors();
        return line.setOut(surroundings.out())
                .setErr(surroundings.err())
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .execute(args);
    }

    @Override
    public Integer call() throws Exception {
        return run.run(config);
    }
}
