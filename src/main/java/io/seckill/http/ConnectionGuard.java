package io.seckill.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import java.nio.channels.ClosedChannelException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Stands between the decoder of one connection and the HTTP server.
 *
 * <ul>
 *   <li>A request that breaks {@link RequestRules}, or cannot be read, is answered once those
 *       before it are, and the connection is closed; nothing behind it is taken.
 *   <li>While as many requests as allowed wait for their answers, or the client does not take what
 *       was answered, no further request is read.
 *   <li>A head or a body that takes too long is answered 408, and the connection is closed.
 *   <li>A connection is closed so that its last answer arrives: at first for writing, and for
 *       reading when the client has closed it or a second has passed.
 * </ul>
 *
 * <p>Used by its event loop alone.
 */
final class ConnectionGuard extends ChannelDuplexHandler {
  private static final int FIRST_FINAL_STATUS = 200;
  private static final int LINGER_MILLIS = 1_000;

  private final HttpEdge edge;
  private final Set<ConnectionGuard> open;
  private final RequestDecoder decoder;
  private ChannelHandlerContext context;

  private int unanswered;
  private boolean inBody;
  private boolean inAnswer;
  private boolean reading;
  private boolean readHeld;

  private long deadline;
  private boolean timed;

  private Rejection rejection;
  private boolean closing;
  private boolean last;
  private boolean cutOff;
  private boolean finished;
  private boolean lingered;

  /**
   * @param open the guards of the event loop's connections, of which this is one until its
   *     connection is closed
   */
  ConnectionGuard(HttpEdge edge, Set<ConnectionGuard> open, HttpServerOptions options) {
    this.edge = edge;
    this.open = open;
    this.decoder = new RequestDecoder(options, this::isReadyOrHolds);
  }

  RequestDecoder decoder() {
    return decoder;
  }

  private boolean isReady() {
    return inBody || unanswered < edge.limits().pipelined() && context.channel().isWritable();
  }

  private boolean isReadyOrHolds() {
    if (isReady()) {
      return true;
    }
    holdReads();
    return false;
  }

  /** The HTTP server stops and starts reading too, for the sake of a body. */
  private void holdReads() {
    ChannelConfig config = context.channel().config();
    if (config.isAutoRead()) {
      readHeld = true;
      config.setAutoRead(false);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    open.add(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    reading = true;
    if (last) {
      ReferenceCountUtil.release(message);
    } else if (message == LastHttpContent.EMPTY_LAST_CONTENT) {
      ended(message);
    } else if (message instanceof HttpRequest request) {
      unanswered++;
      timed = false;
      Throwable unreadable = request.decoderResult().cause();
      Rejection broken =
          unreadable == null ? edge.rules().judge(request) : RequestRules.ofHead(unreadable);
      if (broken == null) {
        inBody = true;
        ctx.fireChannelRead(request);
      } else {
        ReferenceCountUtil.release(request);
        reject(broken);
      }
    } else if (message instanceof HttpContent content) {
      Throwable unreadable = content.decoderResult().cause();
      if (unreadable != null) {
        content.release();
        reject(RequestRules.ofBody(unreadable));
        return;
      }
      if (content instanceof LastHttpContent) {
        ended(content);
      } else {
        ctx.fireChannelRead(content);
      }
    } else {
      ctx.fireChannelRead(message);
    }
  }

  private void ended(Object lastContent) {
    inBody = false;
    timed = false;
    context.fireChannelRead(lastContent);
    closeIfAnswered();
  }

  /** Closes the connection whose last answer has been given and said so. */
  private void closeIfAnswered() {
    if (closing && !last && unanswered == 0) {
      takeNoMore();
      answer();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    reading = false;
    closeIfAnswered();
    if (!timed && !last && !decoder.isHeld() && (inBody || decoder.isPartial())) {
      timed = true;
      int seconds = inBody ? edge.limits().bodySeconds() : edge.limits().headSeconds();
      deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }
    ctx.fireChannelReadComplete();
  }

  /** Ends a request that has taken too long to arrive. */
  void judgeTime(long nanoTime) {
    if (timed && nanoTime - deadline >= 0 && !decoder.isHeld()) {
      timed = false;
      if (inBody) {
        reject(Rejection.BODY_TIMEOUT);
      } else {
        unanswered++;
        reject(Rejection.HEAD_TIMEOUT);
      }
    }
  }

  @Override
  public void read(ChannelHandlerContext ctx) {
    if (decoder.isHeld()) {
      holdReads();
    } else {
      ctx.read();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    resume();
    ctx.fireChannelWritabilityChanged();
  }

  private void resume() {
    if (decoder.isHeld() && isReady()) {
      context.executor().execute(this::proceed);
    }
  }

  private void proceed() {
    if (!decoder.isHeld() || !isReady()) {
      return;
    }
    try {
      decoder.proceed();
    } catch (Exception e) {
      context.fireExceptionCaught(e);
    }
    if (readHeld && !decoder.isHeld()) {
      readHeld = false;
      context.channel().config().setAutoRead(true);
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (finished && message instanceof HttpObject) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
      return;
    }
    if (message instanceof FullHttpResponse response) {
      if (response.status().code() >= FIRST_FINAL_STATUS) {
        closing = isClosing(response.headers());
        ctx.write(message, promise);
        answered();
        return;
      }
    } else if (message instanceof HttpResponse response) {
      inAnswer = true;
      closing = isClosing(response.headers());
    } else if (message instanceof LastHttpContent) {
      ctx.write(message, promise);
      answered();
      return;
    }
    ctx.write(message, promise);
  }

  private void answered() {
    inAnswer = false;
    unanswered--;
    if (last) {
      answer();
    } else if (!closing) {
      resume();
    } else if (!inBody || !reading) {
      closeIfAnswered();
    }
  }

  private static boolean isClosing(HttpHeaders headers) {
    String connection = headers.get(HttpHeaderNames.CONNECTION);
    return connection != null && HttpHeaderValues.CLOSE.contentEqualsIgnoreCase(connection);
  }

  private void reject(Rejection reason) {
    edge.rejected(reason);
    rejection = reason;
    takeNoMore();
    answer();
  }

  private void takeNoMore() {
    last = true;
    cutOff = inBody || rejection != null;
    inBody = false;
    timed = false;
    decoder.discard();
  }

  /** Answers what was rejected last, once all before it is answered, and closes the connection. */
  private void answer() {
    if (finished || inAnswer || unanswered > (rejection == null ? 0 : 1)) {
      return;
    }
    finished = true;
    Object message = unanswered == 0 ? Unpooled.EMPTY_BUFFER : HttpEdge.response(rejection);
    context.writeAndFlush(message).addListener(ignored -> finish());
  }

  private void finish() {
    if (!context.channel().isActive()) {
      return;
    }
    if (!cutOff) {
      end();
      return;
    }
    SslHandler tls = context.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.closeOutbound();
    } else if (context.channel() instanceof DuplexChannel channel) {
      channel.shutdownOutput();
    }
    context.channel().config().setAutoRead(true);
    context.executor().schedule(this::end, LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void end() {
    lingered = true;
    context.close();
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (finished && !lingered && ctx.channel().isActive()) {
      ctx.channel()
          .closeFuture()
          .addListener((ChannelFutureListener) ignored -> promise.trySuccess());
    } else {
      ctx.close(promise);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (open.remove(this)) {
      edge.closed();
    }
    ctx.fireChannelInactive();
  }
}
