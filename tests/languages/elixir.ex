# In the public domain.

defmodule Shop.Orders do
  use GenServer
  alias Shop.Line

  @moduledoc """
  Keeps orders.
  """

  @behaviour Shop.Store
  @timeout 5_000
  @states [
    open: "An order that can change",
    closed: "An order that cannot"
  ]

  @typedoc "An order."
  @type t :: %__MODULE__{
          id: integer,
          lines: [Line.t()]
        }
  @typep key :: atom
  @callback weigh(order :: t, factor :: float) :: {:ok, float} | :error

  @derive {Inspect, only: [:id]}
  @enforce_keys [:id]
  defstruct [:id, lines: []]

  @doc """
  Opens an order.

  ## Examples

      iex> Shop.Orders.open(1)
  """
  @doc since: "1.0"
  @spec open(integer, keyword) :: t
  @impl true
  def open(id, options \\ [])

  def open(id, options) when is_integer(id) and id > 0 do
    order = %__MODULE__{id: id}
    Map.merge(order, Map.new(options))
  end

  def open(_, _), do: {:error, :invalid}

  def add(
        %__MODULE__{} = order,
        line
      ) do
    %{order | lines: [line | order.lines]}
  end

  def timeout, do: @timeout
  # Only here.
  defp twice(value) do
    value * 2
  end

  defmacro checked(block) do
    quote do
      def not_an_item, do: unquote(block)
    end
  end

  defmacrop hidden(value), do: value
  defguard is_open(state) when state == :open
  defguardp is_closed(state) when state == :closed
  defdelegate size(lines), to: Enum, as: :count
  def left ~> right, do: {left, right}

  defmodule Error do
    @moduledoc false
    defexception message: "no such order"
  end
end

defprotocol Shop.Priced do
  @doc "What it costs."
  def price(thing)
end

defimpl Shop.Priced, for: [Shop.Orders, Map] do
  def price(thing), do: map_size(thing)
end

defmodule Shop.OrdersTest do
  use ExUnit.Case, async: true

  describe "open/2" do
    test "refuses nothing", %{conn: conn} do
      assert Shop.Orders.open(nil, conn)
    end
  end

  schema "orders" do
    field :name, :string
  end
end

defmodule Broken do
  def survives, do: 1
  def half(a, %{
