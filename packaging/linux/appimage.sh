#!/usr/bin/env bash
# One file that runs on most Linux systems: the built folder in an AppImage.
#
#   packaging/linux/appimage.sh dist/willittrain build/icons dist
#
# Needs `appimagetool` (https://github.com/AppImage/appimagetool) on PATH.  Without it the folder that goes into the
# image is still made and can be tried: OUT/WillItTrain.AppDir/AppRun.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
folder="$1" icons="$2" out="$3"
id=io.github.willittrain.WillItTrain
dir="$out/WillItTrain.AppDir"

rm -rf "$dir"
mkdir -p "$dir/usr/lib" "$dir/usr/share/applications" "$dir/usr/share/metainfo" "$dir/usr/share/icons/hicolor/256x256/apps"
cp -a "$folder" "$dir/usr/lib/willittrain"
cp "$here/$id.desktop" "$dir/usr/share/applications/"
cp "$here/$id.metainfo.xml" "$dir/usr/share/metainfo/$id.appdata.xml"
cp "$icons/willittrain-256.png" "$dir/usr/share/icons/hicolor/256x256/apps/$id.png"
cp "$here/$id.desktop" "$dir/"
cp "$icons/willittrain-256.png" "$dir/$id.png"
ln -s "$id.png" "$dir/.DirIcon"
cat > "$dir/AppRun" <<'RUN'
#!/bin/sh
# The image is mounted anew at every start; what the program remembers lies in the user's folders.
exec "$(dirname "$(readlink -f "$0")")/usr/lib/willittrain/willittrain" "$@"
RUN
chmod 755 "$dir/AppRun"

if command -v appimagetool > /dev/null; then
    version="$("$folder/willittrain" --version | awk '{print $2}')"
    VERSION="$version" appimagetool "$dir" "$out/WillItTrain-$version-$(uname -m).AppImage"
else
    echo "appimagetool is not on PATH: $dir is ready, but no image was made" >&2
    exit 3
fi
