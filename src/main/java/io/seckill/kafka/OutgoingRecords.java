package io.seckill.kafka;

import org.apache.camel.CamelContext;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;

/** Records for a Kafka endpoint to send: it takes a message, or a list of them, as the body. */
public final class OutgoingRecords {
  private final CamelContext context;

  public OutgoingRecords(CamelContext context) {
    this.context = context;
  }

  /**
   * A record without headers.
   *
   * @param key null for none
   */
  public Message record(String key, byte[] value) {
    Message message = new DefaultMessage(context);
    if (key != null) {
      message.setHeader(KafkaConstants.KEY, key);
    }
    message.setBody(value);
    return message;
  }
}
