/// vCard: each card is a document.
enum ContactText {
    private static let passedOver: Set<String> = [
        "PHOTO", "LOGO", "SOUND", "KEY", "UID", "REV", "VERSION", "PRODID", "BEGIN", "END", "N", "FN",
    ]

    static func read(_ text: any ByteStream, _ output: Output) throws {
        var lines = ContentLines(text, limits: output.limits)
        var card: Document?
        var parts: [String] = []
        var name = ""
        var bytes = 0
        while let property = try lines.next() {
            switch (property.name, property.value.uppercased()) {
            case ("BEGIN", "VCARD"):
                card = Document(title: "", body: "", line: property.line)
                parts = []
                name = ""
                bytes = 0
            case ("END", "VCARD"):
                guard var done = card else { continue }
                if done.title.isEmpty { done.title = name.joiningSpaces() }
                try output.write(Array(parts.joined(separator: "\n").utf8), title: done.title, done)
                card = nil
            case ("FN", _): card?.title = property.value
            case ("N", _): name = property.value
            case ("REV", _): card?.date = DocumentDate.iso(property.value)
            default:
                guard card != nil, !passedOver.contains(property.name), !property.value.isEmpty else { continue }
                bytes += property.value.utf8.count
                if bytes <= output.limits.recordBytes { parts.append(property.value) }
            }
        }
    }
}

/// iCalendar: each event, task and journal entry is a document, dated when it begins.
enum CalendarText {
    private static let components: Set<String> = ["VEVENT", "VTODO", "VJOURNAL"]
    private static let texts: Set<String> = [
        "DESCRIPTION", "LOCATION", "COMMENT", "CATEGORIES", "CONTACT", "RESOURCES", "URL", "ATTENDEE", "ORGANIZER",
    ]

    static func read(_ text: any ByteStream, _ output: Output) throws {
        var lines = ContentLines(text, limits: output.limits)
        var event: (document: Document, component: String)?
        var parts: [String] = []
        var bytes = 0
        while let property = try lines.next() {
            let value = property.value.uppercased()
            if property.name == "BEGIN", components.contains(value) {
                event = (Document(title: "", body: "", line: property.line), value)
                parts = []
                bytes = 0
            } else if property.name == "END", let done = event, done.component == value {
                try output.write(Array(parts.joined(separator: "\n").utf8), title: done.document.title, done.document)
                event = nil
            } else if event != nil {
                switch property.name {
                case "SUMMARY": event?.document.title = property.value
                case "DTSTART": event?.document.date = DocumentDate.iso(property.value)
                case "DUE": if event?.document.date == nil { event?.document.date = DocumentDate.iso(property.value) }
                default: break
                }
                guard texts.contains(property.name), !property.value.isEmpty else { continue }
                let text = person(property) ?? property.value
                if property.name == "ORGANIZER" { event?.document.author = text }
                bytes += text.utf8.count
                if bytes <= output.limits.recordBytes { parts.append(text) }
            }
        }
    }

    /// `ATTENDEE;CN=Ann:mailto:ann@example.org`
    private static func person(_ property: ContentLines.Property) -> String? {
        guard property.name == "ATTENDEE" || property.name == "ORGANIZER" else { return nil }
        let address =
            property.value.lowercased().hasPrefix("mailto:") ? String(property.value.dropFirst(7)) : property.value
        guard let name = property.parameters["CN"], !name.isEmpty else { return address }
        return name == address ? name : "\(name) <\(address)>"
    }
}
