package io.seckill.recovery;

import io.seckill.answer.Refusal;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.camel.Variable;

/** Takes and releases the locks of rebuilds for routes. */
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

  /** Releases the lock. */
  public void giveBack(@Variable("lock") RebuildLock lock) throws SQLException {
    lock.close();
  }
}
