import ConcordCommand
import Foundation

exit(ConcordCommand.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
