# Functions that ./demo, ./test and scripts source: they find Swift, and install what a build needs and the machine lacks.

# What a build needs: a test whether it is installed, the Debian package, the Homebrew formula.
prerequisites_build=(
    "pkg-config --version|pkg-config|pkgconf"
    "have_library sqlite3 sqlite3.h|libsqlite3-dev|sqlite"
    "have_library zlib zlib.h|zlib1g-dev|zlib"
    "have_library libxml-2.0 libxml2/libxml/tree.h|libxml2-dev|libxml2"
    "have_library libmicrohttpd microhttpd.h|libmicrohttpd-dev|libmicrohttpd"
    "have_library libarchive archive.h|libarchive-dev|libarchive"
    "have_library uchardet uchardet/uchardet.h|libuchardet-dev|uchardet"
    "have_terminfo|libncurses-dev|ncurses"
)
# What the tests also need.
prerequisites_test=(
    "sqlite3 -version|sqlite3|sqlite"
    "nm --version|binutils|binutils"
    "/usr/bin/python3 -c 'import ensurepip'|python3-venv|python"
)
# What the tests in a terminal need: the shells that complete, and what reads manual pages.
prerequisites_terminal=(
    "zsh --version|zsh|zsh"
    "fish --version|fish|fish"
    "command -v mandoc|mandoc|mandoc"
    "/usr/bin/python3 -c 'import ensurepip'|python3-venv|python"
)
# What the tests of the search page need: a browser and its driver.
prerequisites_page=(
    "find_chromium|chromium|google-chrome"
    "find_chromedriver|chromium-driver|chromedriver"
)
# What readings of Japanese words need: the library, and a dictionary in UTF-8.
prerequisites_mecab=(
    "have_mecab|libmecab-dev|mecab"
    "have_mecab_dictionary|mecab-ipadic-utf8|mecab-ipadic"
)

say() { printf '\n== %s\n' "$*"; }
die() {
    printf '%s\n' "$*" >&2
    exit 1
}

have_library() { pkg-config --exists "$1" && [ -e "$(pkg-config --variable=includedir "$1")/$2" ]; }
# Xcode's SDK has it, too.
have_terminfo() { [ "$(uname)" = Darwin ] || have_library tinfo term.h; }
have_mecab() { mecab-config --version && [ -e "$(mecab-config --inc-dir)/mecab.h" ]; }

# Print the paths of the browser and its driver: what the variables name, or the first that is installed.
find_chromium() {
    local candidate
    for candidate in "${CONCORD_CHROMIUM:-}" chromium chromium-browser google-chrome \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        [ -z "$candidate" ] || ! command -v "$candidate" || return 0
    done
    return 1
}
find_chromedriver() { command -v "${CONCORD_CHROMEDRIVER:-chromedriver}"; }

# Its own dictionary, as Debian and Homebrew install it, or the one that MECABRC names.
have_mecab_dictionary() {
    [ -n "${MECABRC:-}" ] || ls /var/lib/mecab/dic/ipadic-utf8/sys.dic || ls "$(mecab-config --dicdir)"/*/sys.dic
}

# find_swift: puts a toolchain of at least version 6.2 on PATH, or says where to get one.
find_swift() {
    if ! command -v swift >/dev/null; then
        local folder
        for folder in /opt/swift/usr/bin "$HOME/.swiftly/bin" "$HOME/.local/share/swiftly/bin" /usr/local/swift/usr/bin; do
            if [ -x "$folder/swift" ]; then
                PATH="$folder:$PATH"
                break
            fi
        done
    fi
    command -v swift >/dev/null || die "No Swift toolchain found. Install Swift 6.2 or newer from https://www.swift.org/install and put it on PATH."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -1)
    if [ "${version%%.*}" -lt 6 ] || { [ "${version%%.*}" -eq 6 ] && [ "${version#*.}" -lt 2 ]; }; then
        die "Swift $version is too old. Install Swift 6.2 or newer from https://www.swift.org/install."
    fi
}

# install_prerequisites LINE...: installs the packages whose test fails.
install_prerequisites() {
    local line check packages=() formulas=()
    for line in "$@"; do
        IFS='|' read -r check debian brew <<<"$line"
        if ! eval "$check" >/dev/null 2>&1; then
            packages+=("$debian")
            formulas+=("$brew")
        fi
    done
    [ ${#packages[@]} -gt 0 ] || return 0
    if [ "$(uname)" = Darwin ]; then
        # Xcode comes with the system's SQLite, zlib and libxml2, which are enough if pkg-config finds no others.
        echo "Not found: ${formulas[*]}. If the build fails without them: brew install ${formulas[*]}"
    elif command -v apt-get >/dev/null; then
        say "Installing ${packages[*]}"
        local as_root=()
        if [ "$(id -u)" -ne 0 ]; then
            command -v sudo >/dev/null || die "As root: apt-get install ${packages[*]}"
            as_root=(sudo)
        fi
        "${as_root[@]}" apt-get update -q >/dev/null
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${packages[@]}" >/dev/null
    else
        echo "Not found; install the equivalents of these Debian packages: ${packages[*]}" >&2
    fi
}
