package dev.lychgate.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import dev.lychgate.config.KnownSecrets;
import java.io.IOException;

/** Masks the secrets of the configuration in texts before they are escaped. Names of members are not secret. */
final class MaskingGenerator extends JsonGeneratorDelegate {
    MaskingGenerator(JsonGenerator json) {
        super(json, false);
    }

    @Override
    public void writeString(String text) throws IOException {
        super.writeString(KnownSecrets.OF_PROCESS.hide(text));
    }
}
