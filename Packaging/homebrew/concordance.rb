# Never run: Homebrew was not at hand. `Scripts/build-release` says which lines a release changes.
class Concordance < Formula
  desc "Full-text search for SQLite and for files"
  homepage "https://github.com/OWNER/concordance"
  url "https://github.com/OWNER/concordance/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on xcode: ["26.0", :build]
  depends_on "libarchive"
  depends_on "libmicrohttpd"
  depends_on "uchardet"
  depends_on macos: :ventura

  uses_from_macos "libxml2"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "concord"
    bin.install ".build/release/concord"
    (man1/"concord.1").write Utils.safe_popen_read(bin/"concord", "man")
    generate_completions_from_executable(bin/"concord", "completions")
    system "Scripts/build-extension", "concordance.dylib"
    lib.install "concordance.dylib"
  end

  def caveats
    <<~EOS
      SQLite loads the extension by:
        .load #{opt_lib}/concordance
      The sqlite3 of macOS loads no extensions; Homebrew's does: #{Formula["sqlite"].opt_bin}/sqlite3
    EOS
  end

  test do
    (testpath/"notes.txt").write "a walk in Nara"
    system bin/"concord", "index", "--db", testpath/"index.db", testpath
    assert_match "walk", shell_output("#{bin}/concord search --db #{testpath}/index.db walk")
  end
end
