#!/usr/bin/env ruby
# frozen_string_literal: true

# In the public domain.

require "set"

# Everything about orders.
module Shop::Orders
  # How many there can be.
  LIMIT = 10
  STATES = {
    open: "An order that can change",
    closed: "An order that cannot",
  }.freeze

  class Error < StandardError; end

  # Keeps orders in memory.
  #
  # Not for production.
  class Store < Base::Store
    include Enumerable
    has_many :lines, dependent: :destroy
    scope :recent, -> { where(recent: true) }

    # What it is called.
    attr_accessor :name, :size
    attr_reader(:owner)
    @@count = 0

    # Opens a store.
    def initialize(name, size = 3, *rest, key: 1, **options, &block)
      @name = name
    end

    # Another way to open it.
    def self.open(path) = new(path)

    def each(
      from:,
      upto: nil
    )
      [from, upto]
    end

    def ==(other) name == other.name end
    def empty?
      size.zero?
    rescue NoMethodError
      true
    end
    alias none? empty?
    alias_method :void?, :empty?
    define_method(:lines) { |count = 1| count }

    class << self
      # Only on the class.
      def default; end
    end

    Entry = Struct.new(:at, :what) do
      def to_s = what
    end

    private

    def secret a, b
      a + b
    end

    private def hidden(value); value; end
    private attr_reader :key
    private_class_method def self.build; end
  end
end

# At the top.
def main(arguments) = Shop.run(arguments)

$verbose = false
Shop::VERSION = "1.2.3"

namespace :db do
  desc "Moves the data"
  task migrate: :environment do |task|
    puts task
  end
end

RSpec.describe Shop::Orders::Store do
  context "when empty" do
    it "has nothing" do
      expect(subject).to be_empty
    end
  end
end

get "/orders/:id" do
  Store.find(params[:id])
end

class Broken
  def survives; end
  def half(a,
