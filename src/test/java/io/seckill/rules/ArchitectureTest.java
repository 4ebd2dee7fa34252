package io.seckill.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchConditions.dependOnClassesThat;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.seckill.SeckillApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.camel.BindToRegistry;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

@AnalyzeClasses(packages = "io.seckill", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /**
   * Classes that put their work on exchanges without being a Camel type themselves. Whoever adds to
   * them has asked whether plain Java would do.
   */
  private static final Set<String> BRIDGES =
      Set.of("ExchangeAnswers", "FaultAnswers", "PolledRecords", "OutgoingRecords");

  private static final DescribedPredicate<JavaClass> THE_APPLICATION =
      DescribedPredicate.describe(
          "the application",
          type -> type.getPackageName().equals(SeckillApplication.class.getPackageName()));

  private static final DescribedPredicate<JavaClass> CAMEL_TYPES =
      DescribedPredicate.describe(
          "a Camel type",
          type ->
              type.getAllRawSuperclasses().stream()
                      .anyMatch(parent -> parent.getPackageName().startsWith("org.apache.camel"))
                  || type.getAllRawInterfaces().stream()
                      .anyMatch(parent -> parent.getPackageName().startsWith("org.apache.camel")));

  private static final DescribedPredicate<JavaClass> BRIDGE_CLASSES =
      DescribedPredicate.describe(
          "a bridge to Camel",
          type -> {
            String name = outermost(type).getSimpleName();
            return name.endsWith("Steps") || BRIDGES.contains(name);
          });

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
  }

  @ArchTest
  static final ArchRule onlyTheApplicationKnowsEmbeddedServers =
      noClasses()
          .that(are(not(resideInAPackage("io.seckill.embedded.."))))
          .and(are(not(THE_APPLICATION)))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.seckill.embedded..", "redis.embedded..", "kafka..", "ch.vorburger..")
          .because("the packaged application holds no embedded server");

  @ArchTest
  static final ArchRule embeddedServersKnowNothingOfTheRest =
      noClasses()
          .that()
          .resideInAPackage("io.seckill.embedded..")
          .should(
              dependOnClassesThat(
                  are(
                      resideInAPackage("io.seckill..")
                          .and(not(resideInAPackage("io.seckill.embedded.."))))))
          .because("they serve any application that speaks to Redis, Kafka and MySQL");

  @ArchTest
  static final ArchRule onlyBridgesTouchExchanges =
      noClasses()
          .that(are(not(CAMEL_TYPES)))
          .and(are(not(BRIDGE_CLASSES)))
          .should(
              dependOnClassesThat(
                  are(assignableTo(Exchange.class).or(assignableTo(Message.class)))))
          .because("the rest is plain Java that a unit test can call");

  @ArchTest
  static final ArchRule noUtilityDumpingGround =
      noClasses()
          .should()
          .haveSimpleNameEndingWith("Util")
          .orShould()
          .haveSimpleNameEndingWith("Utils")
          .orShould()
          .haveSimpleNameEndingWith("Helper")
          .because("one job a class");

  @ArchTest
  static final ArchRule beansAreMadeInConfigurations =
      methods()
          .that()
          .areAnnotatedWith(BindToRegistry.class)
          .should()
          .beDeclaredInClassesThat()
          .haveSimpleNameEndingWith("Configuration")
          .because("each package with beans has one class that makes them");

  @ArchTest
  static final ArchRule exceptionsAreCalledSoOrRefusals =
      classes()
          .that()
          .areAssignableTo(Exception.class)
          .and()
          .areTopLevelClasses()
          .should(
              be(
                  simpleName("Refusal")
                      .or(
                          DescribedPredicate.describe(
                              "named ...Exception",
                              type -> type.getSimpleName().endsWith("Exception")))));

  @ArchTest
  static final ArchRule noFieldIsPublicAndMutable =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("io.seckill..")
          .and()
          .arePublic()
          .should()
          .haveModifier(JavaModifier.FINAL);

  @ArchTest
  static final ArchRule nobodyPrintsToTheConsole = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

  /** Calls that take digits, case or characters from wherever the process happens to run. */
  private static final DescribedPredicate<JavaMethodCall> DEPENDS_ON_THE_LOCALE =
      DescribedPredicate.describe(
          "a format, a change of case or a conversion of characters by the machine's default",
          call -> {
            String name = call.getTargetOwner().getSimpleName() + "." + call.getName();
            List<String> given =
                call.getTarget().getRawParameterTypes().stream()
                    .map(JavaClass::getSimpleName)
                    .toList();
            return switch (name) {
              case "String.toLowerCase", "String.toUpperCase", "String.getBytes" -> given.isEmpty();
              case "String.formatted" -> true;
              case "String.format",
                  "PrintStream.printf",
                  "PrintStream.format",
                  "PrintWriter.printf",
                  "PrintWriter.format",
                  "DateTimeFormatter.ofPattern" ->
                  !given.contains("Locale");
              default -> false;
            };
          });

  private static final DescribedPredicate<JavaConstructorCall> READS_BY_THE_LOCALE =
      DescribedPredicate.describe(
          "a conversion of bytes by the machine's default",
          call ->
              Set.of("String", "InputStreamReader", "OutputStreamWriter", "PrintStream")
                      .contains(call.getTargetOwner().getSimpleName())
                  && call.getTarget().getRawParameterTypes().stream()
                      .map(JavaClass::getSimpleName)
                      .anyMatch(Set.of("byte[]", "InputStream", "OutputStream")::contains)
                  && call.getTarget().getRawParameterTypes().stream()
                      .map(JavaClass::getSimpleName)
                      .noneMatch(Set.of("Charset", "String")::contains));

  @ArchTest
  static final ArchRule formatsNameTheirLocale =
      noClasses()
          .should()
          .callMethodWhere(DEPENDS_ON_THE_LOCALE)
          .orShould()
          .callConstructorWhere(READS_BY_THE_LOCALE)
          .because("an order reads the same wherever it is taken");

  @ArchTest
  static void toolsNameTheirLocale(JavaClasses application) throws IOException {
    formatsNameTheirLocale.check(TOOLS);
    formatsNameTheirLocale.check(compiled(Path.of("watch/Hawtio.java")));
  }

  /** The classes of a program that Java runs from its source. */
  private static JavaClasses compiled(Path program) throws IOException {
    Path classes = Files.createDirectories(Path.of("target/programs", "" + program.getFileName()));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), program.toString());
    assertThat(status).as("javac %s", program).isZero();
    return new ClassFileImporter().importPath(classes);
  }

  private static final DescribedPredicate<JavaMethod> LISTS_OF_MAPS =
      DescribedPredicate.describe(
          "a parameter or result that is a list of maps",
          method ->
              Stream.concat(Stream.of(method.getReturnType()), method.getParameterTypes().stream())
                  .anyMatch(
                      type ->
                          type.getName()
                              .matches(".*List<java\\.util\\.Map<java\\.lang\\.String, ?.*")));

  @ArchTest
  static final ArchRule rowsAreRecords =
      noMethods()
          .should(have(LISTS_OF_MAPS))
          .because("the rows of a statement are records: the route names their outputClass");

  @ArchTest
  static final ArchRule loggingIsSlf4j =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.seckill.ops.LogLevels") // sets them: no call of SLF4J's
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.util.logging..", "org.apache.logging..", "org.apache.commons.logging..");

  @ArchTest
  static final ArchRule theDomainKnowsNothingOfTheRest =
      noClasses()
          .that()
          .resideInAPackage("io.seckill.domain..")
          .should(
              dependOnClassesThat(
                  are(
                      resideInAPackage("io.seckill..")
                          .and(not(resideInAPackage("io.seckill.domain.."))))))
          .because("all others speak of it");

  @ArchTest
  static final ArchRule packagesAreFreeOfCycles =
      slices().matching("io.seckill.(*)..").should().beFreeOfCycles();

  // The tools: benchmark, drill and what they share. They lie among the test classes.

  private static final JavaClasses TOOLS =
      new ClassFileImporter()
          .withImportOption(ArchitectureTest::isCompiledFromToolSources)
          .importPackages("io.seckill.bench", "io.seckill.drill", "io.seckill.tools");

  private static boolean isCompiledFromToolSources(Location classFile) {
    String name = classFile.asURI().getPath().replaceAll(".*/test-classes/|(\\$.*)?\\.class$", "");
    return Stream.of("bench", "drill", "tools")
        .anyMatch(tool -> Files.exists(Path.of(tool, "src/main/java", name + ".java")));
  }

  @ArchTest
  static void toolsAreSeen(JavaClasses application) {
    assertThat(TOOLS)
        .extracting(JavaClass::getPackageName)
        .contains("io.seckill.bench.run", "io.seckill.drill.check", "io.seckill.tools");
  }

  @ArchTest
  static void toolsArePackagesWithoutCycles(JavaClasses application) {
    for (String tool : List.of("bench", "drill")) {
      slices().matching("io.seckill." + tool + ".(*)..").should().beFreeOfCycles().check(TOOLS);
    }
  }

  @ArchTest
  static void benchmarkHasLayers(JavaClasses application) {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("command")
        .definedBy("io.seckill.bench")
        .layer("report")
        .definedBy("io.seckill.bench.report")
        .layer("run")
        .definedBy("io.seckill.bench.run")
        .layer("load")
        .definedBy("io.seckill.bench.load")
        .layer("baseline")
        .definedBy("io.seckill.bench.baseline")
        .whereLayer("command")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("report")
        .mayOnlyBeAccessedByLayers("command")
        .whereLayer("run")
        .mayOnlyBeAccessedByLayers("command", "report")
        .whereLayer("load")
        .mayOnlyBeAccessedByLayers("run")
        .whereLayer("baseline")
        .mayOnlyBeAccessedByLayers("run", "report")
        .check(TOOLS);
  }

  @ArchTest
  static void drillHasLayers(JavaClasses application) {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("command")
        .definedBy("io.seckill.drill")
        .layer("run")
        .definedBy("io.seckill.drill.run")
        .layer("report")
        .definedBy("io.seckill.drill.report")
        .layer("plant")
        .definedBy("io.seckill.drill.plant")
        .layer("fault")
        .definedBy("io.seckill.drill.fault")
        .layer("check")
        .definedBy("io.seckill.drill.check")
        .layer("lab")
        .definedBy("io.seckill.drill.lab")
        .whereLayer("command")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("run")
        .mayOnlyBeAccessedByLayers("command")
        .whereLayer("report")
        .mayOnlyBeAccessedByLayers("run")
        .whereLayer("plant")
        .mayOnlyBeAccessedByLayers("run")
        .whereLayer("fault")
        .mayOnlyBeAccessedByLayers("run")
        .whereLayer("check")
        .mayOnlyBeAccessedByLayers("run", "report", "plant")
        .whereLayer("lab")
        .mayOnlyBeAccessedByLayers("run", "fault")
        .check(TOOLS);
  }

  @ArchTest
  static void checkerKnowsNothingOfTheApplication(JavaClasses application) {
    noClasses()
        .that()
        .resideInAnyPackage("io.seckill.drill.check..", "io.seckill.drill.history..")
        .should(
            dependOnClassesThat(
                are(
                    resideInAPackage("io.seckill..")
                        .and(
                            not(
                                resideInAnyPackage(
                                    "io.seckill.drill.check..", "io.seckill.drill.history.."))))))
        .because("a checker that shares code with what it judges shares its faults")
        .check(TOOLS);
  }

  @ArchTest
  static void sharedToolsKnowNobody(JavaClasses application) {
    noClasses()
        .that()
        .resideInAPackage("io.seckill.tools..")
        .should(
            dependOnClassesThat(
                are(
                    resideInAPackage("io.seckill..")
                        .and(not(resideInAPackage("io.seckill.tools.."))))))
        .check(TOOLS);
  }

  @ArchTest
  static void benchmarkAndDrillKnowNothingOfEachOther(JavaClasses application) {
    noClasses()
        .that()
        .resideInAPackage("io.seckill.bench..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.seckill.drill..")
        .check(TOOLS);
    noClasses()
        .that()
        .resideInAPackage("io.seckill.drill..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.seckill.bench..")
        .check(TOOLS);
  }

  @ArchTest
  static final ArchRule applicationKnowsNoTool =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.seckill.bench..", "io.seckill.drill..", "io.seckill.tools..");
}
