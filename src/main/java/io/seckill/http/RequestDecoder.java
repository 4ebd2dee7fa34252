package io.seckill.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.headers.HeadersMultiMap;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Netty's decoder of requests, which decodes the next message only while it may: what it may not
 * stays as the bytes that were read. Lines end with CRLF. A length beside a transfer coding is left
 * in place, for {@link RequestRules} to see.
 */
final class RequestDecoder extends HttpRequestDecoder {
  private final BooleanSupplier ready;
  private ChannelHandlerContext context;
  private boolean held;
  private boolean between = true;
  private boolean partial;
  private boolean discarding;

  /**
   * @param ready whether one more message may be decoded
   */
  RequestDecoder(HttpServerOptions options, BooleanSupplier ready) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(options.getMaxInitialLineLength())
            .setMaxHeaderSize(options.getMaxHeaderSize())
            .setMaxChunkSize(options.getMaxChunkSize())
            .setInitialBufferSize(options.getDecoderInitialBufferSize())
            .setStrictLineParsing(true));
    this.ready = ready;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    context = ctx;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out)
      throws Exception {
    if (discarding) {
      buffer.skipBytes(buffer.readableBytes());
    } else if (ready.getAsBoolean()) {
      if (between && !partial) {
        skipEmptyLines(buffer);
        if (!buffer.isReadable() || isHalfALine(buffer)) {
          return;
        }
        if (buffer.getByte(buffer.readerIndex()) <= ' ') {
          out.add(createInvalidMessage());
          return;
        }
      }
      super.decode(ctx, buffer, out);
      partial = out.isEmpty();
      if (!partial) {
        between = out.get(out.size() - 1) instanceof LastHttpContent;
      }
    } else {
      held = true;
    }
  }

  /** They may come before a request (RFC 9112, 2.2), and alone. Netty passes over more. */
  private static void skipEmptyLines(ByteBuf buffer) {
    while (buffer.readableBytes() > 1
        && buffer.getByte(buffer.readerIndex()) == '\r'
        && buffer.getByte(buffer.readerIndex() + 1) == '\n') {
      buffer.skipBytes(2);
    }
  }

  private static boolean isHalfALine(ByteBuf buffer) {
    return buffer.readableBytes() == 1 && buffer.getByte(buffer.readerIndex()) == '\r';
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    requireOneSpace(line, start);
    return super.splitSecondWordInitialLine(line, start, length);
  }

  @Override
  protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
    requireOneSpace(line, start);
    return super.splitThirdWordInitialLine(line, start, length);
  }

  /** Netty takes any white space, also a CR (RFC 9112, 3). */
  private static void requireOneSpace(byte[] line, int start) {
    if (start < 2 || line[start - 1] != ' ' || line[start - 2] <= ' ') {
      throw new IllegalArgumentException("One space is between the words of a request line");
    }
  }

  /** What stands for a request that cannot be read. */
  @Override
  protected HttpMessage createInvalidMessage() {
    HttpMessage invalid = super.createInvalidMessage();
    invalid.setDecoderResult(
        DecoderResult.failure(new IllegalArgumentException("no request line")));
    return invalid;
  }

  /** As Vert.x's own decoder makes it: its connection looks for this very class. */
  @Override
  protected HttpMessage createMessage(String[] line) {
    return new DefaultHttpRequest(
        HttpVersion.valueOf(line[2]),
        HttpMethod.valueOf(line[0]),
        line[1],
        HeadersMultiMap.httpHeaders());
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage message) {
    return false;
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {}

  /** Whether bytes wait because no more messages may be decoded. */
  boolean isHeld() {
    return held;
  }

  /** Whether the bytes read last do not yet make a message. */
  boolean isPartial() {
    return partial;
  }

  /** Decodes what was held, as far as it may now. */
  void proceed() throws Exception {
    held = false;
    channelRead(context, Unpooled.EMPTY_BUFFER);
    channelReadComplete(context);
  }

  /** Throws away what came and what will come. */
  void discard() {
    discarding = true;
    partial = false;
    held = false;
  }
}
