package dev.lychgate.server.yaml;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.RouteAction;
import dev.lychgate.filters.builtin.BuiltinFilters;
import dev.lychgate.filters.builtin.FilterKind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes the JSON Schema from the declared keys and the settings of filters. */
final class KeySchema {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NINE_DIGITS = 999_999_999;
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    private final Map<String, Key<?>> keys;
    private final Map<String, Set<Constraint>> constraints;

    KeySchema(Reading survey) {
        this.keys = survey.declared;
        this.constraints = survey.constraints;
    }

    JsonNode schema() {
        ObjectNode schema = JSON.createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", "https://lychgate.dev/gateway.schema.json");
        schema.put("title", "Lychgate configuration");
        schema.put(
                "description",
                "config/gateway.yml; every key is described in docs/configuration.md. Generated: see CONTRIBUTING.md.");
        schema.setAll(section(""));
        ObjectNode definitions = definitions();
        definitions.set("group", part("routes[]", Set.of("id", "group")));
        Set<String> perRoute = new HashSet<>(RouteAction.KEYS);
        perRoute.addAll(Set.of("id", "group"));
        definitions.set("route-defaults", part("routes[]", perRoute));
        definitions.set("upstream-defaults", part("upstreams.*", Set.of()));
        schema.set("$defs", definitions);
        return schema;
    }

    private ObjectNode section(String path) {
        ObjectNode section = object();
        ArrayNode required = JSON.createArrayNode();
        ObjectNode properties = JSON.createObjectNode();
        String prefix = path.isEmpty() ? "" : path + ".";
        keys.forEach((each, key) -> {
            if (each.startsWith(prefix) && each.equals(prefix + key.name())) {
                properties.set(key.name(), key(each, key));
                if (key.requires() != null) {
                    required.add(key.name());
                }
            }
        });
        if (!required.isEmpty()) {
            section.set("required", required);
        }
        section.set("properties", properties);
        constraints.getOrDefault(path, Set.of()).forEach(each -> constrain(section, each));
        if (path.equals("routes[]")) {
            // The group of a route may contain its action.
            section.withArray("oneOf").addObject().set("allOf", alone());
        }
        return section;
    }

    /** A group and no action. */
    private static ArrayNode alone() {
        ArrayNode all = JSON.createArrayNode().add(required(List.of("group")));
        List.of("upstream", "redirect", "respond")
                .forEach(action -> all.addObject().set("not", required(List.of(action))));
        return all;
    }

    /** Keys of a section, all optional. */
    private ObjectNode part(String path, Set<String> without) {
        ObjectNode properties = (ObjectNode) section(path).get("properties");
        properties.remove(without);
        ObjectNode part = object();
        part.set("properties", properties);
        return part;
    }

    private static ObjectNode object() {
        return JSON.createObjectNode().put("type", "object").put("additionalProperties", false);
    }

    private static void constrain(ObjectNode section, Constraint constraint) {
        if (constraint instanceof Constraint.ExactlyOne one) {
            one.groups().forEach(group -> section.withArray("oneOf").add(required(group)));
        } else if (constraint instanceof Constraint.Needs needs) {
            section.withObject("/dependentRequired").putArray(needs.key()).add(needs.other());
        } else if (constraint instanceof Constraint.NotBoth both) {
            section.withArray("allOf").addObject().set("not", required(List.of(both.key(), both.other())));
        } else if (constraint instanceof Constraint.With with) {
            ObjectNode condition = required(List.of(with.key()));
            condition.putObject("properties").putObject(with.key()).put("const", with.value());
            section.set("if", condition);
            section.set("then", required(List.of(with.other())));
        } else if (constraint instanceof Constraint.OneKey) {
            section.put("minProperties", 1).put("maxProperties", 1);
            section.putObject("additionalProperties").put("type", "object");
        } else if (constraint instanceof Constraint.Named) {
            section.putObject("additionalProperties").put("type", "object");
        }
    }

    private static ObjectNode required(List<String> group) {
        ObjectNode required = JSON.createObjectNode();
        group.forEach(required.putArray("required")::add);
        return required;
    }

    private ObjectNode key(String path, Key<?> key) {
        ObjectNode node = JSON.createObjectNode().put("description", KeyText.sentence(KeyText.meaning(key)));
        String written = KeyText.written(key);
        if (written != null) {
            node.set("default", otherwise(key.form(), written));
        }
        node.setAll(form(key.form(), path));
        return node;
    }

