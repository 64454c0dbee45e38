import Concordance

let library = try DatabaseQueue()
