/*
 * Copyright: nobody in particular.
 */
package example.session

import scala.util.Try

/** Gives out tokens.
  *
  * @tparam T what a token is
  */
sealed trait Issuer[+T] {
  type Key <: AnyRef
  val size: Int
  var limit: Int
  /** Issues one. */
  def issue(forWhom: String): T
}

/** A session. */
@deprecated("use the other", since = "2")
final case class Session[T <: Comparable[T]](
    owner: String, // whose it is
    private val token: Option[T] = None
)(implicit clock: Clock)
    extends Base(owner)
    with Issuer[T] {

  def this(id: Int) = this(id.toString)

  private[session] val names = List(
    "alpha",
    "beta"
  )
  lazy val (left, right) = (1, 2)
  implicit val ordering: Ordering[T] = new Ordering[T] {
    def compare(a: T, b: T) = 0
  }

  /** Refreshes it. */
  @throws[Exception]("when gone")
  override def refresh[R](
      deep: Boolean = false,
      rest: => R*
  )(implicit encoder: Encoder[R]): Either[R, T] = {
    def local = 1
    ???
  }

  def twice: Int = size * 2
  protected def hide() { clear() }
}

object Session extends App {
  final val Lifetime = 3600
  def apply[T](owner: String): Session[T] = owner match {
    case "" => ???
  }
  case object Nobody
}

package object implicits { implicit class Ops(val x: Int) extends AnyVal { def up = x + 1 } }

/** In the new syntax. */
enum State(val label: String) derives CanEqual:
  /** Alive. */
  case Alive extends State("alive")
  case Asleep, Dead
  def letter: Char = label.head

trait Show[A]:
  extension (a: A)
    def show: String
    def shown(width: Int): String =
      show.take(width)

given intShow: Show[Int] with
  def empty: Int = 0

given Show[String] = ???
opaque type Id = Int

/** Keeps values. */
class Store[K](using clock: Clock):
  private var count = 0
  inline def get(key: K): Option[Int] =
    val found = 1
    Some(found)
end Store

val width = 80
@main def run(args: String*): Unit = println(1)

// Survives.
def survivor(a: Int): Int = a

class Broken { def broken(x: Int = { }