    private static JsonNode otherwise(Form<?> form, String written) {
        boolean plain = form.kind() == Form.Kind.FLAG || form.kind() == Form.Kind.NUMBER || written.matches("0|false");
        if (form.kind() == Form.Kind.LIST) {
            ArrayNode list = JSON.createArrayNode();
            List.of(written.substring(1, written.length() - 1).split(", ", -1)).forEach(list::add);
            return list;
        }
        if (plain && written.matches("-?\\d+")) {
            return JSON.getNodeFactory().numberNode(Integer.parseInt(written));
        }
        return plain && !written.equals("auto")
                ? JSON.getNodeFactory().booleanNode(Boolean.parseBoolean(written))
                : JSON.getNodeFactory().textNode(written);
    }

    private ObjectNode form(Form<?> form, String path) {
        Form<?> item = form.item();
        return switch (form.kind()) {
            case TEXT, SECRET, FILE, AMOUNT -> text(form);
            case FLAG -> reference("flag");
            case FILTER -> reference(form.schema());
            case EXTENSION -> reference("extension");
            case PARTIAL -> reference(form.schema());
            case NUMBER -> number(form, form.range());
            case LIST -> list(form, Objects.requireNonNull(item), path + "[]");
            case MAPPING -> mapping(Objects.requireNonNull(item), path + ".*");
            case SECTION -> item == null ? section(path) : anyOf(word(item), section(path), reference("placeholder"));
        };
    }

    private ObjectNode word(Form<?> word) {
        return word.choices().isEmpty() ? form(word, "") : enumeration(word.choices());
    }

    private static ObjectNode text(Form<?> form) {
        if (!form.choices().isEmpty()) {
            return anyOf(enumeration(form.choices()), reference("placeholder"));
        }
        Form.Rule rule = form.rule();
        if (rule != null) {
            return rule.regex().equals(NAME) ? reference("name") : pattern("^(" + rule.regex() + ")$");
        }
        return form.schema().startsWith("^") ? pattern(form.schema()) : reference(form.schema());
    }

    private static ObjectNode number(Form<?> form, Form.@Nullable Range range) {
        Form.Rule rule = form.rule();
        if (rule != null) {
            ObjectNode listed = JSON.createObjectNode();
            IntStream.range(0, 1000)
                    .filter(n -> Integer.toString(n).matches(rule.regex()))
                    .forEach(listed.putArray("enum")::add);
            return anyOf(listed, reference("placeholder"));
        }
        ObjectNode number = JSON.createObjectNode().put("type", "integer");
        number.put("minimum", range == null ? -NINE_DIGITS : range.orZero() ? 0 : range.lowest());
        number.put("maximum", range == null ? NINE_DIGITS : Math.min(range.highest(), NINE_DIGITS));
        return form.choices().isEmpty()
                ? anyOf(number, reference("placeholder"))
                : anyOf(enumeration(form.choices()), number, reference("placeholder"));
    }

    private ObjectNode list(Form<?> form, Form<?> item, String path) {
        ObjectNode list = JSON.createObjectNode().put("type", "array");
        Form.Range range = form.range();
        if (range != null && range.lowest() > 0) {
            list.put("minItems", range.lowest());
        }
        if (range != null && range.highest() < NINE_DIGITS) {
            list.put("maxItems", range.highest());
        }
        if (form.schema().equals("distinct")) {
            list.put("uniqueItems", true);
        }
        list.set("items", form(item, path));
        return form.schema().equals("one") ? anyOf(form(item, path), list) : list;
    }

    private ObjectNode mapping(Form<?> item, String path) {
        if ((item.kind() == Form.Kind.TEXT && item.choices().isEmpty()) || item.kind() == Form.Kind.SECRET) {
            return reference("texts");
        }
        ObjectNode mapping = JSON.createObjectNode().put("type", "object");
        if (item.kind() == Form.Kind.SECTION) {
            mapping.putObject("propertyNames").put("pattern", "^" + NAME + "$");
        }
        mapping.set("additionalProperties", form(item, path));
        return mapping;
    }

    private static ObjectNode enumeration(List<String> words) {
        ObjectNode node = JSON.createObjectNode();
        words.forEach(node.putArray("enum")::add);
        return node;
    }

    private static ObjectNode pattern(String regex) {
        return anyOf(JSON.createObjectNode().put("type", "string").put("pattern", regex), reference("placeholder"));
    }

    private static ObjectNode anyOf(JsonNode... choices) {
        ObjectNode node = JSON.createObjectNode();
        List.of(choices).forEach(node.putArray("anyOf")::add);
        return node;
    }

    private static ObjectNode reference(String definition) {
        return JSON.createObjectNode().put("$ref", "#/$defs/" + definition);
    }

