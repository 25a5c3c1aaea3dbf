; Inno Setup (https://jrsoftware.org/isinfo.php) makes an installer of the built folder:
;   iscc /DVersion=0.1.0 packaging\windows\willittrain.iss
; Installs for the present user, without an administrator.  Not tried yet: see packaging/README.md.
#ifndef Version
  #error Say the version: iscc /DVersion=X.Y.Z
#endif

[Setup]
AppId={{7B1C5E0A-6B0E-4C58-9D39-2E4F3B7A61D4}
AppName=Will It Train?
AppVersion={#Version}
AppPublisher=The Will It Train? developers
DefaultDirName={autopf}\Will It Train
DefaultGroupName=Will It Train?
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\..\LICENSE
SetupIconFile=..\..\build\icons\willittrain.ico
UninstallDisplayIcon={app}\willittrain.exe
OutputDir=..\..\dist
OutputBaseFilename=WillItTrain-{#Version}-setup
Compression=lzma2
SolidCompression=yes
; A window that is open holds the files that an update replaces.
CloseApplications=yes

[Files]
Source: "..\..\dist\willittrain\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[InstallDelete]
; Files of an older version that the newer one no longer has must not stay beside it.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\Will It Train?"; Filename: "{app}\willittrain.exe"
