<?php
/**
 * What the shop needs to know about orders.
 */

declare(strict_types=1);

namespace Shop\Orders;

use Countable;

/** How many there can be. */
const LIMIT = 10;
define('SHOP_NAME', 'the shop');

/**
 * Keeps orders.
 *
 * @template T
 */
#[Service(name: 'orders')]
final class Store extends Base implements Countable, \JsonSerializable
{
    use Loggable, Cacheable;

    public const MAX = 10, MIN = 1;
    private const array NAMES = [
        'open' => 'An order that can change',
        'closed' => 'An order that cannot',
    ];

    /** @var int|null how many there are */
    private ?int $count = 1, $spare;
    public static array $defaults = ['size' => 3];
    public readonly string $name;
    public string $title {
        get => $this->name;
        set { $this->name = $value; }
    }

    /** Opens a store. */
    public function __construct(
        private readonly string $path,
        protected int $size = 3,
    ) {
        $local = 1;
    }

    // Not documentation.
    #[Pure]
    abstract protected function weigh(int $factor): ?float;

    public static function &find(array &$where, int ...$rest): static|null
    {
        return null;
    }

    function count(): int { return 0; }
}

interface Visitor extends Walker
{
    const DEPTH = 1;
    public function visit(Store $store): void;
}

trait Loggable
{
    private $log;
    protected function log(string $line) { $this->log = $line; }
}

enum Status: string implements HasLabel
{
    case Open = 'o';
    /** For good. */
    case Closed = 'c';
    const Standard = self::Open;
    public function label(): string { return ucfirst($this->name); }
}

/** Helps. */
function helper(int $count, string $text = "x"): int|string
{
    function nested() {}
    return 1;
}

$twice = function (int $value) use ($factor) { return $value * 2; };
$settings = ['debug' => false];

class Broken
{
    public function survives() {}
    public function half(int $a, {
