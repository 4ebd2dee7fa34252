package io.seckill.bench.baseline;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import java.util.OptionalLong;

/**
 * Uses MySQL alone: worker threads behind the same HTTP server run statements for each request.
 * Naive (b) oversells: it SELECTs the count, UPDATEs it to the count minus the purchase, and
 * inserts, each in its own transaction. Conditional (c) inserts and runs {@code UPDATE … AND count
 * >= n} in one transaction. The update comes last, so the hot row is locked for the shortest time.
 */
final class PerRequestServer {
  private static final String SELECT = "SELECT count FROM products WHERE id = ?";
  private static final String OVERWRITE = "UPDATE products SET count = ? WHERE id = ?";
  private static final String DECREMENT =
      "UPDATE products SET count = count - ? WHERE id = ? AND count >= ?";
  private static final String INSERT =
      "INSERT INTO seckill_orders (request_id, product_id, user_id, quantity, idem_key, status,"
          + " attempt, epoch, created_at) VALUES (?, ?, ?, ?, ?, 'SUCCESS', 'per-request', 1, ?)";

  private final Vertx vertx = Vertx.vertx();
  private final HikariDataSource database;
  private final boolean conditional;
  private final int workers;

  PerRequestServer(HikariConfig database, boolean conditional) {
    this.database = new HikariDataSource(database);
    this.conditional = conditional;
    this.workers = database.getMaximumPoolSize();
  }

  void start(int port, int loops) {
    vertx
        .deployVerticle(() -> new Loop(port), new DeploymentOptions().setInstances(loops))
        .toCompletionStage()
        .toCompletableFuture()
        .join();
  }

  private final class Loop extends AbstractVerticle {
    private final int port;
    private WorkerExecutor pool;

    private Loop(int port) {
      this.port = port;
    }

    @Override
    public void start(Promise<Void> started) {
      pool = vertx.createSharedWorkerExecutor("orders", workers);
      vertx
          .createHttpServer()
          .requestHandler(this::handle)
          .listen(port, "127.0.0.1")
          .<Void>mapEmpty()
          .onComplete(started);
    }

    private void handle(HttpServerRequest request) {
      if (request.method() != HttpMethod.POST || !request.path().startsWith("/seckill/")) {
        Answers.invalid(request.response(), 404, "NOT_FOUND");
        return;
      }
      HandWrittenServer.quantity(request, quantity -> buy(request, quantity));
    }

    private void buy(HttpServerRequest request, int quantity) {
      Buyer buyer = Buyer.of(request);
      if (buyer == null) {
        return;
      }
      HttpServerResponse response = request.response();
      pool.executeBlocking(() -> order(buyer, quantity), false)
          .onComplete(
              ordered -> answer(response, buyer, ordered),
              failure -> refuse(response, buyer, failure));
    }

    private void answer(HttpServerResponse response, Buyer buyer, OptionalLong orderId) {
      if (orderId.isPresent()) {
        Answers.ordered(
            response, buyer.productId(), buyer.idemKey(), buyer.requestId(), orderId.getAsLong());
      } else {
        Answers.soldOut(response, buyer.idemKey(), 0);
      }
    }

    private void refuse(HttpServerResponse response, Buyer buyer, Throwable failure) {
      if (failure instanceof SQLIntegrityConstraintViolationException) {
        Answers.invalid(response, 409, "FAIL_DUPLICATE");
      } else {
        Answers.degraded(response, buyer.idemKey());
      }
    }
  }

  private OptionalLong order(Buyer buyer, int quantity) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return conditional
          ? conditional(connection, buyer, quantity)
          : naive(connection, buyer, quantity);
    }
  }

  private static OptionalLong naive(Connection connection, Buyer buyer, int quantity)
      throws SQLException {
    connection.setAutoCommit(true);
    long count;
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setLong(1, buyer.productId());
      try (ResultSet row = select.executeQuery()) {
        count = row.next() ? row.getLong(1) : 0;
      }
    }
    if (count < quantity) {
      return OptionalLong.empty();
    }
    try (PreparedStatement update = connection.prepareStatement(OVERWRITE)) {
      update.setLong(1, count - quantity);
      update.setLong(2, buyer.productId());
      update.executeUpdate();
    }
    return OptionalLong.of(insert(connection, buyer, quantity));
  }

  private static OptionalLong conditional(Connection connection, Buyer buyer, int quantity)
      throws SQLException {
    connection.setAutoCommit(false);
    try {
      long orderId = insert(connection, buyer, quantity);
      try (PreparedStatement update = connection.prepareStatement(DECREMENT)) {
        update.setInt(1, quantity);
        update.setLong(2, buyer.productId());
        update.setInt(3, quantity);
        if (update.executeUpdate() == 0) {
          connection.rollback();
          return OptionalLong.empty();
        }
      }
      connection.commit();
      return OptionalLong.of(orderId);
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    }
  }

  private static long insert(Connection connection, Buyer buyer, int quantity) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(INSERT, Statement.RETURN_GENERATED_KEYS)) {
      insert.setString(1, buyer.requestId());
      insert.setLong(2, buyer.productId());
      insert.setLong(3, buyer.userId());
      insert.setInt(4, quantity);
      insert.setString(5, buyer.productId() + ":" + buyer.userId() + ":" + buyer.idemKey());
      insert.setLong(6, System.currentTimeMillis());
      insert.executeUpdate();
      try (ResultSet key = insert.getGeneratedKeys()) {
        key.next();
        return key.getLong(1);
      }
    }
  }
}
