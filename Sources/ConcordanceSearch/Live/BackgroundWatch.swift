import Foundation

/// Tells when the app goes to the background and when it comes back, as UIKit and WatchKit notify of it; elsewhere never.
///
/// An app that the system suspends while it has a file of its app group locked, if only for a look, is ended with 0xdead10cc
/// (https://developer.apple.com/documentation/xcode/sigkill).
final class BackgroundWatch: Sendable {
    /// Names, since this module links no user interface.
    static let entering = [
        "UIApplicationDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    ]
    static let leaving = [
        "UIApplicationWillEnterForegroundNotification", "NSExtensionHostWillEnterForegroundNotification",
    ]

    /// Made once and only removed, by `deinit`.
    private struct Tokens: @unchecked Sendable {
        let all: [any NSObjectProtocol]
    }

    private let center: NotificationCenter
    private let tokens: Tokens

    /// - Parameter handler: Called with whether the app is in the background, on the thread that posts the notification.
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
