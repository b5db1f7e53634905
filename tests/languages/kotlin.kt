/*
 * Copyright: nobody in particular.
 */
@file:JvmName("Sessions")

package example.session

import kotlin.math.max

/** How long a session lives, in seconds. */
const val LIFETIME = 3_600L
internal const val WIDTH = 80
private val names = listOf(
    "alpha",
    "beta",
)
var counter: Int = 0
    private set
val String.short: String get() = take(3)

typealias Owner<T> = Map<String, T>

/** Who gives out tokens. */
sealed interface Issuer<out T> {
    val size: Int
    /** Issues one. */
    suspend fun issue(forWhom: String): T
    fun twice() = size * 2
}

/**
 * A session.
 */
@Serializable
@Deprecated(
    "use the other",
)
abstract class Session<T : Any>(
    val owner: String, // whose it is
    private var token: T? = null,
) : Base(owner), Issuer<T> by delegate where T : Comparable<T> {

    /** Starts one. */
    protected constructor(id: Int) : this(id.toString()) {
        counter++
    }

    init { register() }

    internal val table by lazy {
        mapOf(1 to 2)
    }
    lateinit var later: String
    val listener = object : Listener {
        override fun onEvent() {}
    }
    var level: Int
        get() = 1
        set(value) { token = null }

    /** Refreshes it. */
    @Throws(IOException::class)
    override suspend fun <R> refresh(
        deep: Boolean = false,
        vararg rest: R,
    ): R where R : Any {
        fun local() {}
        return rest.first()
    }

    abstract fun expire()
    private fun hide() = Unit
    operator fun plus(other: Session<T>): Session<T> = this

    companion object {
        const val SIZE = 16
        @JvmStatic fun of(owner: String) {}
    }

    object Registry : Listener { fun all() {} }

    enum class State(val label: String) : Named {
        /** Alive. */
        ALIVE("alive") {
            override fun letter() = 'a'
        },
        @Deprecated("gone") DEAD("dead");

        abstract fun letter(): Char
    }

    inner class Key
}

data class Pair2(val a: Int, val b: Int)
annotation class Tag(val value: String)
fun interface Action {
    fun run()
}

/** Shortens. */
inline fun <reified T> List<T>.shorten(crossinline by: (T) -> Boolean): List<T> {
    return filter { by(it) }
}

expect fun platform(): String

// Survives.
fun survivor() {}

fun broken(x: Int { return
