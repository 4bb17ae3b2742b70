package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Renews the certificates, the secrets and the admin section of the running generation. Neither the gate nor a rollout
 * delays a renewal, because a revoked credential must not stay valid during tests or steps. Callers hold the lock of
 * the {@link Reloader}.
 */
record Renewals(
        Logger log,
        GenerationBuilder builder,
        Replacement replacement,
        InForce inForce,
        Rollouts rollouts,
        ChangeNotes notes,
        Refusals refusals) {
    /**
     * If certificates were written, puts the running generation into force again. The swap reads the new certificates.
     */
    void renew(String why, History.Taken running) {
        refusals.ignoreUnsettled();
        FilesRead before = running.built().files();
        FilesRead now = before.renewed();
        if (now.certificates().equals(before.certificates())) {
            return;
        }
        notes.read(now);
        try {
            renew(running, now, why);
        } catch (RefusedException e) {
            refusals.provisional(why, e);
        }
    }

    /** Rotates the secrets of the running generation without reading the configuration on disk. */
    void rotateAlone(String why) {
        try {
            rotate(why, null);
        } catch (RefusedException e) {
            refusals.provisional(why, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * If a secret has changed, replaces the running generation by a copy with the current secrets.
     *
     * @param onDisk the files on disk, whose admin section is used; null to keep the admin section
     * @return whether a secret has changed
     */
    private boolean rotate(String why, @Nullable FilesRead onDisk) throws RefusedException, InterruptedException {
        History.Taken running = inForce.running();
        if (running == null) {
            return false;
        }
        FilesRead before = running.built().files();
        FilesRead now = before.withCurrentSecrets(builder::read);
        List<String> changed = before.secretsChangedIn(now);
        if (changed.isEmpty()) {
            return false;
        }
        boolean otherAdmin = false;
        if (inForce.hasOtherAdmin() && onDisk != null) {
            now = now.withAdminOf(onDisk);
            otherAdmin = true;
        }
        SwappedIn next = replacement.rotated(running, now, inForce.hasEjectedFilter());
        long number = next.generation().number();
        String reason = why + "; changed secrets: " + String.join(", ", changed);
        inForce.take(next, reason);
        inForce.otherAdmin(otherAdmin);
        rollouts.renewed(number);
        notes.rotated(reason, running, now, number);
        log.info("{}; generation {} is in force", reason, number);
        return true;
    }

    /**
     * Replaces the running generation by a copy. The copy has other certificates, or other values of settings that
     * filters do not use.
     */
    Generation renew(History.Taken running, FilesRead now, String why) throws RefusedException {
        Generation generation = renew(running.built().with(now), FileWatch.RENEWED);
        notes.renewed(why, running, generation.number());
        return generation;
    }

    /** Replaces the running generation by a copy with other certificates or another admin section. */
    private Generation renew(BuiltGeneration next, String why) throws RefusedException {
        Generation generation = replacement.swap(next.assembly(), next.files());
        inForce.renew(next, generation, why);
        rollouts.renewed(generation.number());
        return generation;
    }

    /**
     * Puts the admin section of a candidate into force at once, because a revoked credential must not stay valid during
     * a rollout or after its abort. A failure aborts the rollout.
     */
    void admit(FilesRead files) throws RefusedException {
        History.Taken running = inForce.running();
        if (running == null || running.built().files().hasAdminOf(files)) {
            return;
        }
        String why = "the admin section takes effect at once";
        try {
            Generation generation = renew(running.built().withAdminOf(files), why);
            inForce.otherAdmin(true);
            log.info("{}, in generation {}", why, generation.number());
            notes.admitted(why, running, generation.number());
        } catch (RefusedException | RuntimeException | Error e) {
            rollouts.abort("the admin section can't take effect");
            throw e;
        }
    }

    /**
     * Rotates the secrets of the running generation. If the rotation fails and the configuration files have also
     * changed, keeps the earlier secrets.
     */
    boolean rotateIfReadable(String why, FilesRead before, FilesRead files)
            throws RefusedException, InterruptedException {
        try {
            return rotate(why, files);
        } catch (RefusedException e) {
            if (Objects.equals(files.loaded().texts(), before.loaded().texts())) {
                throw e;
            }
            log.debug("{}; the secrets of the running generation stay as they are", why, e);
            return false;
        }
    }
}
