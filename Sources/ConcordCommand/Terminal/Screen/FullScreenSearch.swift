import Concordance
import Foundation

/// The full-screen search.
final class FullScreenSearch {
    private let driver: TerminalDriver
    private let opener: DocumentOpener
    private let worker: ScreenWorker
    private var state: ScreenState
    private var painter: ScreenPainter
    private var decoder: KeyDecoder
    private var end: Int32?
    private var isOver = false

    /// How long the rest of an escape sequence may take to arrive, in milliseconds.
    private static let escapeDelay: Int32 = 40

    init(
        _ service: SearchService, driver: TerminalDriver, environment: [String: String],
        start: (_ width: Int, _ height: Int) -> ScreenState
    ) {
        self.driver = driver
        opener = DocumentOpener(service, environment: environment)
        worker = ScreenWorker(service, deliver: driver.post)
        let size = driver.size
        state = start(size.width, size.height)
        painter = ScreenPainter(driver.capabilities)
        decoder = KeyDecoder(keys: driver.capabilities.keys)
    }

    /// Runs until the user or a signal ends it.
    func run() -> ExitCode {
        driver.watchSignals()
        driver.enter()
        perform(state.start())
        while !isOver {
            driver.write(painter.paint(ScreenRenderer.grid(state)))
            receive()
        }
        driver.leave()
        worker.stop()
        driver.unwatchSignals()
        // Ends the process by the signal, as without the screen.
        if let end { kill(getpid(), end) }
        return end == nil ? .success : .interrupted
    }

    /// Handles all waiting input before painting, so that the screen does not slow a fast typist.
    private func receive() {
        var wait: Int32 = decoder.isPending ? Self.escapeDelay : -1
        while !isOver {
            switch driver.next(within: wait) {
            case .bytes(let bytes): handle(decoder.feed(bytes))
            case .notice(let notice): handle(notice)
            case .closed: isOver = true
            case .nothing:
                if wait > 0 { handle(decoder.flush()) }
                return
            }
            wait = 0
        }
    }

    private func handle(_ inputs: [TerminalInput]) {
        for input in inputs { perform(state.handle(.input(input))) }
    }

    private func handle(_ notice: TerminalDriver.Notice) {
        switch notice {
        case .event(let event): perform(state.handle(event))
        case .resized: resize()
        case .continued:
            driver.enter()
            resize()
        case .stop: perform([.suspend])
        case .end(let signal):
            end = signal
            isOver = true
        }
    }

    private func resize() {
        let size = driver.size
        perform(state.handle(.resize(width: size.width, height: size.height)))
    }

    private func perform(_ effects: [ScreenEffect]) {
        for effect in effects {
            switch effect {
            case .search(let wish, let generation): worker.search(wish, generation: generation)
            case .more(let wish, let generation): worker.more(wish, generation: generation)
            case .document(let id, let text, let generation): worker.document(id, text: text, generation: generation)
            case .continuation(let id, let from, let text, let generation):
                worker.continuation(id, from: from, text: text, generation: generation)
            case .suggest(let text): worker.suggest(text)
            case .open(let place, let program): open(place, with: program)
            case .repaint: painter.forget()
            case .suspend:
                driver.suspend()
                resize()
            case .quit: isOver = true
            }
        }
    }

    private func open(_ place: DocumentPlace, with program: OpeningProgram) {
        let problem: String?
        do {
            switch try opener.opening(of: place, with: program) {
            case .file(let editor, let arguments): problem = driver.lend { editor.run(arguments) }
            case .text(let pager, let arguments, let text): problem = driver.lend { pager.run(arguments, input: text) }
            }
        } catch let error as ScreenProblem {
            problem = error.text
        } catch let error as HTTPProblem {
            problem = error.detail
        } catch {
            problem = "\(error)"
        }
        resize()
        if let problem { perform(state.handle(.note(problem))) }
    }
}
