// In the public domain.

using System;
using System.Collections.Generic;

namespace Shop.Orders
{
    /// <summary>How an order stands.</summary>
    [Flags]
    internal enum Status : byte { Open, /* for good */ Closed = 4 }

    public delegate TResult Convert<in TInput, out TResult>(TInput input, int times = 1);

    /// <summary>
    /// Keeps orders.
    /// </summary>
    /// <typeparam name="T">What is ordered.</typeparam>
    [Serializable]
    public abstract partial class Store<T, TKey> : Base<T>, IStore<T>
        where T : class, new()
        where TKey : struct
    {
        private const int Limit = 10;
        public const string Greeting =
            "a constant long enough to be left out of the interface because nobody reads it there anyway, not even here";
        internal readonly Dictionary<string, int> _counts = new() { ["none"] = 0 };

        /// <summary>Something was added.</summary>
        public event EventHandler<EventArgs> Added;
        public event EventHandler Removed
        {
            add { _removed += value; }
            remove { _removed -= value; }
        }

        /// <summary>Opens a store.</summary>
        protected Store(string name,
            int size = 3) : base(name)
        {
            int local = size;
        }

        ~Store() { }

        public string Name { get; private set; } = "store";
        public int Count => _counts.Count;
        public int Size
        {
            get { return _counts.Count; }
            set { _counts.Clear(); }
        }
        public T this[int index] { get => Find(index); }

        // Not documentation.
        [Obsolete("Use Find.")]
        public async Task<TFound> Look<TFound>(TKey key, params object[] rest)
            where TFound : IComparable
        {
            int Nested(int a) => a;
            return await Find(key);
        }

        public abstract void Close();
        private static int Twice(int a) => a * 2;
        public static Store<T, TKey> operator +(Store<T, TKey> a, T b) => a;
        public static implicit operator int(Store<T, TKey> a) => a.Count;
        void IStore<T>.Reset() { }

        private struct Entry { public int At; }
        public interface IVisitor { void Visit(T item); int Depth { get; } }
#if DEBUG
        internal void Dump() { }
#endif
    }

    public record Person(string First, string Last);
    public readonly record struct Pair(int A, int B) { public int Sum => A + B; }
    public static class Extensions { public static bool IsOpen(this Status status) => status == Status.Open; }
}

class Broken
{
    public void Survives() { }
    public void Half(int a, {
