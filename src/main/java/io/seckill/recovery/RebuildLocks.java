package io.seckill.recovery;

import io.seckill.answer.Refusal;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.camel.Variable;

/** Lets one rebuild of a sale run at a time, on all nodes. */
public final class RebuildLocks {
  private final DataSource dataSource;

  public RebuildLocks(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Takes the sale's lock.
   *
   * @throws Refusal 409 REBUILDING when another rebuild has it
   */
  public RebuildLock take(@Variable("productId") long productId) throws SQLException {
    return RebuildLock.take(dataSource, productId);
  }

  /** Gives it back. */
  public void giveBack(@Variable("lock") RebuildLock lock) throws SQLException {
    lock.close();
  }
}
