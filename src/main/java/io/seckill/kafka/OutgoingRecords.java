package io.seckill.kafka;

import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;

/** Turns records into the list of messages that a Kafka endpoint sends as one batch. */
public final class OutgoingRecords {
  private final CamelContext context;

  public OutgoingRecords(CamelContext context) {
    this.context = context;
  }

  /** One message for each record, in the same order. */
  public List<Message> messages(List<OutgoingRecord> records) {
    return records.stream().map(this::message).toList();
  }

  private Message message(OutgoingRecord outgoing) {
    Message message = new DefaultMessage(context);
    if (outgoing.key() != null) {
      message.setHeader(KafkaConstants.KEY, outgoing.key());
    }
    outgoing.headers().forEach(message::setHeader);
    message.setBody(outgoing.value());
    return message;
  }
}
