/*
 * Copyright: nobody in particular.
 */

/** What sessions are made of. */
package example.session;

import java.util.List;

/**
 * A session.
 *
 * @param <T> its token
 */
@Deprecated(since = "2")
@SuppressWarnings({
    "unchecked",
})
public abstract class Session<T extends Comparable<T>>
    extends Base<T>
    implements Issuer<T>, AutoCloseable {
  /** How long a session lives, in seconds. */
  public static final long LIFETIME = 3_600;
  private static final String[] NAMES = {
    "alpha",
    "beta",
  };
  // Whose it is.
  @Inject protected String owner;
  private final Runnable hook = new Runnable() {
    @Override public void run() {}
  };
  int width, height;

  static { register(); }

  /** Makes one. */
  protected Session(String owner) throws IllegalStateException {
    this.owner = owner;
  }

  /** Refreshes it. */
  @Override
  // Between the annotations.
  @Nullable
  public <R extends T> R refresh(
      @Nonnull T token, // the old one
      int... rest)
      throws java.io.IOException, InterruptedException {
    class Local { void inside() {} }
    return null;
  }

  abstract void expire();

  private void hide() {}

  /** How tokens are made. */
  interface Issuer<T> {
    int SIZE = 16;
    T issue(String forWhom);
    default int size() { return SIZE; }
  }

  /** What became of a session. */
  public enum State implements Named {
    /** Alive. */
    ALIVE("alive") {
      @Override String label() { return "a"; }
    },
    @Deprecated DEAD("dead");

    private final String name;

    State(String name) { this.name = name; }

    abstract String label();
  }

  public record Pair<K, V>(K key, @Nullable V value) implements Named {
    public Pair { check(key); }
    static int count() { return 2; }
  }

  @Retention(RUNTIME)
  @interface Tag {
    String value() default "x";
  }
}

sealed interface Shape permits Circle, Square {}

/** Survives. */
class Survivor { void last() {} }

class Broken { void broken(int x { return; }
