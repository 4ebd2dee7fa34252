package io.seckill.drill.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Visits every state a model can reach, breadth first, so that a breach comes with its shortest
 * way.
 */
final class Explorer<S> {
  interface Model<S> {
    S initial();

    void next(S state, Steps<S> steps);

    /** What is wrong with the state: texts that begin with the invariant's name. */
    List<String> breaches(S state);

    /** Everything that was reserved has ended and nothing is under way. */
    boolean isAtRest(S state);
  }

  interface Steps<S> {
    /**
     * @param progress the system itself will take this step sooner or later if it stays possible
     */
    void add(String action, S successor, boolean progress);
  }

  /**
   * @param breach the first breach found, with the actions that lead to it; null: none
   */
  record Result(int states, long steps, Breach breach) {}

  record Breach(String what, List<String> way) {
    @Override
    public String toString() {
      return what + "\n  " + String.join("\n  ", way);
    }
  }

  private final Model<S> model;
  private final Set<String> judged;
  private final Map<S, Integer> numbers = new HashMap<>();
  private final List<S> states = new ArrayList<>();
  private final List<Integer> parents = new ArrayList<>();
  private final List<String> actions = new ArrayList<>();
  private final List<int[]> progress = new ArrayList<>();
  private long steps;

  private Explorer(Model<S> model, Set<String> judged) {
    this.model = model;
    this.judged = judged;
  }

  /**
   * Stops at the first breach of a judged invariant. A state from which no rest can be reached is
   * one of I5.
   */
  static <S> Result explore(Model<S> model, Set<String> judged) {
    return new Explorer<>(model, judged).run();
  }

  private boolean isJudged(String breach) {
    return judged.contains(breach.substring(0, breach.indexOf(':')));
  }

  private Result run() {
    visit(model.initial(), -1, "start");
    for (int number = 0; number < states.size(); number++) {
      S state = states.get(number);
      Optional<String> breach = model.breaches(state).stream().filter(this::isJudged).findFirst();
      if (breach.isPresent()) {
        return new Result(states.size(), steps, new Breach(breach.get(), way(number)));
      }
      int from = number;
      List<Integer> onwards = new ArrayList<>();
      model.next(
          state,
          (action, successor, isProgress) -> {
            steps++;
            int reached = visit(successor, from, action);
            if (isProgress) {
              onwards.add(reached);
            }
          });
      progress.add(onwards.stream().mapToInt(Integer::intValue).toArray());
    }
    return new Result(states.size(), steps, judged.contains("I5") ? stuck() : null);
  }

  private int visit(S state, int parent, String action) {
    Integer known = numbers.putIfAbsent(state, states.size());
    if (known != null) {
      return known;
    }
    states.add(state);
    parents.add(parent);
    actions.add(action);
    return states.size() - 1;
  }

  private List<String> way(int number) {
    List<String> way = new ArrayList<>();
    for (int at = number; at >= 0; at = parents.get(at)) {
      way.add(actions.get(at) + "  ->  " + states.get(at));
    }
    Collections.reverse(way);
    return way;
  }

  private Breach stuck() {
    int[] degree = new int[states.size()];
    progress.forEach(
        targets -> {
          for (int target : targets) {
            degree[target]++;
          }
        });
    int[][] back = new int[states.size()][];
    for (int i = 0; i < back.length; i++) {
      back[i] = new int[degree[i]];
    }
    for (int from = 0; from < states.size(); from++) {
      for (int target : progress.get(from)) {
        back[target][--degree[target]] = from;
      }
    }
    BitSet endsWell = new BitSet(states.size());
    ArrayDeque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < states.size(); i++) {
      if (model.isAtRest(states.get(i))) {
        endsWell.set(i);
        open.add(i);
      }
    }
    while (!open.isEmpty()) {
      for (int before : back[open.remove()]) {
        if (!endsWell.get(before)) {
          endsWell.set(before);
          open.add(before);
        }
      }
    }
    int first = endsWell.nextClearBit(0);
    return first == states.size() ? null : new Breach("I5: can never come to rest", way(first));
  }
}
