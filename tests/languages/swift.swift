//
// Copyright: nobody in particular.
//

import Foundation

/// How long a session lives, in seconds.
public let lifetime = 3_600
private var names: [String] = [
    "alpha",
    "beta",
]

/// Gives out tokens.
public protocol Issuer: AnyObject {
    associatedtype Token: Codable
    /// How many there are.
    var size: Int { get set }
    static func issue(for whom: String) throws -> Token
    init(size: Int)
    subscript(index: Int) -> Token { get }
}

/**
 A session.
 */
@available(iOS 13, *)
@dynamicMemberLookup
public final class Session<Token: Codable>: Base, Issuer where Token: Hashable {
    /// Whose it is.
    @Published public private(set) var owner: String = "nobody"
    static let shared = Session()
    fileprivate var table = [
        "key": 1,
    ]
    public var short: String { String(owner.prefix(3)) }
    var level: Int {
        get { 1 }
        set { names.append("x") }
    }
    lazy var later: Store = {
        return Store()
    }()
    var watched: Int = 0 {
        didSet { print(watched) }
    }

    /// Makes one.
    public init?(owner: String, _ size: Int = 1) throws {
        func local() {}
    }

    deinit { close() }

    /// Refreshes it.
    @discardableResult
    public override func refresh<Rest>(
        _ deep: Bool, // all of it
        for rest: Rest...
    ) async throws -> Rest where Rest: Sequence {
        return rest
    }

    private func hide() {}
    static func + (left: Session, right: Session) -> Session { left }

    /// What became of it.
    enum State: String, Codable {
        /// Alive.
        case alive, asleep = "zzz"
        indirect case dead(of: String, State)
        var label: String { rawValue }
    }

    typealias Owner = String
}

extension Session: CustomStringConvertible where Token == Int {
    var description: String { owner }
}

struct Pair { let left: Int }
actor Keeper { func keep() {} }

#if DEBUG
/// Only then.
func debug(_ what: Any) {}
#endif

// Survives.
func survivor() -> Int { 1 }

func broken(x: Int { return
