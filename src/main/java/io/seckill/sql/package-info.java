/** The connection pool, migrations, transactions and statement parameters. */
package io.seckill.sql;
