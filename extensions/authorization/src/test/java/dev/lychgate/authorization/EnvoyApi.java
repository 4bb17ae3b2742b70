package dev.lychgate.authorization;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.Locale;

/**
 * The messages of {@code envoy.service.auth.v3} as descriptors, by which the Protocol Buffers library reads and writes them in tests,
 * independently of the extension's code. A line is {@code type name = number}; {@code +} = repeated, and {@code %} = a map of texts.
 */
final class EnvoyApi {
    private static final FileDescriptor FILE = file("""
        CheckRequest: AttributeContext attributes = 1
        AttributeContext: Peer source = 1, Peer destination = 2, Request request = 4, %string context_extensions = 10, TlsSession tls_session = 12
        TlsSession: string sni = 1
        Peer: Address address = 1, string service = 2, string principal = 4
        Address: SocketAddress socket_address = 1
        SocketAddress: int64 protocol = 1, string address = 2, int64 port_value = 3
        Request: Timestamp time = 1, HttpRequest http = 2
        Timestamp: int64 seconds = 1, int32 nanos = 2
        HttpRequest: string id = 1, string method = 2, %string headers = 3, string path = 4, string host = 5, string scheme = 6, string query = 7, int64 size = 9, string protocol = 10, string body = 11, bytes raw_body = 12
        CheckResponse: Status status = 1, Denied denied_response = 2, Ok ok_response = 3, Any dynamic_metadata = 4
        Status: int32 code = 1, string message = 2
        Any: string text = 1
        HttpStatus: int32 code = 1
        Denied: HttpStatus status = 1, +Option headers = 2, string body = 3
        Ok: +Option headers = 2, Any dynamic_metadata = 3, +string headers_to_remove = 5, +Option response_headers_to_add = 6
        Option: Header header = 1, Bool append = 2, int32 append_action = 3
        Bool: bool value = 1
        Header: string key = 1, string value = 2, bytes raw_value = 3
        """);

    private EnvoyApi() {}

    static Descriptor message(String name) {
        return FILE.findMessageTypeByName(name);
    }

    private static FileDescriptor file(String text) {
        FileDescriptorProto.Builder file =
                FileDescriptorProto.newBuilder().setName("auth.proto").setSyntax("proto3");
        text.lines().forEach(line -> file.addMessageType(message(line.split(": ", 2))));
        try {
            return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
        } catch (Descriptors.DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DescriptorProto message(String[] nameAndFields) {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(nameAndFields[0]);
        for (String field : nameAndFields[1].split(", ", -1)) {
            String[] parts = field.split("[ =]+", -1);
            boolean map = parts[0].startsWith("%");
            boolean repeated = map || parts[0].startsWith("+");
            String type = repeated ? parts[0].substring(1) : parts[0];
            FieldDescriptorProto.Builder built = FieldDescriptorProto.newBuilder()
                    .setName(parts[1])
                    .setNumber(Integer.parseInt(parts[2]))
                    .setLabel(repeated ? Label.LABEL_REPEATED : Label.LABEL_OPTIONAL);
            if (map) {
                String entry = entryName(parts[1]);
                message.addNestedType(DescriptorProto.newBuilder()
                        .setName(entry)
                        .addField(text("key", 1))
                        .addField(text("value", 2))
                        .setOptions(MessageOptions.newBuilder().setMapEntry(true)));
                built.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(nameAndFields[0] + "." + entry);
            } else if (Character.isUpperCase(type.charAt(0))) {
                built.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(type);
            } else {
                built.setType(FieldDescriptorProto.Type.valueOf("TYPE_" + type.toUpperCase(Locale.ROOT)));
            }
            message.addField(built);
        }
        return message.build();
    }

    private static FieldDescriptorProto text(String name, int number) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setLabel(Label.LABEL_OPTIONAL)
                .setType(FieldDescriptorProto.Type.TYPE_STRING)
                .build();
    }

    /** {@code context_extensions} has the entries {@code ContextExtensionsEntry}. */
    private static String entryName(String field) {
        StringBuilder name = new StringBuilder();
        for (String word : field.split("_", -1)) {
            name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return name.append("Entry").toString();
    }
}
