package io.seckill.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a page of the project's documents shows to be typed. */
public record Document(Path file, List<String> lines) {
  private static final String PROMPT = "$ ";

  /** An indented line that is no part of a drawing, no JSON, no comment and no HTTP header. */
  private static final Pattern INDENTED = Pattern.compile("^ {4}(?!\\{|# |[\\w-]+: )[^─│▼]*$");

  private static final Pattern QUOTED =
      Pattern.compile("`((?:(?:mvn|java|git|bash|export|prometheus)\\b|bin/|\\.ci/)[^`]*)`");

  /**
   * One command of a console session and what it prints.
   *
   * @param printed without blank lines at its end
   */
  public record Step(String command, String printed) {}

  /** A page by its path in the project. */
  public static Document of(String file) {
    try {
      return new Document(Path.of(file), Files.readAllLines(Path.of(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The commands between {@code ```console} and {@code ```}, each after a {@code $}. */
  public List<Step> session() {
    List<Step> steps = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (line.startsWith("```")) {
        inside = line.equals("```console");
      } else if (inside && line.startsWith(PROMPT)) {
        steps.add(new Step(line.substring(PROMPT.length()), ""));
      } else if (inside) {
        Step last = steps.remove(steps.size() - 1);
        steps.add(new Step(last.command(), last.printed() + line + "\n"));
      }
    }
    return steps.stream().map(step -> new Step(step.command(), step.printed().strip())).toList();
  }

  /**
   * Everything the page shows to be typed, as it stands but without comments: the commands of its
   * console sessions, its indented lines that are no drawing, JSON or header, and what stands
   * between back-ticks and begins with a program of the checkout, or with one that works on it.
   */
  public List<String> typed() {
    List<String> found = new ArrayList<>();
    session().forEach(step -> found.add(step.command()));
    StringBuilder open = new StringBuilder();
    boolean fenced = false;
    for (String line : lines) {
      if (line.startsWith("```")) {
        fenced = !fenced;
      } else if (!fenced && (!open.isEmpty() || INDENTED.matcher(line).find())) {
        open.append(open.isEmpty() ? "" : "\n").append(line.strip());
        if (!line.endsWith("\\")) {
          found.add(open.toString().replaceAll("\\s+# .*", ""));
          open.setLength(0);
        }
      } else if (!fenced) {
        QUOTED.matcher(line).results().forEach(quoted -> found.add(quoted.group(1)));
      }
    }
    return found;
  }

  /** Indented lines that begin with a command, and the lines they go on with. */
  public List<String> commands(String command) {
    List<String> found = new ArrayList<>();
    StringBuilder open = new StringBuilder();
    for (String line : lines) {
      if (!open.isEmpty()
          || line.startsWith("    " + command + " ")
          || line.equals("    " + command)) {
        open.append(open.isEmpty() ? "" : "\n").append(line.strip());
        if (!line.endsWith("\\")) {
          found.add(open.toString());
          open.setLength(0);
        }
      }
    }
    return found;
  }

  /** The files it shows: each a block between back-ticks below a line that names it. */
  public Map<Path, String> files() {
    Map<Path, String> files = new LinkedHashMap<>();
    Path named = null;
    StringBuilder open = null;
    for (String line : lines) {
      if (open == null && line.matches("`[^`]+`:")) {
        named = Path.of(line.substring(1, line.length() - 2));
      } else if (open == null && line.startsWith("```") && named != null) {
        open = new StringBuilder();
      } else if (open != null && line.equals("```")) {
        files.put(named, open.toString());
        named = null;
        open = null;
      } else if (open != null) {
        open.append(line).append('\n');
      }
    }
    return files;
  }

  /** Whether the page shows a text between back-ticks or in an indented line. */
  public boolean shows(String text) {
    return lines.stream()
        .anyMatch(
            line -> line.contains("`" + text + "`") || line.strip().split(" +#")[0].equals(text));
  }
}
