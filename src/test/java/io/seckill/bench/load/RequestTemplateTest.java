package io.seckill.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestTemplateTest {
  @Test
  void shouldWriteWhatItRenders() {
    RequestTemplate template = RequestTemplate.buy(1_000_000, 50, 7, 10);
    RequestTemplate.Writer writer = template.writer();
    ByteBuffer buffer = ByteBuffer.allocate(1024);

    for (long n = 0; n < 120; n++) {
      buffer.clear();
      writer.write(n, buffer);
      buffer.flip();
      assertThat(StandardCharsets.US_ASCII.decode(buffer).toString()).isEqualTo(template.render(n));
    }
  }

  @Test
  void shouldAskABuyersProductOfThatBuyerEachTime() {
    RequestTemplate buy = RequestTemplate.buy(100, 20, 7, 10);
    RequestTemplate result = RequestTemplate.result(100, 20, 7, 10);

    assertThat(buy.render(13)).startsWith("POST /seckill/10 ").contains("X-User-Id: 113\r\n");
    assertThat(result.render(33))
        .startsWith("GET /seckill/result?idemKey=k-113&productId=10 ")
        .contains("X-User-Id: 113\r\n");
  }

  @Test
  void shouldGiveWrkTheSameRequests() {
    String lua = Wrk.script(RequestTemplate.buy(100, 20, 7, 10));

    assertThat(lua)
        .contains("100 + n % 20", "7 + n % 10")
        .contains("return 'POST /seckill/' .. product .. ' HTTP/1.1\\r\\n")
        .contains("X-User-Id: ' .. user .. '\\r\\n");
  }

  @Test
  void shouldReadWhatWrkSays() throws Exception {
    LoadResult result =
        Wrk.parse(
            """
            Running 3s test @ http://127.0.0.1:8080
              1 threads and 64 connections
            Requests/sec:  60127.61
              181585 requests in 3.02s, 59.05MB read
              Socket errors: connect 0, read 2, write 0, timeout 1
              Non-2xx or 3xx responses: 12
            """,
            64);

    assertThat(result.answered()).isEqualTo(181_585);
    assertThat(result.seconds()).isEqualTo(3.02);
    assertThat(result.failed()).isEqualTo(3);
    assertThat(result.unanswered()).isEqualTo(64);
  }
}