    private ObjectNode definitions() {
        ObjectNode all = JSON.createObjectNode();
        all.putObject("placeholder")
                .put("description", "A value with a variable of the environment: ${NAME} or ${NAME:default}.")
                .put("type", "string")
                .put("pattern", "\\$\\{[A-Za-z_][A-Za-z0-9_]*(:[^}]*)?\\}");
        all.putObject("text").put("type", "string");
        all.putObject("texts").put("type", "object").set("additionalProperties", reference("text"));
        ArrayNode scalar = all.putObject("scalar").putArray("type");
        List.of("string", "number", "boolean").forEach(scalar::add);
        all.set("name", described("Letters, digits, '.', '_' and '-', at most 64.", pattern("^" + NAME + "$")));
        all.set("flag", anyOf(JSON.createObjectNode().put("type", "boolean"), reference("placeholder")));
        all.set("duration", amount("A whole number with ms, s, m, h or d; 0 needs no unit.", "[0-9]{1,9}(ms|s|m|h|d)"));
        all.set(
                "precise",
                amount("A whole number with us, ms, s, m, h or d; 0 needs no unit.", "[0-9]{1,9}(us|ms|s|m|h|d)"));
        all.set(
                "size",
                amount("A whole number with B, KiB, MiB or GiB; 0 needs no unit.", "[0-9]{1,12}(B|KiB|MiB|GiB)"));
        all.set(
                "sample",
                amount(
                        "Percent with at most four decimals; 0 needs no sign.",
                        "(100(\\.0{1,4})?|[0-9]{1,2}(\\.[0-9]{1,4})?)%"));
        all.set("percent", amount("A whole number with %; 0 needs none.", "[0-9]{1,4}%"));
        all.set("filter", filter());
        all.set(
                "authenticator",
                described("An authenticator of an extension with its settings, or the name of one.", contributed()));
        all.set(
                "authorizer",
                described("An authorizer of an extension with its settings, or the text of a rule.", contributed()));
        ObjectNode extension = JSON.createObjectNode();
        extension.putArray("type").add("object").add("null");
        all.set("extension", described("The settings of an extension; the extension declares its keys.", extension));
        return all;
    }

    private static ObjectNode contributed() {
        ObjectNode text = JSON.createObjectNode().put("type", "string").put("minLength", 1);
        ObjectNode settings = JSON.createObjectNode()
                .put("type", "object")
                .put("minProperties", 1)
                .put("maxProperties", 1);
        settings.putObject("additionalProperties").put("type", "object");
        return anyOf(text, settings);
    }

    private static ObjectNode amount(String description, String regex) {
        ObjectNode zero = JSON.createObjectNode().put("const", 0);
        ObjectNode text = JSON.createObjectNode().put("type", "string").put("pattern", "^(0|" + regex + ")$");
        return described(description, anyOf(zero, text, reference("placeholder")));
    }

    private static ObjectNode described(String description, ObjectNode node) {
        ObjectNode described = JSON.createObjectNode().put("description", description);
        described.setAll(node);
        return described;
    }

    private ObjectNode filter() {
        ObjectNode bare = JSON.createObjectNode()
                .put("type", "string")
                .put("minLength", 1)
                .put("maxLength", 128);
        ArrayNode never = bare.putObject("not").putArray("enum");
        ObjectNode withSettings = JSON.createObjectNode()
                .put("type", "object")
                .put("minProperties", 1)
                .put("maxProperties", 1);
        withSettings.putObject("additionalProperties").put("type", "object");
        ObjectNode kinds = withSettings.putObject("properties");
        for (FilterKind kind : BuiltinFilters.all()) {
            if (!kind.needsNothing()) {
                never.add(kind.name());
            }
            kinds.set(kind.name(), settings(kind));
        }
        return described(
                "A filter with its settings, or the name of one that needs none. A filter of your own declares its"
                        + " settings.",
                anyOf(bare, withSettings));
    }

    private ObjectNode settings(FilterKind kind) {
        ObjectNode node = described(KeyText.sentence(kind.about()), object());
        ArrayNode required = JSON.createArrayNode();
        ObjectNode properties = JSON.createObjectNode();
        for (Key<?> setting : kind.settings()) {
            ObjectNode property = JSON.createObjectNode().put("description", KeyText.sentence(setting.about()));
            String written = KeyText.written(setting);
            if (written != null) {
                property.set("default", otherwise(setting.form(), written));
            }
            property.setAll(form(setting.form(), ""));
            properties.set(setting.name(), property);
            if (setting.requires() != null) {
                required.add(setting.name());
            }
        }
        if (!required.isEmpty()) {
            node.set("required", required);
        }
        node.set("properties", properties);
        return node;
    }
}
