# For a tap; @…@ is filled in by packaging/manifests.py.  A cask, because the program is built with its own Python and Qt.
cask "willittrain" do
  version "@VERSION@"
  sha256 "@SHA256@"

  url "@URL@"
  name "Will It Train?"
  desc "Says whether training a neural network fits this machine, and how long it takes"
  homepage "@HOMEPAGE@"

  depends_on macos: ">= :ventura"

  app "Will It Train.app"
  binary "#{appdir}/Will It Train.app/Contents/MacOS/willittrain"

  zap trash: [
    "~/Library/Application Support/willittrain",
    "~/Library/Caches/willittrain",
  ]
end
