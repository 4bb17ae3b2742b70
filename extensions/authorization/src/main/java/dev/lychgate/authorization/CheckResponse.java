package dev.lychgate.authorization;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of {@code envoy.service.auth.v3.CheckResponse} that the gateway uses. Other fields, such as {@code
 * dynamic_metadata}, are skipped.
 *
 * @param code the gRPC code in {@code status}; 0 if the service admits the request
 * @param httpStatus the status of {@code denied_response}; 0 if there is none
 * @param fields the header fields of {@code ok_response} or {@code denied_response}
 * @param removed {@code headers_to_remove} of {@code ok_response}
 * @param body the body of {@code denied_response}
 * @see <a
 *     href="https://www.envoyproxy.io/docs/envoy/latest/api-v3/service/auth/v3/external_auth.proto">external_auth.proto</a>
 */
record CheckResponse(int code, int httpStatus, List<Field> fields, List<String> removed, String body) {
    /**
     * A header field.
     *
     * @param appended whether the field is added to existing fields with the same name
     */
    record Field(String name, String value, boolean appended) {}

    private static final int MOST_FIELDS = 100;

    /**
     * Reads a message.
     *
     * @throws InvalidProtocolBufferException if the bytes are not a valid message
     */
    static CheckResponse parse(byte[] message) throws InvalidProtocolBufferException {
        Parser parser = new Parser();
        try {
            parser.response(CodedInputStream.newInstance(message));
        } catch (InvalidProtocolBufferException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidProtocolBufferException(e);
        }
        return new CheckResponse(
                parser.code, parser.httpStatus, List.copyOf(parser.fields), List.copyOf(parser.removed), parser.body);
    }

    /** Reads fields by their numbers. A message with a field of the wrong type is malformed. */
    private static final class Parser {
        private int code;
        private int httpStatus;
        private final List<Field> fields = new ArrayList<>();
        private final List<String> removed = new ArrayList<>();
        private String body = "";

        private interface Content {
            /**
             * Reads the value of a field.
             *
             * @return false if the field must be skipped
             */
            boolean read(int number, CodedInputStream in) throws IOException;
        }

        private static void each(CodedInputStream in, Content content) throws IOException {
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                int number = WireFormat.getTagFieldNumber(tag);
                int before = in.getTotalBytesRead();
                boolean text = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
                boolean varint = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT;
                if (!(text || varint) || !content.read(text ? number : -number, in)) {
                    if (before != in.getTotalBytesRead()) {
                        throw new InvalidProtocolBufferException("a field that was read in part");
                    }
                    in.skipField(tag);
                }
            }
        }

        private static void nested(CodedInputStream in, Content content) throws IOException {
            int limit = in.pushLimit(in.readRawVarint32());
            each(in, content);
            in.popLimit(limit);
        }

        /**
         * Reads the top-level message. A negative number stands for a field of the type varint: for example, -1 is
         * field 1.
         */
        void response(CodedInputStream all) throws IOException {
            each(all, (number, in) -> {
                switch (number) {
                    case 1 -> nested(in, this::status);
                    case 2 -> nested(in, this::denied);
                    case 3 -> nested(in, this::allowed);
                    default -> {
                        return false;
                    }
                }
                return true;
            });
        }

        private boolean status(int number, CodedInputStream in) throws IOException {
            if (number != -1) {
                return false;
            }
            code = in.readInt32();
            return true;
        }

        private boolean denied(int number, CodedInputStream in) throws IOException {
            switch (number) {
                case 1 ->
                    nested(in, (inner, from) -> {
                        if (inner != -1) {
                            return false;
                        }
                        httpStatus = from.readInt32();
                        return true;
                    });
                case 2 -> nested(in, new FieldOption());
                case 3 -> body = in.readStringRequireUtf8();
                default -> {
                    return false;
                }
            }
            return true;
        }

        private boolean allowed(int number, CodedInputStream in) throws IOException {
            switch (number) {
                case 2 -> nested(in, new FieldOption());
                case 5 -> {
                    removed.add(in.readStringRequireUtf8());
                    requireFew(removed);
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        private static void requireFew(List<?> list) throws InvalidProtocolBufferException {
            if (list.size() > MOST_FIELDS) {
                throw new InvalidProtocolBufferException("more than " + MOST_FIELDS + " fields");
            }
        }

        /** Reads one {@code HeaderValueOption}. */
        private final class FieldOption implements Content {
            private int index = -1;
            private boolean appended;

            @Override
            public boolean read(int number, CodedInputStream in) throws IOException {
                if (number == 1) {
                    String[] pair = {"", ""};
                    nested(in, (inner, from) -> value(pair, inner, from));
                    put(new Field(pair[0], pair[1], appended));
                } else if (number == 2) {
                    nested(in, (inner, from) -> {
                        if (inner != -1) {
                            return false;
                        }
                        appended = from.readBool();
                        return true;
                    });
                    if (index >= 0) {
                        put(new Field(
                                fields.get(index).name(), fields.get(index).value(), appended));
                    }
                } else {
                    return false;
                }
                return true;
            }

            private void put(Field field) throws InvalidProtocolBufferException {
                if (index < 0) {
                    index = fields.size();
                    fields.add(field);
                    requireFew(fields);
                } else {
                    fields.set(index, field);
                }
            }

            private static boolean value(String[] pair, int number, CodedInputStream in) throws IOException {
                switch (number) {
                    case 1 -> pair[0] = in.readStringRequireUtf8();
                    case 2 -> pair[1] = in.readStringRequireUtf8();
                    case 3 -> pair[1] = new String(in.readByteArray(), StandardCharsets.ISO_8859_1);
                    default -> {
                        return false;
                    }
                }
                return true;
            }
        }
    }
}
