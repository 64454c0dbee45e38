import Foundation

/// Tells when the app enters the background and when it returns, from UIKit's and WatchKit's notifications; elsewhere
/// never.
///
/// The system ends an app with 0xdead10cc if it suspends it while it holds a lock on a file of its app group, even for
/// a single read (https://developer.apple.com/documentation/xcode/sigkill).
final class BackgroundWatch: Sendable {
    /// By name, since this module links no user interface framework.
    static let entering = [
        "UIApplicationDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    ]
    static let leaving = [
        "UIApplicationWillEnterForegroundNotification", "NSExtensionHostWillEnterForegroundNotification",
    ]

    /// Created once, and removed only by `deinit`.
    private struct Tokens: @unchecked Sendable {
        let all: [any NSObjectProtocol]
    }

    private let center: NotificationCenter
    private let tokens: Tokens

    /// - Parameter handler: Takes whether the app is in the background; called, on the thread that posts the
    ///   notification.
    init(
        _ center: NotificationCenter = .default, _ handler: @escaping @Sendable (_ isInBackground: Bool) -> Void
    ) {
        self.center = center
        let names = Self.entering.map { ($0, true) } + Self.leaving.map { ($0, false) }
        tokens = Tokens(
            all: names.map { name, isInBackground in
                center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
                    handler(isInBackground)
                }
            })
    }

    deinit {
        for token in tokens.all { center.removeObserver(token) }
    }
}
