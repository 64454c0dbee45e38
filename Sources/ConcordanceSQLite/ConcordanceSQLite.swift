import CSQLite
func version() -> Int32 { csqlite_libversion_number() }
