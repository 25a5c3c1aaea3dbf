<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AdvicePage</name>
    <message>
        <source>Advice</source>
        <translation>Empfehlungen</translation>
    </message>
    <message>
        <source>Looking for something better …</source>
        <translation>Es wird nach Besserem gesucht …</translation>
    </message>
    <message>
        <source>There is nothing to gain by changing the plan</source>
        <translation>Am Plan zu ändern bringt nichts</translation>
    </message>
    <message>
        <source>Advice appears here once the model is known</source>
        <translation>Empfehlungen erscheinen hier, sobald das Modell bekannt ist</translation>
    </message>
    <message>
        <source>What to change, free things first</source>
        <translation>Was zu ändern ist, Kostenloses zuerst</translation>
    </message>
    <message>
        <source>Training waits for {what}.</source>
        <translation>Das Training wartet auf {what}.</translation>
    </message>
    <message>
        <source>The numbers rest on {basis}.</source>
        <translation>Grundlage der Zahlen: {basis}.</translation>
    </message>
</context>
<context>
    <name>AdvicePresenter</name>
    <message>
        <source>Changed the plan: {title}</source>
        <translation>Plan geändert: {title}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>BasisPopup</name>
    <message>
        <source>Basis of {title}</source>
        <translation>Grundlage von {title}</translation>
    </message>
    <message>
        <source>{sign} This number is {origin}.</source>
        <translation>{sign} Diese Zahl ist {origin}.</translation>
    </message>
    <message>
        <source>It should lie between {interval}.</source>
        <translation>Sie sollte dazwischen liegen: {interval}.</translation>
    </message>
    <message>
        <source>What matters most: {assumption}.</source>
        <translation>Am wichtigsten dabei: {assumption}.</translation>
    </message>
    <message>
        <source>There is no more detail for this number.</source>
        <translation>Mehr ist zu dieser Zahl nicht bekannt.</translation>
    </message>
</context>
<context>
    <name>BatchChartCard</name>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Memory needed</source>
        <translation>Benötigter Speicher</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele pro Sekunde</translation>
    </message>
    <message>
        <source>Memory and speed against batch size</source>
        <translation>Speicher und Tempo je Batchgröße</translation>
    </message>
    <message>
        <source>drag the line to change the batch</source>
        <translation>die Linie ziehen, um den Batch zu ändern</translation>
    </message>
    <message>
        <source>drag the line to change the batch; {best} is the best one</source>
        <translation>die Linie ziehen, um den Batch zu ändern; am besten ist {best}</translation>
    </message>
    <message>
        <source>{best} is the best batch</source>
        <translation>am besten ist {best}</translation>
    </message>
    <message>
        <source>appears when the model is traced</source>
        <translation>erscheint, wenn das Modell untersucht ist</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>limit {size}</source>
        <translation>Grenze {size}</translation>
    </message>
    <message>
        <source>batch {batch}: {memory}, {speed} samples per second</source>
        <translation>Batch {batch}: {memory}, {speed} Beispiele pro Sekunde</translation>
    </message>
    <message>
        <source>The arrow keys change the batch, Page up and Page down double and halve it.</source>
        <translation>Die Pfeiltasten ändern den Batch, Bild auf und Bild ab verdoppeln und halbieren ihn.</translation>
    </message>
</context>
<context>
    <name>BatchField</name>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>Batch size, in powers of two</source>
        <translation>Batchgröße in Zweierpotenzen</translation>
    </message>
</context>
<context>
    <name>BenchPresenter</name>
    <message>
        <source>Simulated hardware cannot be measured. Press Esc to return to this machine.</source>
        <translation>Simulierte Hardware lässt sich nicht messen. Mit Esc zurück zu diesem Rechner.</translation>
    </message>
    <message>
        <source>Benchmark of {title}: {phase}</source>
        <translation>Messung von {title}: {phase}</translation>
    </message>
</context>
<context>
    <name>BenchmarkPage</name>
    <message>
        <source>Benchmark</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>What to measure</source>
        <translation>Was gemessen wird</translation>
    </message>
    <message>
        <source>for</source>
        <translation>für</translation>
    </message>
    <message>
        <source>Seconds to measure</source>
        <translation>Sekunden Messzeit</translation>
    </message>
    <message>
        <source>While it runs</source>
        <translation>Während des Laufs</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start the benchmark</source>
        <translation>Messung starten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the benchmark</source>
        <translation>Messung abbrechen</translation>
    </message>
    <message>
        <source>Progress of the benchmark</source>
        <translation>Fortschritt der Messung</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>While it ran</source>
        <translation>Verlauf des Laufs</translation>
    </message>
    <message>
        <source>Simulated hardware cannot be measured; press Esc first</source>
        <translation>Simulierte Hardware lässt sich nicht messen; zuerst Esc drücken</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Wird beendet …</translation>
    </message>
    <message>
        <source>{variant}: {phase}, {time} so far</source>
        <translation>{variant}: {phase}, bisher {time}</translation>
    </message>
    <message>
        <source>{phase}, {time} so far</source>
        <translation>{phase}, bisher {time}</translation>
    </message>
    <message>
        <source>Simulated hardware cannot be measured; press Esc to return to this machine</source>
        <translation>Simulierte Hardware lässt sich nicht messen; mit Esc zurück zu diesem Rechner</translation>
    </message>
    <message>
        <source>Trains your workload for a few real steps in a process of its own</source>
        <translation>Trainiert Ihre Aufgabe ein paar echte Schritte lang in einem eigenen Prozess</translation>
    </message>
</context>
<context>
    <name>CodeDialog</name>
    <message>
        <source>Run this file?</source>
        <translation>Diese Datei ausführen?</translation>
    </message>
    <message>
        <source>You have let this file run before, and it has not changed since.</source>
        <translation>Sie haben diese Datei schon einmal ausführen lassen, und sie hat sich seitdem nicht geändert.</translation>
    </message>
    <message>
        <source>Using a function of this file runs the Python code in it</source>
        <translation>Eine Funktion dieser Datei zu benutzen führt ihren Python-Code aus</translation>
    </message>
    <message>
        <source>The code can do everything that you can do. Run it only if you know who wrote it. You are asked again when the file changes.</source>
        <translation>Der Code kann alles tun, was Sie tun können. Führen Sie ihn nur aus, wenn Sie wissen, von wem er stammt. Ändert sich die Datei, werden Sie erneut gefragt.</translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation>Text der Datei</translation>
    </message>
    <message>
        <source>Only the beginning of the file is shown.</source>
        <translation>Nur der Anfang der Datei wird gezeigt.</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>Funktion</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>das Modell</translation>
    </message>
    <message>
        <source>the data</source>
        <translation>die Daten</translation>
    </message>
    <message>
        <source>What the function makes</source>
        <translation>Was die Funktion liefert</translation>
    </message>
    <message>
        <source>It makes</source>
        <translation>Sie liefert</translation>
    </message>
    <message>
        <source>Do not run it</source>
        <translation>Nicht ausführen</translation>
    </message>
    <message>
        <source>Run the file</source>
        <translation>Datei ausführen</translation>
    </message>
</context>
<context>
    <name>CodePresenter</name>
    <message>
        <source>The file was not opened because it was not trusted.</source>
        <translation>Die Datei wurde nicht geöffnet, weil ihr nicht vertraut wurde.</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Find anything</source>
        <translation>Alles finden</translation>
    </message>
    <message>
        <source>Find a model, a card, a page or an action …</source>
        <translation>Modell, Karte, Seite oder Aktion suchen …</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
</context>
<context>
    <name>ComparisonCard</name>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>All epochs</source>
        <translation>Alle Epochen</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Needed</source>
        <translation>Benötigt</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>Variants side by side</source>
        <translation>Varianten nebeneinander</translation>
    </message>
    <message>
        <source>{name} waits for its data.</source>
        <translation>{name} wartet auf Daten.</translation>
    </message>
    <message>
        <source>Fastest: {name}</source>
        <translation>Am schnellsten: {name}</translation>
    </message>
    <message>
        <source>There is nothing to compare</source>
        <translation>Es gibt nichts zu vergleichen</translation>
    </message>
    <message>
        <source>No difference that can be told from noise</source>
        <translation>Kein Unterschied, der sich vom Rauschen abhebt</translation>
    </message>
    <message numerus="yes">
        <source>{of}: %Ln rounds are too few to compare it with {to}.</source>
        <translation>
            <numerusform>{of}: %Ln Runde ist zu wenig für einen Vergleich mit {to}.</numerusform>
            <numerusform>{of}: %Ln Runden sind zu wenig für einen Vergleich mit {to}.</numerusform>
        </translation>
    </message>
    <message>
        <source>{of} is {x} times as fast as {to} ({low} to {high}).</source>
        <translation>{of} ist {x}-mal so schnell wie {to} ({low} bis {high}).</translation>
    </message>
    <message>
        <source>{of} takes {x} times as long as {to} ({low} to {high}).</source>
        <translation>{of} braucht {x}-mal so lange wie {to} ({low} bis {high}).</translation>
    </message>
    <message>
        <source>{of} against {to}: between {low} and {high} of its time, so no difference that can be seen.</source>
        <translation>{of} gegen {to}: zwischen dem {low}- und dem {high}-Fachen der Zeit, also kein erkennbarer Unterschied.</translation>
    </message>
    <message>
        <source>The variants took turns on the machine, so that its drift met all of them alike.</source>
        <translation>Die Varianten wechselten sich ab, damit Schwankungen des Rechners alle gleich treffen.</translation>
    </message>
    <message>
        <source>The variants ran one after the other, each of them several times.</source>
        <translation>Die Varianten liefen nacheinander, jede mehrmals.</translation>
    </message>
    <message>
        <source>All epochs: {count}.</source>
        <translation>Alle Epochen: {count}.</translation>
    </message>
</context>
<context>
    <name>DiagnosticsDialog</name>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Names and folders have been left out. Read it, delete what you do not want to tell, and copy it. Nothing is sent anywhere.</source>
        <translation>Namen und Ordner wurden weggelassen. Lesen Sie den Text, löschen Sie, was Sie nicht mitteilen möchten, und kopieren Sie ihn. Nichts wird irgendwohin gesendet.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Copy diagnostics …</source>
        <translation>Diagnose kopieren …</translation>
    </message>
    <message>
        <source>Needed: {size}</source>
        <translation>Benötigt: {size}</translation>
    </message>
    <message>
        <source>There was: {size}</source>
        <translation>Vorhanden: {size}</translation>
    </message>
    <message>
        <source>Expected: {text}</source>
        <translation>Erwartet: {text}</translation>
    </message>
    <message>
        <source>Received: {text}</source>
        <translation>Erhalten: {text}</translation>
    </message>
    <message>
        <source>Error: {message}</source>
        <translation>Fehler: {message}</translation>
    </message>
</context>
<context>
    <name>EstimatePresenter</name>
    <message>
        <source>Tracing {model} …</source>
        <translation>{model} wird untersucht …</translation>
    </message>
    <message>
        <source>Tracing {model}: {what}</source>
        <translation>Untersuchung von {model}: {what}</translation>
    </message>
</context>
<context>
    <name>FindingCard</name>
    <message>
        <source>Batch sizes that were tried</source>
        <translation>Erprobte Batchgrößen</translation>
    </message>
    <message>
        <source>Largest batch that ran</source>
        <translation>Größter gelaufener Batch</translation>
    </message>
    <message>
        <source>Smallest batch at full speed</source>
        <translation>Kleinster Batch bei vollem Tempo</translation>
    </message>
    <message>
        <source>Batch × steps</source>
        <translation>Batch × Schritte</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>No batch ran</source>
        <translation>Kein Batch lief</translation>
    </message>
    <message>
        <source>Use batch {size}</source>
        <translation>Batch {size} übernehmen</translation>
    </message>
    <message>
        <source>Train with batch {size}</source>
        <translation>Mit Batch {size} trainieren</translation>
    </message>
    <message>
        <source>Limit: {size}.</source>
        <translation>Grenze: {size}.</translation>
    </message>
</context>
<context>
    <name>FitPage</name>
    <message>
        <source>Fit</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>There is no answer to show; the reason stands above.</source>
        <translation>Es gibt keine Antwort zu zeigen; der Grund steht darüber.</translation>
    </message>
    <message>
        <source>Memory over one step</source>
        <translation>Speicher im Verlauf eines Schritts</translation>
    </message>
    <message>
        <source>Share of the step</source>
        <translation>Anteil am Schritt</translation>
    </message>
    <message>
        <source>Live memory</source>
        <translation>Belegter Speicher</translation>
    </message>
    <message>
        <source>Memory at the peak of one step</source>
        <translation>Speicher an der Spitze eines Schritts</translation>
    </message>
    <message>
        <source>Memory needed</source>
        <translation>Benötigter Speicher</translation>
    </message>
    <message>
        <source>What fills it</source>
        <translation>Was ihn füllt</translation>
    </message>
    <message>
        <source>What fills the memory</source>
        <translation>Was den Speicher füllt</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Largest layers</source>
        <translation>Größte Schichten</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Four memories</source>
        <translation>Viererlei Speicher</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was das ist</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>Zwischen</translation>
    </message>
    <message>
        <source>How this compares, and what was assumed</source>
        <translation>Vergleich und Annahmen</translation>
    </message>
    <message>
        <source>on {device}, {total}</source>
        <translation>auf {device}, {total}</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
    <message>
        <source>The textbook formula says {size} where {needed} are predicted here: {why}.</source>
        <translation>Die Lehrbuchformel sagt {size}, hier sind {needed} vorhergesagt: {why}.</translation>
    </message>
    <message>
        <source>The textbook formula says much the same: {size}.</source>
        <translation>Die Lehrbuchformel sagt fast dasselbe: {size}.</translation>
    </message>
    <message>
        <source>The rule “35 × the data on disk” says {size}, for every network and every batch.</source>
        <translation>Die Regel „35 × die Daten auf der Platte“ sagt {size}, für jedes Netz und jeden Batch.</translation>
    </message>
    <message>
        <source>Share of the step (%)</source>
        <translation>Anteil am Schritt (%)</translation>
    </message>
</context>
<context>
    <name>FittedColumns</name>
    <message>
        <source>{column}: {value}</source>
        <translation>{column}: {value}</translation>
    </message>
</context>
<context>
    <name>InputFields</name>
    <message>
        <source>Share of the data that is cached</source>
        <translation>Anteil der Daten, der gepuffert wird</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Samples that are read and decoded at once</source>
        <translation>Beispiele, die gleichzeitig gelesen und dekodiert werden</translation>
    </message>
    <message>
        <source>as many as help</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>Prepare batches ahead</source>
        <translation>Batches vorab erzeugen</translation>
    </message>
    <message>
        <source>The next batches are made while a step runs</source>
        <translation>Die nächsten Batches entstehen, während ein Schritt läuft</translation>
    </message>
    <message>
        <source>Cache of it</source>
        <translation>Davon puffern</translation>
    </message>
    <message>
        <source>Decode at once</source>
        <translation>Parallel</translation>
    </message>
</context>
<context>
    <name>LastStart</name>
    <message>
        <source>The last start with {model} did not end well</source>
        <translation>Der letzte Start mit {model} ging nicht gut aus</translation>
    </message>
    <message>
        <source>Another one was opened in its place.</source>
        <translation>An seiner Stelle wurde etwas anderes geöffnet.</translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation>Wieder öffnen</translation>
    </message>
</context>
<context>
    <name>LivePlots</name>
    <message>
        <source>Hold the plots</source>
        <translation>Bilder anhalten</translation>
    </message>
    <message>
        <source>The run goes on; the picture stays as it is</source>
        <translation>Der Lauf geht weiter; das Bild bleibt, wie es ist</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>needed, peak</source>
        <translation>benötigt, Spitze</translation>
    </message>
    <message>
        <source>needed now</source>
        <translation>jetzt benötigt</translation>
    </message>
    <message>
        <source>held</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>what is held is not told while it runs</source>
        <translation>was belegt ist, wird währenddessen nicht gemeldet</translation>
    </message>
    <message>
        <source>driver sees</source>
        <translation>Treiber sieht</translation>
    </message>
    <message>
        <source>all programs</source>
        <translation>alle Programme</translation>
    </message>
    <message>
        <source>other programs</source>
        <translation>andere Programme</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittdauer</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Memory of the training</source>
        <translation>Speicher des Trainings</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Processor use</source>
        <translation>Prozessorauslastung</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>RAM of the process</source>
        <translation>RAM des Prozesses</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>swap of the machine</source>
        <translation>Swap des Rechners</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <source>written, all programs</source>
        <translation>geschrieben, alle Programme</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Fortsetzen</translation>
    </message>
</context>
<context>
    <name>MachinePanel</name>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Reading this machine …</source>
        <translation>Dieser Rechner wird gelesen …</translation>
    </message>
    <message>
        <source>MACHINE</source>
        <translation>RECHNER</translation>
    </message>
    <message>
        <source>SIM</source>
        <translation>SIM</translation>
    </message>
    <message>
        <source>Parts of this machine are simulated. Press Esc to go back.</source>
        <translation>Teile dieses Rechners sind simuliert. Esc führt zurück.</translation>
    </message>
    <message>
        <source>Simulated machine</source>
        <translation>Simulierter Rechner</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Machine details</source>
        <translation>Einzelheiten des Rechners</translation>
    </message>
    <message>
        <source>Simulate …</source>
        <translation>Simulieren …</translation>
    </message>
    <message>
        <source>Simulate other hardware</source>
        <translation>Andere Hardware simulieren</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>{part} over the last minute</source>
        <translation>{part} in der letzten Minute</translation>
    </message>
    <message>
        <source>{part} now</source>
        <translation>{part} jetzt</translation>
    </message>
    <message>
        <source>{gpu}: {reason}.</source>
        <translation>{gpu}: {reason}.</translation>
    </message>
    <message>
        <source>Simulated parts: {parts}. Esc returns to this machine.</source>
        <translation>Simulierte Teile: {parts}. Esc führt zu diesem Rechner zurück.</translation>
    </message>
    <message>
        <source>Asking TensorFlow what it can use …</source>
        <translation>TensorFlow wird gefragt, was es nutzen kann&#xa0;…</translation>
    </message>
    <message>
        <source>{framework} cannot use {gpu}: {reason}. {fix}</source>
        <translation>{framework} kann {gpu} nicht nutzen: {reason}. {fix}</translation>
    </message>
    <message>
        <source>{framework} can use: {devices}</source>
        <translation>{framework} kann nutzen: {devices}</translation>
    </message>
</context>
<context>
    <name>MachinePresenter</name>
    <message>
        <source>Measuring the processor once …</source>
        <translation>Der Prozessor wird einmal gemessen …</translation>
    </message>
    <message>
        <source>{framework} is not installed</source>
        <translation>{framework} ist nicht installiert</translation>
    </message>
    <message>
        <source>TensorFlow did not answer</source>
        <translation>TensorFlow hat nicht geantwortet</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Will It Train?</source>
        <translation>Will It Train?</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Empfehlungen</translation>
    </message>
    <message>
        <source>Upgrades</source>
        <translation>Aufrüsten</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>Memory on {device}: needed {needed} of {allowed}. {parts}</source>
        <translation>Speicher auf {device}: benötigt {needed} von {allowed}. {parts}</translation>
    </message>
    <message>
        <source>Memory bar</source>
        <translation>Speicherbalken</translation>
    </message>
    <message>
        <source>magnified</source>
        <translation>vergrößert</translation>
    </message>
    <message>
        <source>limit {size}</source>
        <translation>Grenze {size}</translation>
    </message>
</context>
<context>
    <name>MemoryLegend</name>
    <message>
        <source>Parts of the memory</source>
        <translation>Teile des Speichers</translation>
    </message>
</context>
<context>
    <name>MoreOptions</name>
    <message>
        <source>More options</source>
        <translation>Weitere Optionen</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>Accumulate</source>
        <translation>Akkumulieren</translation>
    </message>
    <message>
        <source>Cache data in</source>
        <translation>Daten puffern</translation>
    </message>
    <message>
        <source>Freeze layers</source>
        <translation>Einfrieren</translation>
    </message>
    <message>
        <source>Clip gradients</source>
        <translation>Clipping</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Give data as</source>
        <translation>Datenform</translation>
    </message>
    <message>
        <source>LoRA rank</source>
        <translation>LoRA-Rang</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>Sequenz</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>Bildgröße</translation>
    </message>
    <message>
        <source>Leave out layers</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>inference</source>
        <translation>Inferenz</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nirgends</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>RAM, not decoded</source>
        <translation>RAM, nicht dekodiert</translation>
    </message>
    <message>
        <source>Cache prepared data in</source>
        <translation>Vorbereitete Daten puffern in</translation>
    </message>
    <message>
        <source>Steps whose gradients are accumulated</source>
        <translation>Schritte, deren Gradienten akkumuliert werden</translation>
    </message>
    <message>
        <source>Recompute activations</source>
        <translation>Aktiv. neu berechnen</translation>
    </message>
    <message>
        <source>Less memory, more time: activations are computed again in the backward pass</source>
        <translation>Weniger Speicher, mehr Zeit: Aktivierungen werden im Rückwärtsschritt noch einmal berechnet</translation>
    </message>
    <message>
        <source>Patterns of layers to freeze, separated by commas</source>
        <translation>Muster einzufrierender Schichten, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>block1*, conv_2</source>
        <translation>block1*, conv_2</translation>
    </message>
    <message>
        <source>each by norm</source>
        <translation>einzeln nach Norm</translation>
    </message>
    <message>
        <source>all by norm</source>
        <translation>alle nach Norm</translation>
    </message>
    <message>
        <source>by value</source>
        <translation>nach Wert</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>Limit of the gradients</source>
        <translation>Grenze der Gradienten</translation>
    </message>
    <message>
        <source>as the optimizer has it</source>
        <translation>vom Optimierer</translation>
    </message>
    <message>
        <source>Moving average of weights</source>
        <translation>Gewichtsmittel (EMA)</translation>
    </message>
    <message>
        <source>One more copy of every weight</source>
        <translation>Eine weitere Kopie jedes Gewichts</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>one array</source>
        <translation>ein Array</translation>
    </message>
    <message>
        <source>How the data is given</source>
        <translation>Form, in der die Daten übergeben werden</translation>
    </message>
    <message>
        <source>One array lies on the device as a whole</source>
        <translation>Ein Array liegt als Ganzes auf dem Gerät</translation>
    </message>
    <message>
        <source>Rank of LoRA weights</source>
        <translation>Rang der LoRA-Gewichte</translation>
    </message>
    <message>
        <source>no LoRA</source>
        <translation>kein LoRA</translation>
    </message>
    <message>
        <source>Train two thin matrices beside each kernel, and the output layer; freeze the rest</source>
        <translation>Zwei schmale Matrizen neben jedem Kernel und die Ausgabeschicht trainieren, den Rest einfrieren</translation>
    </message>
    <message>
        <source>8-bit weights</source>
        <translation>8-Bit-Gewichte</translation>
    </message>
    <message>
        <source>Tokens or time steps of a sample</source>
        <translation>Token oder Zeitschritte eines Beispiels</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>wie es ist</translation>
    </message>
    <message>
        <source>Height and width of the images</source>
        <translation>Höhe und Breite der Bilder</translation>
    </message>
    <message>
        <source>as it is, or 480x640</source>
        <translation>wie es ist, oder 480x640</translation>
    </message>
    <message>
        <source>Patterns of layers that the model shall do without</source>
        <translation>Muster von Schichten, auf die das Modell verzichten soll</translation>
    </message>
    <message>
        <source>none, or lstm_1</source>
        <translation>keine, oder lstm_1</translation>
    </message>
    <message>
        <source>A quarter of the memory for weights of dense, attention and embedding layers</source>
        <translation>Ein Viertel des Speichers für Gewichte von Dense-, Attention- und Embedding-Schichten</translation>
    </message>
    <message>
        <source>8-bit weights cannot be trained: choose inference, or LoRA beside them</source>
        <translation>8-Bit-Gewichte lassen sich nicht trainieren: Inferenz wählen, oder LoRA daneben</translation>
    </message>
    <message>
        <source>Keras does not quantise float16 to 8 bits</source>
        <translation>Keras quantisiert float16 nicht auf 8 Bit</translation>
    </message>
</context>
<context>
    <name>NumberLabel</name>
    <message>
        <source>{title}: {value}, {mark}</source>
        <translation>{title}: {value}, {mark}</translation>
    </message>
    <message>
        <source>Opens what this number is based on</source>
        <translation>Zeigt, worauf diese Zahl beruht</translation>
    </message>
    <message>
        <source>Between {interval}</source>
        <translation>Zwischen {interval}</translation>
    </message>
</context>
<context>
    <name>PageStack</name>
    <message>
        <source>Ctrl+{number}</source>
        <translation>Strg+{number}</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>PeakBars</name>
    <message>
        <source>Peak memory of the runs</source>
        <translation>Speicherspitzen der Läufe</translation>
    </message>
</context>
<context>
    <name>PeaksCards</name>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Peaks at each moment</source>
        <translation>Spitzen zu jedem Zeitpunkt</translation>
    </message>
    <message>
        <source>Peak until</source>
        <translation>Spitze bis</translation>
    </message>
    <message>
        <source>Which needs more is not known: fewer than two of the runs could count it.</source>
        <translation>Welcher mehr braucht, ist nicht bekannt: weniger als zwei der Läufe konnten es zählen.</translation>
    </message>
    <message>
        <source>{largest} needs most: {more} more than {smallest}.</source>
        <translation>{largest} braucht am meisten: {more} mehr als {smallest}.</translation>
    </message>
    <message>
        <source>Needed now</source>
        <translation>Jetzt benötigt</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Needed now (GiB)</source>
        <translation>Jetzt benötigt (GiB)</translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation>Speicher im Zeitverlauf</translation>
    </message>
</context>
<context>
    <name>PhaseStrip</name>
    <message>
        <source>Phases of the run</source>
        <translation>Phasen des Laufs</translation>
    </message>
    <message>
        <source>{phase} {time}</source>
        <translation>{phase} {time}</translation>
    </message>
</context>
<context>
    <name>PickPresenter</name>
    <message>
        <source>Looking through {name} …</source>
        <translation>{name} wird durchgesehen …</translation>
    </message>
    <message>
        <source>Looking through {name}: {what}</source>
        <translation>Durchsicht von {name}: {what}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files of {name} cannot be read and are left out</source>
        <translation>
            <numerusform>%Ln Datei von {name} ist nicht lesbar und wird ausgelassen</numerusform>
            <numerusform>%Ln Dateien von {name} sind nicht lesbar und werden ausgelassen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PlotCard</name>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>{title} as a table</source>
        <translation>{title} als Tabelle</translation>
    </message>
    <message>
        <source>More about {title}</source>
        <translation>Mehr zu {title}</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Save as picture (PNG) …</source>
        <translation>Als Bild speichern (PNG) …</translation>
    </message>
    <message>
        <source>Save as drawing (SVG) …</source>
        <translation>Als Zeichnung speichern (SVG) …</translation>
    </message>
    <message>
        <source>Save the data (CSV) …</source>
        <translation>Daten speichern (CSV) …</translation>
    </message>
    <message>
        <source>{title}, table</source>
        <translation>{title}, Tabelle</translation>
    </message>
    <message>
        <source>Save “{title}”</source>
        <translation>„{title}“ speichern</translation>
    </message>
    <message>
        <source>This file cannot be written: {path}</source>
        <translation>Diese Datei lässt sich nicht schreiben: {path}</translation>
    </message>
</context>
<context>
    <name>PriceDialog</name>
    <message>
        <source>Your own price</source>
        <translation>Ihr eigener Preis</translation>
    </message>
    <message>
        <source>In place of {price} of {date}</source>
        <translation>Statt {price} vom {date}</translation>
    </message>
    <message>
        <source>Price of an hour</source>
        <translation>Preis einer Stunde</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>Preis</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>Day of the price</source>
        <translation>Tag des Preises</translation>
    </message>
    <message>
        <source>Kept in a table of your own, which you can edit and delete.</source>
        <translation>Wird in einer eigenen Tabelle aufbewahrt, die Sie bearbeiten und löschen können.</translation>
    </message>
    <message>
        <source>Use this price</source>
        <translation>Diesen Preis verwenden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>ProfileCards</name>
    <message>
        <source>Memory over time</source>
        <translation>Speicher im Zeitverlauf</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Needed now</source>
        <translation>Jetzt benötigt</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Process in RAM</source>
        <translation>Prozess im RAM</translation>
    </message>
    <message>
        <source>Driver sees</source>
        <translation>Treiber sieht</translation>
    </message>
    <message>
        <source>Memory over the profiled step</source>
        <translation>Speicher im aufgezeichneten Schritt</translation>
    </message>
    <message>
        <source>Share of the step</source>
        <translation>Anteil am Schritt</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>Benutzt</translation>
    </message>
    <message>
        <source>Layers at the peak of the profiled step</source>
        <translation>Schichten an der Spitze des aufgezeichneten Schritts</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Zeitanteil</translation>
    </message>
    <message>
        <source>{mark} {size} in {operation}, {held} held by the allocator</source>
        <translation>{mark} {size} in {operation}, {held} vom Allokator belegt</translation>
    </message>
    <message>
        <source>an unnamed operation</source>
        <translation>einer unbenannten Operation</translation>
    </message>
    <message>
        <source>needed, peak</source>
        <translation>benötigt, Spitze</translation>
    </message>
    <message>
        <source>needed now</source>
        <translation>jetzt benötigt</translation>
    </message>
    <message>
        <source>held</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>driver sees</source>
        <translation>Treiber sieht</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>Share of the step (%)</source>
        <translation>Anteil am Schritt (%)</translation>
    </message>
</context>
<context>
    <name>RecommendationCard</name>
    <message>
        <source>Recommendation {rank}: {title}</source>
        <translation>Empfehlung {rank}: {title}</translation>
    </message>
    <message>
        <source>In a program of your own: {how}</source>
        <translation>In einem eigenen Programm: {how}</translation>
    </message>
    <message>
        <source>Same training result</source>
        <translation>Gleiches Trainingsergebnis</translation>
    </message>
    <message>
        <source>Changes the training result</source>
        <translation>Ändert das Trainingsergebnis</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Kostenlos</translation>
    </message>
    <message>
        <source>At most {gain} as fast</source>
        <translation>Höchstens {gain} so schnell</translation>
    </message>
    <message>
        <source>Measured: {outcome}</source>
        <translation>Gemessen: {outcome}</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation>Eine Epoche</translation>
    </message>
    <message>
        <source>becomes</source>
        <translation>wird zu</translation>
    </message>
    <message>
        <source>{what} afterwards</source>
        <translation>{what} danach</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Try: {title}</source>
        <translation>Anwenden: {title}</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Nachmessen</translation>
    </message>
    <message>
        <source>Verify by a short run: {title}</source>
        <translation>Durch einen kurzen Lauf nachmessen: {title}</translation>
    </message>
    <message>
        <source>Put this change into the form</source>
        <translation>Diese Änderung ins Formular übernehmen</translation>
    </message>
    <message>
        <source>Run a short benchmark with this change</source>
        <translation>Mit dieser Änderung kurz messen</translation>
    </message>
</context>
<context>
    <name>ResultCard</name>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele pro Sekunde</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation>Eine Epoche</translation>
    </message>
    <message>
        <source>What else was measured</source>
        <translation>Was noch gemessen wurde</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Angabe</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>{title}, run {number}</source>
        <translation>{title}, Lauf {number}</translation>
    </message>
    <message numerus="yes">
        <source>{title}, run {number}, %Ln steps counted, it waits for {what}</source>
        <translation>
            <numerusform>{title}, Lauf {number}, %Ln Schritt gezählt, es wartet auf {what}</numerusform>
            <numerusform>{title}, Lauf {number}, %Ln Schritte gezählt, es wartet auf {what}</numerusform>
        </translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Estimated before</source>
        <translation>Vorher geschätzt</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Estimate off by</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittdauer</translation>
    </message>
    <message>
        <source>Peak memory of the training</source>
        <translation>Speicherspitze des Trainings</translation>
    </message>
    <message>
        <source>{what}, estimated</source>
        <translation>{what}, geschätzt</translation>
    </message>
    <message>
        <source>{what}, measured</source>
        <translation>{what}, gemessen</translation>
    </message>
</context>
<context>
    <name>RunDetailsView</name>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note on this run</source>
        <translation>Notiz zu diesem Lauf</translation>
    </message>
    <message>
        <source>What you want to remember about this run</source>
        <translation>Was Sie sich zu diesem Lauf merken wollen</translation>
    </message>
    <message>
        <source>Use this workload</source>
        <translation>Aufgabe übernehmen</translation>
    </message>
    <message>
        <source>Put this run&apos;s workload into the form</source>
        <translation>Die Aufgabe dieses Laufs ins Formular übernehmen</translation>
    </message>
    <message>
        <source>While it ran</source>
        <translation>Verlauf des Laufs</translation>
    </message>
    <message>
        <source>Everything about this run</source>
        <translation>Alles über diesen Lauf</translation>
    </message>
    <message>
        <source>Facts of the run</source>
        <translation>Angaben zum Lauf</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Angabe</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Was sich unterscheidet</translation>
    </message>
    <message>
        <source>Runs side by side, only what differs</source>
        <translation>Läufe nebeneinander, nur Unterschiede</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Step time (ms)</source>
        <translation>Schrittdauer (ms)</translation>
    </message>
    <message>
        <source>Step times</source>
        <translation>Schrittdauern</translation>
    </message>
</context>
<context>
    <name>RunsPage</name>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>How good the predictions were</source>
        <translation>Wie gut die Vorhersagen waren</translation>
    </message>
    <message>
        <source>Runs on this machine</source>
        <translation>Eigene Läufe</translation>
    </message>
    <message>
        <source>Filter by model, data, device, note …</source>
        <translation>Läufe filtern …</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare the selected runs</source>
        <translation>Ausgewählte Läufe vergleichen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete the selected runs</source>
        <translation>Ausgewählte Läufe löschen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save the selected runs</source>
        <translation>Gewählte Läufe speichern</translation>
    </message>
    <message>
        <source>Report (HTML) …</source>
        <translation>Bericht (HTML) …</translation>
    </message>
    <message>
        <source>Report (PDF) …</source>
        <translation>Bericht (PDF) …</translation>
    </message>
    <message>
        <source>Report (Markdown) …</source>
        <translation>Bericht (Markdown) …</translation>
    </message>
    <message>
        <source>Everything (JSON) …</source>
        <translation>Alles (JSON) …</translation>
    </message>
    <message>
        <source>Save runs</source>
        <translation>Läufe speichern</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>List of runs</source>
        <translation>Liste der Läufe</translation>
    </message>
    <message numerus="yes">
        <source>Of your last %Ln runs, {inside} lay inside the interval.</source>
        <translation>
            <numerusform>Von Ihrem letzten %Ln Lauf lag {inside} im Intervall.</numerusform>
            <numerusform>Von Ihren letzten %Ln Läufen lagen {inside} im Intervall.</numerusform>
        </translation>
    </message>
    <message>
        <source>Error of the memory: {median}.</source>
        <translation>Fehler beim Speicher: {median}.</translation>
    </message>
    <message>
        <source>Error of the time: {median}.</source>
        <translation>Fehler bei der Zeit: {median}.</translation>
    </message>
    <message>
        <source>Memory: median error {median}, largest {worst} in run {run} ({model}).</source>
        <translation>Speicher: mittlerer Fehler (Median) {median}, größter {worst} in Lauf {run} ({model}).</translation>
    </message>
    <message>
        <source>Time: median error {median}, largest {worst} in run {run} ({model}).</source>
        <translation>Zeit: mittlerer Fehler (Median) {median}, größter {worst} in Lauf {run} ({model}).</translation>
    </message>
    <message>
        <source>Reading the history …</source>
        <translation>Der Verlauf wird gelesen …</translation>
    </message>
    <message>
        <source>No run matches “{text}”.</source>
        <translation>Kein Lauf passt zu „{text}“.</translation>
    </message>
    <message>
        <source>No run yet. Press Ctrl+R to measure the present workload for a few seconds.</source>
        <translation>Noch kein Lauf. Strg+R misst die jetzige Aufgabe einige Sekunden lang.</translation>
    </message>
</context>
<context>
    <name>RunsPresenter</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message numerus="yes">
        <source>Deleted %Ln runs</source>
        <translation>
            <numerusform>%Ln Lauf gelöscht</numerusform>
            <numerusform>%Ln Läufe gelöscht</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved {name}</source>
        <translation>{name} gespeichert</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>The form now holds the workload of run {number}</source>
        <translation>Das Formular zeigt jetzt die Aufgabe von Lauf {number}</translation>
    </message>
</context>
<context>
    <name>RuntimeDialog</name>
    <message>
        <source>Which Python trains</source>
        <translation>Welches Python trainiert</translation>
    </message>
    <message>
        <source>Training needs Keras with TensorFlow, JAX or PyTorch</source>
        <translation>Zum Trainieren braucht es Keras mit TensorFlow, JAX oder PyTorch</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>What is in it</source>
        <translation>Was darin ist</translation>
    </message>
    <message>
        <source>Where it lies</source>
        <translation>Wo es liegt</translation>
    </message>
    <message>
        <source>Pythons on this machine</source>
        <translation>Pythons auf diesem Rechner</translation>
    </message>
    <message>
        <source>Making a Python that can train</source>
        <translation>Ein Python zum Trainieren wird angelegt</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Make one with TensorFlow</source>
        <translation>Eines mit TensorFlow anlegen</translation>
    </message>
    <message>
        <source>Train with this Python</source>
        <translation>Mit diesem Python trainieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>{version} · in use</source>
        <translation>{version} · in Gebrauch</translation>
    </message>
    <message>
        <source>Looking for Pythons on this machine …</source>
        <translation>Suche nach Pythons auf diesem Rechner …</translation>
    </message>
    <message>
        <source>None of them can train. This program can make one: it downloads about 700 MB, with NVIDIA&apos;s libraries 3 GB, into your data folder. Networks of the catalog are estimated without one.</source>
        <translation>Keines davon kann trainieren. Dieses Programm kann eines anlegen: Es lädt etwa 700 MB, mit den Bibliotheken von NVIDIA 3 GB, in Ihren Datenordner. Netze des Katalogs werden auch ohne geschätzt.</translation>
    </message>
    <message>
        <source>Choose the Python that traces models and trains, such as a training environment of yours.</source>
        <translation>Wählen Sie das Python, das Modelle einliest und trainiert, etwa Ihre eigene Trainingsumgebung.</translation>
    </message>
</context>
<context>
    <name>RuntimeFields</name>
    <message>
        <source>Framework below Keras</source>
        <translation>Framework unter Keras</translation>
    </message>
    <message>
        <source>Python that trains</source>
        <translation>Python zum Trainieren</translation>
    </message>
    <message>
        <source>Threads of the processor</source>
        <translation>Threads des Prozessors</translation>
    </message>
    <message>
        <source>one for each core</source>
        <translation>einer je Kern</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>this program&apos;s own</source>
        <translation>das eigene</translation>
    </message>
    <message>
        <source>find or make one …</source>
        <translation>suchen oder anlegen …</translation>
    </message>
    <message>
        <source>another file …</source>
        <translation>eine andere Datei …</translation>
    </message>
    <message>
        <source>The Python that this program itself runs in</source>
        <translation>Das Python, in dem dieses Programm selbst läuft</translation>
    </message>
    <message>
        <source>{framework}, not installed</source>
        <translation>{framework}, nicht installiert</translation>
    </message>
    <message>
        <source>Which Python shall train?</source>
        <translation>Welches Python soll trainieren?</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>as the desktop</source>
        <translation>wie der Desktop</translation>
    </message>
    <message>
        <source>light</source>
        <translation>hell</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>dunkel</translation>
    </message>
    <message>
        <source>high contrast</source>
        <translation>hoher Kontrast</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Seconds that a benchmark measures</source>
        <translation>Sekunden, die gemessen wird</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Sizes of memory</source>
        <translation>Speichergrößen</translation>
    </message>
    <message>
        <source>This changes when the program is started again.</source>
        <translation>Das ändert sich, wenn das Programm neu gestartet wird.</translation>
    </message>
    <message>
        <source>A benchmark measures for</source>
        <translation>Dauer einer Messung</translation>
    </message>
    <message>
        <source>Nothing leaves this machine: no telemetry, no network.</source>
        <translation>Nichts verlässt diesen Rechner: keine Telemetrie, kein Netz.</translation>
    </message>
</context>
<context>
    <name>SettingsMore</name>
    <message>
        <source>Memory that a benchmark leaves to other programs</source>
        <translation>Speicher, den eine Messung anderen Programmen lässt</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>10 %, at least 1 GiB</source>
        <translation>10 %, mindestens 1 GiB</translation>
    </message>
    <message>
        <source>A benchmark leaves free</source>
        <translation>Eine Messung lässt frei</translation>
    </message>
    <message>
        <source>Price of a kilowatt hour</source>
        <translation>Preis einer Kilowattstunde</translation>
    </message>
    <message>
        <source>as in the price table</source>
        <translation>wie in der Preistabelle</translation>
    </message>
    <message>
        <source>A kilowatt hour costs</source>
        <translation>Eine Kilowattstunde kostet</translation>
    </message>
    <message>
        <source>Find or make a Python …</source>
        <translation>Python suchen oder anlegen …</translation>
    </message>
    <message>
        <source>Python that trains</source>
        <translation>Python zum Trainieren</translation>
    </message>
    <message>
        <source>Tables of your own</source>
        <translation>Eigene Tabellen</translation>
    </message>
    <message>
        <source>KEPT TO ANSWER FASTER</source>
        <translation>AUFBEWAHRT, UM SCHNELLER ZU ANTWORTEN</translation>
    </message>
    <message>
        <source>Kept to answer faster</source>
        <translation>Aufbewahrt, um schneller zu antworten</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Most that is kept</source>
        <translation>Höchstmenge, die aufbewahrt wird</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear what is kept to answer faster</source>
        <translation>Leeren, was aufbewahrt ist, um schneller zu antworten</translation>
    </message>
    <message>
        <source>Clear {size}</source>
        <translation>{size} leeren</translation>
    </message>
    <message>
        <source>Nothing to clear</source>
        <translation>Nichts zu leeren</translation>
    </message>
</context>
<context>
    <name>ShareBar</name>
    <message>
        <source>Where the time of a step goes</source>
        <translation>Wohin die Zeit eines Schritts geht</translation>
    </message>
    <message>
        <source>{what} {percent} %</source>
        <translation>{what} {percent} %</translation>
    </message>
</context>
<context>
    <name>SimulateDialog</name>
    <message>
        <source>Simulate other hardware</source>
        <translation>Andere Hardware simulieren</translation>
    </message>
    <message>
        <source>See the answer for hardware you do not have. Esc in the window returns to this machine.</source>
        <translation>Die Antwort für Hardware sehen, die Sie nicht haben. Esc im Fenster führt zu diesem Rechner zurück.</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>as in this machine</source>
        <translation>wie in diesem Rechner</translation>
    </message>
    <message>
        <source>{size} GiB</source>
        <translation>{size} GiB</translation>
    </message>
    <message>
        <source>Memory (RAM)</source>
        <translation>Arbeitsspeicher (RAM)</translation>
    </message>
    <message>
        <source>{name}, {rate} MB/s</source>
        <translation>{name}, {rate} MB/s</translation>
    </message>
    <message>
        <source>Disk with the data</source>
        <translation>Platte mit den Daten</translation>
    </message>
    <message>
        <source>Back to this machine</source>
        <translation>Zurück zu diesem Rechner</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
</context>
<context>
    <name>StatusStrip</name>
    <message>
        <source>✓ measured here   ≈ scaled from your run   ~ predicted</source>
        <translation>✓ hier gemessen   ≈ aus Ihrem Lauf umgerechnet   ~ vorhergesagt</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel what is running</source>
        <translation>Laufendes abbrechen</translation>
    </message>
    <message>
        <source>Cancel (Esc)</source>
        <translation>Abbrechen (Esc)</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>Will It Train?</source>
        <translation>Will It Train?</translation>
    </message>
    <message>
        <source>Find …   Ctrl+K</source>
        <translation>Suchen …   Strg+K</translation>
    </message>
    <message>
        <source>Find models, pages and actions</source>
        <translation>Modelle, Seiten und Aktionen suchen</translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation>Zwischen hell und dunkel wechseln</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>UpgradesPage</name>
    <message>
        <source>Upgrades</source>
        <translation>Aufrüsten</translation>
    </message>
    <message>
        <source>Upgrade</source>
        <translation>Aufrüstung</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>Größter Batch</translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation>Eine Epoche</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>Preis</translation>
    </message>
    <message>
        <source>Cost against time</source>
        <translation>Kosten gegen Zeit</translation>
    </message>
    <message>
        <source>cheap and quick lies below on the left; a click selects</source>
        <translation>günstig und schnell liegt unten links; ein Klick wählt aus</translation>
    </message>
    <message>
        <source>Filter by name …</source>
        <translation>Nach Namen filtern …</translation>
    </message>
    <message>
        <source>Filter upgrades</source>
        <translation>Aufrüstungen filtern</translation>
    </message>
    <message>
        <source>Kind of upgrade</source>
        <translation>Art der Aufrüstung</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>Only what fits</source>
        <translation>Nur was passt</translation>
    </message>
    <message>
        <source>Only what is worth it</source>
        <translation>Nur was sich lohnt</translation>
    </message>
    <message>
        <source>Price of</source>
        <translation>Preis vom</translation>
    </message>
    <message>
        <source>Pays off after</source>
        <translation>Lohnt sich nach</translation>
    </message>
    <message>
        <source>All epochs</source>
        <translation>Alle Epochen</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Between</source>
        <translation>Zwischen</translation>
    </message>
    <message>
        <source>Change the price …</source>
        <translation>Preis ändern …</translation>
    </message>
    <message>
        <source>Training waits for {what}, so only what speeds that up helps.</source>
        <translation>Das Training wartet auf {what}; nur was das beschleunigt, hilft.</translation>
    </message>
    <message>
        <source>{shown} of {all}</source>
        <translation>{shown} von {all}</translation>
    </message>
    <message>
        <source>At most {gain} as fast.</source>
        <translation>Höchstens {gain} so schnell.</translation>
    </message>
    <message>
        <source>One epoch: {time} ({interval}).</source>
        <translation>Eine Epoche: {time} ({interval}).</translation>
    </message>
    <message>
        <source>{price}, price of {date}.</source>
        <translation>{price}, Preis vom {date}.</translation>
    </message>
    <message>
        <source>All epochs: {time}.</source>
        <translation>Alle Epochen: {time}.</translation>
    </message>
    <message>
        <source>Energy of the card: at most {energy}.</source>
        <translation>Energie der Karte: höchstens {energy}.</translation>
    </message>
    <message>
        <source>It costs as much as {time} of renting.</source>
        <translation>Der Kauf kostet so viel wie {time} Miete.</translation>
    </message>
    <message>
        <source>What to buy or rent, most useful first</source>
        <translation>Was zu kaufen oder zu mieten ist, das Nützlichste zuerst</translation>
    </message>
    <message>
        <source>Comparing hardware …</source>
        <translation>Hardware wird verglichen …</translation>
    </message>
    <message>
        <source>No hardware in the tables would help this workload</source>
        <translation>Keine Hardware der Tabellen würde dieser Aufgabe helfen</translation>
    </message>
    <message>
        <source>Upgrades appear here once the model is known</source>
        <translation>Aufrüstungen erscheinen hier, sobald das Modell bekannt ist</translation>
    </message>
    <message>
        <source>Price, or rent of one training</source>
        <translation>Preis, oder Miete für ein Training</translation>
    </message>
    <message>
        <source>this machine as it is</source>
        <translation>dieser Rechner, wie er ist</translation>
    </message>
    <message>
        <source>Choose a row to see why it helps or not.</source>
        <translation>Eine Zeile wählen, um zu sehen, warum sie hilft oder nicht.</translation>
    </message>
    <message>
        <source>There is no more to say about it.</source>
        <translation>Mehr ist dazu nicht zu sagen.</translation>
    </message>
</context>
<context>
    <name>VerdictHeader</name>
    <message>
        <source>Memory needed</source>
        <translation>Benötigter Speicher</translation>
    </message>
    <message>
        <source>Measure to be sure</source>
        <translation>Zur Sicherheit messen</translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation>Eine Epoche</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>Ganzes Training</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>Größter Batch</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Measure again · {seconds} s</source>
        <translation>Erneut messen · {seconds} s</translation>
    </message>
    <message>
        <source>Measure to be sure · {seconds} s</source>
        <translation>Zur Sicherheit messen · {seconds} s</translation>
    </message>
    <message numerus="yes">
        <source>Measure again, about %Ln seconds</source>
        <translation>
            <numerusform>Erneut messen, etwa %Ln Sekunde</numerusform>
            <numerusform>Erneut messen, etwa %Ln Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Measure to be sure, about %Ln seconds</source>
        <translation>
            <numerusform>Zur Sicherheit messen, etwa %Ln Sekunde</numerusform>
            <numerusform>Zur Sicherheit messen, etwa %Ln Sekunden</numerusform>
        </translation>
    </message>
    <message>
        <source>Only this machine itself can be measured, once the model is known</source>
        <translation>Nur dieser Rechner selbst lässt sich messen, sobald das Modell bekannt ist</translation>
    </message>
    <message>
        <source>Thinking …</source>
        <translation>Moment …</translation>
    </message>
    <message>
        <source>Looking at this machine and the model</source>
        <translation>Rechner und Modell werden angesehen</translation>
    </message>
    <message>
        <source>The memory of this model is not known</source>
        <translation>Der Speicher dieses Modells ist nicht bekannt</translation>
    </message>
    <message>
        <source>Needs {needed}; how much you can use on {device} is not known</source>
        <translation>Braucht {needed}; wie viel auf {device} nutzbar ist, ist nicht bekannt</translation>
    </message>
    <message>
        <source>The textbook formula says {needed} of the {allowed} usable on {device}</source>
        <translation>Lehrbuchformel: {needed} von {allowed} auf {device}</translation>
    </message>
    <message>
        <source>Needs {needed} of the {allowed} usable on {device}</source>
        <translation>Braucht {needed} von {allowed} auf {device}</translation>
    </message>
    <message>
        <source>Textbook formula: {needed} of the {allowed} usable</source>
        <translation>Lehrbuchformel: {needed} von {allowed}</translation>
    </message>
    <message>
        <source>Needs {needed} of the {allowed} usable</source>
        <translation>Braucht {needed} von {allowed}</translation>
    </message>
    <message>
        <source>times and speed are those with memory enough</source>
        <translation>Zeiten und Tempo gelten bei genug Speicher</translation>
    </message>
    <message>
        <source>It waits for {what} ({percent} % of a step)</source>
        <translation>Es wartet auf {what} ({percent} % eines Schritts)</translation>
    </message>
    <message>
        <source>Batch {size} would fit</source>
        <translation>Batch {size} würde passen</translation>
    </message>
    <message>
        <source>It waits for {what}</source>
        <translation>Es wartet auf {what}</translation>
    </message>
    <message numerus="yes">
        <source>%Ln epochs</source>
        <translation>
            <numerusform>%Ln Epoche</numerusform>
            <numerusform>%Ln Epochen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Wiring</name>
    <message>
        <source>The benchmark has ended</source>
        <translation>Die Messung ist zu Ende</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>{name} was edited; what is shown is of the version before</source>
        <translation>{name} wurde geändert; gezeigt wird noch die Fassung davor</translation>
    </message>
    <message>
        <source>Trace again</source>
        <translation>Neu untersuchen</translation>
    </message>
    <message>
        <source>No TensorFlow, JAX or PyTorch was found: models of your own and benchmarks need one</source>
        <translation>Weder TensorFlow noch JAX noch PyTorch gefunden: Eigene Modelle und Benchmarks brauchen eines davon</translation>
    </message>
    <message>
        <source>Find or make one</source>
        <translation>Suchen oder anlegen</translation>
    </message>
</context>
<context>
    <name>WorkloadForm</name>
    <message>
        <source>Workload</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>WORKLOAD</source>
        <translation>AUFGABE</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Open …</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Open a model file</source>
        <translation>Modelldatei öffnen</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>My own …</source>
        <translation>Eigenes …</translation>
    </message>
    <message>
        <source>Use my own data</source>
        <translation>Eigene Daten verwenden</translation>
    </message>
    <message>
        <source>Folder …</source>
        <translation>Ordner …</translation>
    </message>
    <message>
        <source>File or Python function …</source>
        <translation>Datei oder Python-Funktion …</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>XLA compilation</source>
        <translation>XLA-Kompilierung</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>XLA</source>
        <translation>XLA</translation>
    </message>
    <message>
        <source>no data chosen</source>
        <translation>keine Daten gewählt</translation>
    </message>
    <message>
        <source>Looking through {path} …</source>
        <translation>{path} wird durchgesehen …</translation>
    </message>
    <message>
        <source>Models ({patterns})</source>
        <translation>Modelle ({patterns})</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Use a folder of data</source>
        <translation>Datenordner verwenden</translation>
    </message>
    <message>
        <source>Data ({patterns})</source>
        <translation>Daten ({patterns})</translation>
    </message>
    <message>
        <source>Use a file of data</source>
        <translation>Datei mit Daten verwenden</translation>
    </message>
</context>
<context>
    <name>commands</name>
    <message>
        <source>page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>simulate</source>
        <translation>simulieren</translation>
    </message>
    <message>
        <source>Measure now</source>
        <translation>Jetzt messen</translation>
    </message>
    <message>
        <source>Simulate other hardware</source>
        <translation>Andere Hardware simulieren</translation>
    </message>
    <message>
        <source>Return to this machine</source>
        <translation>Zu diesem Rechner zurück</translation>
    </message>
    <message>
        <source>Trace the model again</source>
        <translation>Modell neu untersuchen</translation>
    </message>
    <message>
        <source>Which Python trains</source>
        <translation>Welches Python trainiert</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Find or make a Python that trains</source>
        <translation>Python zum Trainieren suchen oder anlegen</translation>
    </message>
    <message>
        <source>Copy diagnostics</source>
        <translation>Diagnose kopieren</translation>
    </message>
    <message>
        <source>Machine details</source>
        <translation>Einzelheiten des Rechners</translation>
    </message>
    <message>
        <source>action</source>
        <translation>Aktion</translation>
    </message>
</context>
<context>
    <name>sentences</name>
    <message>
        <source>, but only {1} of memory were left: most likely a memory daemon</source>
        <translation>, aber nur {1} Speicher waren übrig: sehr wahrscheinlich ein Speicherwächter</translation>
    </message>
    <message>
        <source>, labels {1}</source>
        <translation>, Label {1}</translation>
    </message>
    <message>
        <source>, no labels</source>
        <translation>, keine Label</translation>
    </message>
    <message>
        <source>, {n1} times as much</source>
        <translation>, das {n1}-Fache</translation>
    </message>
    <message>
        <source>--backend {1}</source>
        <translation>--backend {1}</translation>
    </message>
    <message>
        <source>--compare data</source>
        <translation>--compare data</translation>
    </message>
    <message>
        <source>.npz or a folder of keras.datasets</source>
        <translation>.npz oder ein Ordner von keras.datasets</translation>
    </message>
    <message>
        <source>/proc/meminfo does not tell</source>
        <translation>/proc/meminfo sagt es nicht</translation>
    </message>
    <message>
        <source>0 or more</source>
        <translation>0 oder mehr</translation>
    </message>
    <message>
        <source>1 or more</source>
        <translation>1 oder mehr</translation>
    </message>
    <message>
        <source>1 or more steps</source>
        <translation>1 oder mehr Schritte</translation>
    </message>
    <message>
        <source>1 other model</source>
        <translation>1 anderes Modell</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>1 to {1}</source>
        <translation>1 bis {1}</translation>
    </message>
    <message>
        <source>1 to {1} sides from 1 to {n2}, at most {n3} values for one sample</source>
        <translation>1 bis {1} Seiten von 1 bis {n2}, höchstens {n3} Werte für ein Beispiel</translation>
    </message>
    <message>
        <source>1 to {n1}</source>
        <translation>1 bis {n1}</translation>
    </message>
    <message>
        <source>12 bytes of framing</source>
        <translation>12 Byte Rahmen</translation>
    </message>
    <message>
        <source>16-bit sizes computed from the trace in float32</source>
        <translation>16-Bit-Größen aus der Untersuchung in float32 berechnet</translation>
    </message>
    <message>
        <source>2 per multiply-add</source>
        <translation>2 je Multiplikation mit Addition</translation>
    </message>
    <message>
        <source>2024-2025 (indicative)</source>
        <translation>2024–2025 (Richtwert)</translation>
    </message>
    <message>
        <source>2025 (indicative)</source>
        <translation>2025 (Richtwert)</translation>
    </message>
    <message>
        <source>2025-06 (indicative)</source>
        <translation>2025-06 (Richtwert)</translation>
    </message>
    <message>
        <source>2025-2026 (indicative)</source>
        <translation>2025–2026 (Richtwert)</translation>
    </message>
    <message>
        <source>224 or 480x640 (height x width)</source>
        <translation>224 oder 480x640 (Höhe x Breite)</translation>
    </message>
    <message>
        <source>300-500 MB, differs by card</source>
        <translation>300–500 MB, je nach Karte</translation>
    </message>
    <message>
        <source>: the card was busy {n1} % of the time, the processor {n2} %</source>
        <translation>: die Karte war {n1} % der Zeit beschäftigt, der Prozessor {n2} %</translation>
    </message>
    <message>
        <source>; --profile does it all the same</source>
        <translation>; --profile tut es trotzdem</translation>
    </message>
    <message>
        <source>; expected {1}</source>
        <translation>; erwartet {1}</translation>
    </message>
    <message>
        <source>; received {1}</source>
        <translation>; erhalten {1}</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>All need the same: {n1}.</source>
        <translation>Alle brauchen dasselbe: {n1}.</translation>
    </message>
    <message>
        <source>Apple silicon does not tell its clock</source>
        <translation>Apple Silicon nennt seinen Takt nicht</translation>
    </message>
    <message>
        <source>Batch size {1}</source>
        <translation>Batchgröße {1}</translation>
    </message>
    <message>
        <source>Batch size {1}, accumulated over {n2} steps</source>
        <translation>Batchgröße {1}, über {n2} Schritte akkumuliert</translation>
    </message>
    <message>
        <source>Batch size {1}, the largest that fits</source>
        <translation>Batchgröße {1}, die größte, die passt</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>CPU against GPU comparison of 2019, 58,091,396 parameters</source>
        <translation>Vergleich CPU gegen GPU von 2019, 58.091.396 Parameter</translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES {1}, which hides all cards</source>
        <translation>CUDA_VISIBLE_DEVICES {1}, was alle Karten verbirgt</translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES={1} leaves this card out</source>
        <translation>CUDA_VISIBLE_DEVICES={1} lässt diese Karte aus</translation>
    </message>
    <message>
        <source>Cache the decoded data in RAM</source>
        <translation>Die dekodierten Daten im RAM puffern</translation>
    </message>
    <message>
        <source>Cache the decoded data on disk</source>
        <translation>Die dekodierten Daten auf der Platte puffern</translation>
    </message>
    <message>
        <source>Caches L1d / L2 / L3</source>
        <translation>Caches L1d / L2 / L3</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Cannot tell</source>
        <translation>Unklar</translation>
    </message>
    <message>
        <source>Card</source>
        <translation>Karte</translation>
    </message>
    <message>
        <source>Card {1}</source>
        <translation>Karte {1}</translation>
    </message>
    <message>
        <source>Close what holds memory of the card</source>
        <translation>Schließen, was Speicher der Karte belegt</translation>
    </message>
    <message>
        <source>Cloud</source>
        <translation>Cloud</translation>
    </message>
    <message>
        <source>Compile with XLA</source>
        <translation>Mit XLA kompilieren</translation>
    </message>
    <message>
        <source>Compute capability</source>
        <translation>Compute Capability</translation>
    </message>
    <message>
        <source>Cores, physical / logical</source>
        <translation>Kerne, physisch / logisch</translation>
    </message>
    <message>
        <source>Crashed</source>
        <translation>Abgestürzt</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Disk {1}</source>
        <translation>Platte {1}</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>Treiber</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>European Union</source>
        <translation>Europäische Union</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Failed getting HLO text: &apos;</source>
        <translation>Failed getting HLO text: &apos;</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Float32</source>
        <translation>Float32</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>Freeze all layers but the last, {1}</source>
        <translation>Alle Schichten außer der letzten einfrieren: {1} lernt weiter</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU {1}</source>
        <translation>GPU {1}</translation>
    </message>
    <message>
        <source>Germany</source>
        <translation>Deutschland</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Hodges-Lehmann estimate and 95 % signed-rank interval of the log ratio of paired rounds</source>
        <translation>Hodges-Lehmann-Schätzer und 95-%-Intervall (Vorzeichen-Rang-Test) der logarithmierten Verhältnisse gepaarter Runden</translation>
    </message>
    <message>
        <source>Holds VRAM: {1}</source>
        <translation>Belegt VRAM: {1}</translation>
    </message>
    <message>
        <source>In use system memory</source>
        <translation>In use system memory</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Input batch</source>
        <translation>Eingabe-Batch</translation>
    </message>
    <message>
        <source>Intel&apos;s driver tells it only through performance counters</source>
        <translation>Intels Treiber sagt es nur über Leistungszähler</translation>
    </message>
    <message>
        <source>Intel&apos;s driver tells the use of its memory only to root</source>
        <translation>Intels Treiber nennt die Nutzung seines Speichers nur root</translation>
    </message>
    <message>
        <source>Intel&apos;s integrated graphics</source>
        <translation>Intels integrierte Grafik</translation>
    </message>
    <message>
        <source>JAX compiles the step with the same compiler as TensorFlow&apos;s XLA; followed from TensorFlow&apos;s graph, not from a compilation by JAX</source>
        <translation>JAX kompiliert den Schritt mit demselben Compiler wie XLA in TensorFlow; verfolgt an TensorFlows Graph, nicht an einer Kompilierung durch JAX</translation>
    </message>
    <message>
        <source>JAX takes at most</source>
        <translation>JAX nimmt höchstens</translation>
    </message>
    <message>
        <source>JAX&apos;s allocator (memory_stats), highest since the process began: JAX cannot reset its peak</source>
        <translation>Allokator von JAX (memory_stats), höchster Wert seit Prozessbeginn: JAX kann seine Spitze nicht zurücksetzen</translation>
    </message>
    <message>
        <source>JAX_PLATFORMS={1} leaves cards out</source>
        <translation>JAX_PLATFORMS={1} lässt Karten aus</translation>
    </message>
    <message>
        <source>JPEG, PNG, BMP, GIF or WebP files</source>
        <translation>Dateien in JPEG, PNG, BMP, GIF oder WebP</translation>
    </message>
    <message>
        <source>Keras cannot quantise this model</source>
        <translation>Keras kann dieses Modell nicht quantisieren</translation>
    </message>
    <message>
        <source>Keras does not quantise a float16 model to int8</source>
        <translation>Keras quantisiert ein float16-Modell nicht auf int8</translation>
    </message>
    <message>
        <source>Keras refuses more than one</source>
        <translation>Keras lehnt mehr als eine ab</translation>
    </message>
    <message>
        <source>Keras was told to use another framework</source>
        <translation>Keras wurde angewiesen, ein anderes Framework zu nutzen</translation>
    </message>
    <message>
        <source>LoRA of rank {1} in {2}; trained with it: {3}; everything else is frozen</source>
        <translation>LoRA vom Rang {1} in {2}; mit trainiert: {3}; alles andere ist eingefroren</translation>
    </message>
    <message>
        <source>LoRA rank {1}</source>
        <translation>LoRA-Rang {1}</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory and batch size (predicted)</source>
        <translation>Speicher und Batchgröße (vorhergesagt)</translation>
    </message>
    <message>
        <source>Memory bandwidth</source>
        <translation>Speicherbandbreite</translation>
    </message>
    <message>
        <source>Memory held</source>
        <translation>Belegter Speicher</translation>
    </message>
    <message>
        <source>Memory in one step (predicted)</source>
        <translation>Speicher in einem Schritt (vorhergesagt)</translation>
    </message>
    <message>
        <source>Memory needed</source>
        <translation>Benötigter Speicher</translation>
    </message>
    <message>
        <source>Memory seen</source>
        <translation>Vom Treiber gesehen</translation>
    </message>
    <message>
        <source>Memory while it ran (measured)</source>
        <translation>Speicher während des Laufs (gemessen)</translation>
    </message>
    <message>
        <source>Microarchitecture</source>
        <translation>Mikroarchitektur</translation>
    </message>
    <message>
        <source>Mixed precision ({1})</source>
        <translation>Gemischte Genauigkeit ({1})</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>NVIDIA driver: {1}</source>
        <translation>NVIDIA-Treiber: {1}</translation>
    </message>
    <message>
        <source>NVML</source>
        <translation>NVML</translation>
    </message>
    <message>
        <source>Not available: {1}</source>
        <translation>Nicht verfügbar: {1}</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Nothing to gain: {1}.</source>
        <translation>Nichts zu gewinnen: {1}.</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>Speicher reichte nicht</translation>
    </message>
    <message>
        <source>PCIe</source>
        <translation>PCIe</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Peaks of memory</source>
        <translation>Spitzen des Speichers</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Plug in the laptop</source>
        <translation>Das Notebook ans Netz anschließen</translation>
    </message>
    <message>
        <source>Process in RAM</source>
        <translation>Prozess im RAM</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>PyTorch&apos;s caching allocator (max_memory_allocated)</source>
        <translation>PyTorchs Allokator mit Puffer (max_memory_allocated)</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>RAM free of total</source>
        <translation>RAM frei von gesamt</translation>
    </message>
    <message>
        <source>RAM limit of the container</source>
        <translation>RAM-Grenze des Containers</translation>
    </message>
    <message>
        <source>RAM type and speed</source>
        <translation>RAM-Art und -Takt</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Ausgelesen</translation>
    </message>
    <message>
        <source>Recompute activations (remat)</source>
        <translation>Aktivierungen neu berechnen (Remat)</translation>
    </message>
    <message>
        <source>Rent instead of waiting</source>
        <translation>Mieten statt warten</translation>
    </message>
    <message>
        <source>Run {1} {2}, batch {n3}</source>
        <translation>Lauf {1} {2}, Batch {n3}</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>Something in this program is broken</source>
        <translation>Etwas in diesem Programm ist kaputt</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Step time (measured)</source>
        <translation>Schrittzeit (gemessen)</translation>
    </message>
    <message>
        <source>Stream the data instead of holding it as one array</source>
        <translation>Die Daten strömen lassen, statt sie als ein Array zu halten</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>Erfolgreich</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Auslagerungsspeicher</translation>
    </message>
    <message>
        <source>Switch XLA off</source>
        <translation>XLA ausschalten</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>TensorFlow itself</source>
        <translation>TensorFlow selbst</translation>
    </message>
    <message>
        <source>TensorFlow&apos;s allocator (get_memory_info)</source>
        <translation>TensorFlows Allokator (get_memory_info)</translation>
    </message>
    <message>
        <source>TensorFlow&apos;s step</source>
        <translation>TensorFlows Schritt</translation>
    </message>
    <message>
        <source>The advice stands on {1}.</source>
        <translation>Grundlage der Empfehlungen: {1}.</translation>
    </message>
    <message>
        <source>The program stopped working on this without saying why</source>
        <translation>Das Programm hörte damit auf, ohne zu sagen, warum</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>Knapp</translation>
    </message>
    <message>
        <source>United States</source>
        <translation>USA</translation>
    </message>
    <message>
        <source>Usable cores</source>
        <translation>Nutzbare Kerne</translation>
    </message>
    <message>
        <source>VRAM</source>
        <translation>VRAM</translation>
    </message>
    <message>
        <source>Vector units</source>
        <translation>Vektoreinheiten</translation>
    </message>
    <message>
        <source>WSL</source>
        <translation>WSL</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>What helps: {1}</source>
        <translation>Was hilft: {1}</translation>
    </message>
    <message>
        <source>What if images were {1}×{2} instead of {3}×{4}</source>
        <translation>Was wäre, wenn die Bilder {1}×{2} statt {3}×{4} groß wären</translation>
    </message>
    <message>
        <source>What if it had {1} instead of {n2}</source>
        <translation>Was wäre, wenn es {1} statt {n2} hätte</translation>
    </message>
    <message>
        <source>What if sequences were {1} long instead of {2}</source>
        <translation>Was wäre, wenn die Sequenzen {1} statt {2} lang wären</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Where it happened: {1}</source>
        <translation>Wo es geschah: {1}</translation>
    </message>
    <message>
        <source>Which needs more memory is not known: fewer than two of the runs could count it.</source>
        <translation>Wer mehr Speicher braucht, ist nicht bekannt: weniger als zwei der Läufe konnten ihn zählen.</translation>
    </message>
    <message>
        <source>Will it train? Run {1}: {2}</source>
        <translation>Will It Train? Lauf {1}: {2}</translation>
    </message>
    <message>
        <source>Windows does not tell</source>
        <translation>Windows sagt es nicht</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitspuffer</translation>
    </message>
    <message>
        <source>Written by Will It Train? {1} on {2}.</source>
        <translation>Geschrieben von Will It Train? {1} am {2}.</translation>
    </message>
    <message>
        <source>XLA cannot compile this model</source>
        <translation>XLA kann dieses Modell nicht kompilieren</translation>
    </message>
    <message>
        <source>XLA compiles the step; its temporaries are estimated from the graph, not from a compilation</source>
        <translation>XLA kompiliert den Schritt; seine Zwischenwerte sind aus dem Graphen geschätzt, nicht aus einer Kompilierung</translation>
    </message>
    <message>
        <source>XLA is {1}, as Keras&apos;s auto decides on this device</source>
        <translation>XLA ist {1}, wie „auto“ in Keras auf diesem Gerät entscheidet</translation>
    </message>
    <message>
        <source>XLA&apos;s own plan of the step&apos;s memory for batch {1}</source>
        <translation>XLAs eigener Speicherplan des Schritts für Batch {1}</translation>
    </message>
    <message>
        <source>XLA&apos;s plan of the compiled step (memory_analysis): arguments + new results + temporaries</source>
        <translation>XLAs Plan des kompilierten Schritts (memory_analysis): Argumente + neue Ergebnisse + Zwischenwerte</translation>
    </message>
    <message>
        <source>XLA_PYTHON_CLIENT_MEM_FRACTION</source>
        <translation>XLA_PYTHON_CLIENT_MEM_FRACTION</translation>
    </message>
    <message>
        <source>`bench --profile` records one; the newest {1} are kept</source>
        <translation>`bench --profile` zeichnet eine auf; die neuesten {1} werden aufbewahrt</translation>
    </message>
    <message>
        <source>`willittrain doctor` says what is missing</source>
        <translation>`willittrain doctor` sagt, was fehlt</translation>
    </message>
    <message>
        <source>`willittrain doctor` says why a card cannot be used</source>
        <translation>`willittrain doctor` sagt, warum eine Karte nicht nutzbar ist</translation>
    </message>
    <message>
        <source>`willittrain models` lists all</source>
        <translation>`willittrain models` listet alle auf</translation>
    </message>
    <message>
        <source>`willittrain runs` lists them</source>
        <translation>`willittrain runs` listet sie auf</translation>
    </message>
    <message>
        <source>a .keras file</source>
        <translation>eine .keras-Datei</translation>
    </message>
    <message>
        <source>a .keras file (a zip)</source>
        <translation>eine .keras-Datei (ein Zip)</translation>
    </message>
    <message>
        <source>a .keras, .h5 or .json file</source>
        <translation>eine .keras-, .h5- oder .json-Datei</translation>
    </message>
    <message>
        <source>a JSON object</source>
        <translation>ein JSON-Objekt</translation>
    </message>
    <message>
        <source>a Keras .h5 file</source>
        <translation>eine Keras-Datei .h5</translation>
    </message>
    <message>
        <source>a Keras model in JSON</source>
        <translation>ein Keras-Modell in JSON</translation>
    </message>
    <message>
        <source>a NumPy .npz file</source>
        <translation>eine NumPy-Datei .npz</translation>
    </message>
    <message>
        <source>a Python file</source>
        <translation>eine Python-Datei</translation>
    </message>
    <message>
        <source>a Python interpreter</source>
        <translation>ein Python-Interpreter</translation>
    </message>
    <message>
        <source>a SavedModel folder has no Keras layers to look at</source>
        <translation>ein SavedModel-Ordner hat keine Keras-Schichten, die man ansehen könnte</translation>
    </message>
    <message>
        <source>a TFRecord file</source>
        <translation>eine TFRecord-Datei</translation>
    </message>
    <message>
        <source>a batch of nothing, or one that was not run</source>
        <translation>ein leerer Batch, oder einer, der nicht gelaufen ist</translation>
    </message>
    <message>
        <source>a card if gpu_count is above 0, and nothing if it is 0</source>
        <translation>eine Karte, wenn gpu_count über 0 ist, und nichts, wenn es 0 ist</translation>
    </message>
    <message>
        <source>a card of the table</source>
        <translation>eine Karte der Tabelle</translation>
    </message>
    <message>
        <source>a checksum that matches the length</source>
        <translation>eine Prüfsumme, die zur Länge passt</translation>
    </message>
    <message>
        <source>a column {1}</source>
        <translation>eine Spalte {1}</translation>
    </message>
    <message>
        <source>a compute capability such as 8.6</source>
        <translation>eine Compute Capability wie 8.6</translation>
    </message>
    <message>
        <source>a currency code such as USD</source>
        <translation>ein Währungskürzel wie USD</translation>
    </message>
    <message>
        <source>a date such as 2024-01-31, 2024-01 or 2024</source>
        <translation>ein Datum wie 2024-01-31, 2024-01 oder 2024</translation>
    </message>
    <message>
        <source>a device that is here: XLA and the kernels lay out memory differently on another one</source>
        <translation>ein Gerät, das hier ist: auf einem anderen ordnen XLA und die Kernel den Speicher anders</translation>
    </message>
    <message>
        <source>a feature with a JPEG or PNG file</source>
        <translation>ein Merkmal mit einer JPEG- oder PNG-Datei</translation>
    </message>
    <message>
        <source>a few steps at batch {1}</source>
        <translation>ein paar Schritte bei Batch {1}</translation>
    </message>
    <message>
        <source>a few steps at small batches, scaled and replayed</source>
        <translation>ein paar Schritte bei kleinen Batches, umgerechnet und nachgespielt</translation>
    </message>
    <message>
        <source>a file in memory could not be read</source>
        <translation>eine Datei im Speicher war nicht lesbar</translation>
    </message>
    <message>
        <source>a file in memory could not be read, or an address was misaligned</source>
        <translation>eine Datei im Speicher war nicht lesbar, oder eine Adresse war falsch ausgerichtet</translation>
    </message>
    <message>
        <source>a file of this program is missing</source>
        <translation>eine Datei dieses Programms fehlt</translation>
    </message>
    <message>
        <source>a folder or file</source>
        <translation>ein Ordner oder eine Datei</translation>
    </message>
    <message>
        <source>a folder with one folder of images for each class, a .npz, .csv or TFRecord file</source>
        <translation>ein Ordner mit je einem Bilderordner pro Klasse, eine .npz-, .csv- oder TFRecord-Datei</translation>
    </message>
    <message>
        <source>a function in the file</source>
        <translation>eine Funktion in der Datei</translation>
    </message>
    <message>
        <source>a functional or sequential model</source>
        <translation>ein funktionales oder sequenzielles Modell</translation>
    </message>
    <message>
        <source>a keras.Model, or (model, loss), or (model, loss, (x, y))</source>
        <translation>ein keras.Model, oder (model, loss), oder (model, loss, (x, y))</translation>
    </message>
    <message>
        <source>a model</source>
        <translation>ein Modell</translation>
    </message>
    <message>
        <source>a model file</source>
        <translation>eine Modelldatei</translation>
    </message>
    <message>
        <source>a model made of Keras layers only</source>
        <translation>ein Modell nur aus Keras-Schichten</translation>
    </message>
    <message>
        <source>a model that can learn</source>
        <translation>ein Modell, das lernen kann</translation>
    </message>
    <message>
        <source>a model that ends in one dense layer</source>
        <translation>ein Modell, das in einer Dense-Schicht endet</translation>
    </message>
    <message>
        <source>a model that returns a tensor</source>
        <translation>ein Modell, das einen Tensor zurückgibt</translation>
    </message>
    <message>
        <source>a name of `willittrain models`</source>
        <translation>ein Name aus `willittrain models`</translation>
    </message>
    <message>
        <source>a name of the catalog, a .keras, .h5 or .json file, or file.py:function</source>
        <translation>ein Name des Katalogs, eine .keras-, .h5- oder .json-Datei, oder datei.py:funktion</translation>
    </message>
    <message>
        <source>a name of the catalog, a folder or a file</source>
        <translation>ein Name des Katalogs, ein Ordner oder eine Datei</translation>
    </message>
    <message>
        <source>a network disk is asked only when it is used</source>
        <translation>ein Netzlaufwerk wird erst gefragt, wenn es benutzt wird</translation>
    </message>
    <message>
        <source>a new pass over the data</source>
        <translation>ein neuer Durchgang durch die Daten</translation>
    </message>
    <message>
        <source>a number above 0</source>
        <translation>eine Zahl über 0</translation>
    </message>
    <message>
        <source>a number of at least {n1}</source>
        <translation>eine Zahl von mindestens {n1}</translation>
    </message>
    <message>
        <source>a pattern over names such as {1}</source>
        <translation>ein Muster für Namen wie {1}</translation>
    </message>
    <message>
        <source>a rate needs two readings</source>
        <translation>eine Rate braucht zwei Ablesungen</translation>
    </message>
    <message>
        <source>a run with a profiled step whose trace is still kept</source>
        <translation>ein Lauf mit aufgezeichnetem Schritt, dessen Aufzeichnung noch aufbewahrt ist</translation>
    </message>
    <message>
        <source>a shape such as 224x224x3</source>
        <translation>eine Form wie 224x224x3</translation>
    </message>
    <message>
        <source>a shape such as 28x28x1 or ?x?x3</source>
        <translation>eine Form wie 28x28x1 oder ?x?x3</translation>
    </message>
    <message>
        <source>a size cannot be</source>
        <translation>eine Größe ist unmöglich</translation>
    </message>
    <message>
        <source>a size cannot be zero</source>
        <translation>eine Größe kann nicht null sein</translation>
    </message>
    <message>
        <source>a size such as 32GB or 512MiB</source>
        <translation>eine Größe wie 32GB oder 512MiB</translation>
    </message>
    <message>
        <source>a step of {n1}: {2}</source>
        <translation>ein Schritt von {n1}: {2}</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>a tf.data.Dataset, a keras.utils.PyDataset, arrays (x, y), or an iterable of batches (x, y)</source>
        <translation>ein tf.data.Dataset, ein keras.utils.PyDataset, Arrays (x, y) oder etwas, das Batches (x, y) liefert</translation>
    </message>
    <message>
        <source>a trial sum failed: {1}</source>
        <translation>eine Proberechnung schlug fehl: {1}</translation>
    </message>
    <message>
        <source>a whole model</source>
        <translation>ein ganzes Modell</translation>
    </message>
    <message>
        <source>a whole number of at least {1}</source>
        <translation>eine ganze Zahl von mindestens {1}</translation>
    </message>
    <message>
        <source>about {n1} times as fast as now{2}</source>
        <translation>etwa {n1}-mal so schnell wie jetzt{2}</translation>
    </message>
    <message>
        <source>access violation</source>
        <translation>Zugriffsverletzung</translation>
    </message>
    <message>
        <source>activations are not counted before the model has been traced</source>
        <translation>Aktivierungen werden erst gezählt, wenn das Modell untersucht ist</translation>
    </message>
    <message>
        <source>activations shrink in proportion to the batch</source>
        <translation>Aktivierungen schrumpfen im Verhältnis zum Batch</translation>
    </message>
    <message>
        <source>activations shrink to about a quarter</source>
        <translation>Aktivierungen schrumpfen auf etwa ein Viertel</translation>
    </message>
    <message>
        <source>activations take half the memory; this device has no units that would make it faster too</source>
        <translation>Aktivierungen brauchen den halben Speicher; dieses Gerät hat keine Einheiten, die es auch schneller machten</translation>
    </message>
    <message>
        <source>add --input-shape, for example 224x224x3</source>
        <translation>--input-shape angeben, zum Beispiel 224x224x3</translation>
    </message>
    <message>
        <source>add a trainable layer</source>
        <translation>eine trainierbare Schicht hinzufügen</translation>
    </message>
    <message>
        <source>added to the upper end</source>
        <translation>zum oberen Ende hinzugerechnet</translation>
    </message>
    <message>
        <source>alive</source>
        <translation>lebendig</translation>
    </message>
    <message>
        <source>alive at the worst moment</source>
        <translation>lebendig im schlimmsten Moment</translation>
    </message>
    <message>
        <source>all cores</source>
        <translation>alle Kerne</translation>
    </message>
    <message>
        <source>allocator over tiny steps of known size</source>
        <translation>Allokator bei winzigen Schritten bekannter Größe</translation>
    </message>
    <message>
        <source>allow it only if you trust its author (--trust)</source>
        <translation>nur erlauben, wenn Sie dem Verfasser vertrauen (--trust)</translation>
    </message>
    <message>
        <source>allow it to run code only if you trust its author (--trust)</source>
        <translation>Code nur ausführen lassen, wenn Sie dem Verfasser vertrauen (--trust)</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>erlaubt</translation>
    </message>
    <message>
        <source>amdgpu does not tell</source>
        <translation>amdgpu sagt es nicht</translation>
    </message>
    <message>
        <source>amdgpu does not tell; the catalog may know the card</source>
        <translation>amdgpu sagt es nicht; der Katalog kennt die Karte vielleicht</translation>
    </message>
    <message>
        <source>amdgpu tells each process&apos;s memory only to that process&apos;s owner</source>
        <translation>amdgpu nennt den Speicher eines Prozesses nur dessen Eigentümer</translation>
    </message>
    <message>
        <source>an amount of work cannot be</source>
        <translation>eine Arbeitsmenge ist unmöglich</translation>
    </message>
    <message>
        <source>an element type such as uint8</source>
        <translation>ein Elementtyp wie uint8</translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation>eine leere Datei</translation>
    </message>
    <message>
        <source>an empty object</source>
        <translation>ein leeres Objekt</translation>
    </message>
    <message>
        <source>an estimate can be refined only for a device of this machine</source>
        <translation>eine Schätzung lässt sich nur für ein Gerät dieses Rechners verfeinern</translation>
    </message>
    <message>
        <source>an input shape</source>
        <translation>eine Eingabeform</translation>
    </message>
    <message>
        <source>another one</source>
        <translation>eine andere</translation>
    </message>
    <message>
        <source>another program asked it to end</source>
        <translation>ein anderes Programm bat ihn, zu enden</translation>
    </message>
    <message>
        <source>another program ended the child ({1}); the system&apos;s own memory killer did not</source>
        <translation>ein anderes Programm beendete den Kindprozess ({1}); der Speicherwächter des Systems war es nicht</translation>
    </message>
    <message>
        <source>another program interrupted it</source>
        <translation>ein anderes Programm unterbrach ihn</translation>
    </message>
    <message>
        <source>another program was already using the card ({n1} % of the time)</source>
        <translation>ein anderes Programm nutzte die Karte schon ({n1} % der Zeit)</translation>
    </message>
    <message>
        <source>archspec does not know this processor</source>
        <translation>archspec kennt diesen Prozessor nicht</translation>
    </message>
    <message>
        <source>arrays of numbers</source>
        <translation>Arrays aus Zahlen</translation>
    </message>
    <message>
        <source>arrays with the batch as first axis</source>
        <translation>Arrays mit dem Batch als erster Achse</translation>
    </message>
    <message>
        <source>as counted</source>
        <translation>wie gezählt</translation>
    </message>
    <message>
        <source>as float32 {n1}</source>
        <translation>als float32 {n1}</translation>
    </message>
    <message>
        <source>as uint8, if that is float32 {n1}</source>
        <translation>als uint8, falls das float32 ist, {n1}</translation>
    </message>
    <message>
        <source>as uint8, if that is float32, all of it has room ({n1})</source>
        <translation>als uint8, falls das float32 ist, hat alles Platz ({n1})</translation>
    </message>
    <message>
        <source>assumed for a simulated card</source>
        <translation>für eine simulierte Karte angenommen</translation>
    </message>
    <message>
        <source>at launch</source>
        <translation>zur Markteinführung</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>mindestens</translation>
    </message>
    <message>
        <source>at least {1} samples</source>
        <translation>mindestens {1} Beispiele</translation>
    </message>
    <message>
        <source>at least {n1} of RAM</source>
        <translation>mindestens {n1} des RAM</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>höchstens</translation>
    </message>
    <message>
        <source>at most {1}</source>
        <translation>höchstens {1}</translation>
    </message>
    <message>
        <source>at most {1} bytes</source>
        <translation>höchstens {1} Byte</translation>
    </message>
    <message>
        <source>at most {1} bytes of JSON</source>
        <translation>höchstens {1} Byte JSON</translation>
    </message>
    <message>
        <source>at most {1} bytes, packed at most {2}-fold</source>
        <translation>höchstens {1} Byte, höchstens {2}-fach gepackt</translation>
    </message>
    <message>
        <source>at most {n1}, which is what can be spared</source>
        <translation>höchstens {n1}, so viel lässt sich entbehren</translation>
    </message>
    <message>
        <source>auto, cpu or gpu:0, gpu:1 …</source>
        <translation>auto, cpu oder gpu:0, gpu:1 …</translation>
    </message>
    <message>
        <source>available RAM</source>
        <translation>verfügbares RAM</translation>
    </message>
    <message>
        <source>available RAM now</source>
        <translation>jetzt verfügbares RAM</translation>
    </message>
    <message>
        <source>average household price per kWh, rounded, after BDEW</source>
        <translation>mittlerer Haushaltspreis je kWh, gerundet, nach BDEW</translation>
    </message>
    <message>
        <source>average household price per kWh, rounded, after Eurostat</source>
        <translation>mittlerer Haushaltspreis je kWh, gerundet, nach Eurostat</translation>
    </message>
    <message>
        <source>average household price per kWh, rounded, after the Energy Information Administration</source>
        <translation>mittlerer Haushaltspreis je kWh, gerundet, nach der Energy Information Administration</translation>
    </message>
    <message>
        <source>backend {1}</source>
        <translation>Backend {1}</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>batch {1}</source>
        <translation>Batch {1}</translation>
    </message>
    <message>
        <source>batch {n1}</source>
        <translation>Batch {n1}</translation>
    </message>
    <message>
        <source>batches (x, y)</source>
        <translation>Batches (x, y)</translation>
    </message>
    <message>
        <source>building the model</source>
        <translation>Modell wird gebaut</translation>
    </message>
    <message>
        <source>building this model runs code</source>
        <translation>dieses Modell zu bauen führt Code aus</translation>
    </message>
    <message>
        <source>by compute capability</source>
        <translation>nach Compute Capability</translation>
    </message>
    <message>
        <source>bytes / bandwidth where that is longer</source>
        <translation>Bytes / Bandbreite, wo das länger dauert</translation>
    </message>
    <message>
        <source>bytes per second above 0</source>
        <translation>Byte pro Sekunde über 0</translation>
    </message>
    <message>
        <source>cache {1}</source>
        <translation>Puffer {1}</translation>
    </message>
    <message>
        <source>caching samples</source>
        <translation>Beispiele werden gepuffert</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>aus einem Lauf berichtigt</translation>
    </message>
    <message>
        <source>cannot compare this</source>
        <translation>das lässt sich nicht vergleichen</translation>
    </message>
    <message>
        <source>cannot read the model&apos;s file</source>
        <translation>die Datei des Modells ist nicht lesbar</translation>
    </message>
    <message>
        <source>cannot read {1}</source>
        <translation>{1} ist nicht lesbar</translation>
    </message>
    <message>
        <source>cannot start {1}: {2}</source>
        <translation>{1} lässt sich nicht starten: {2}</translation>
    </message>
    <message>
        <source>cannot store {1}</source>
        <translation>{1} lässt sich nicht speichern</translation>
    </message>
    <message>
        <source>cannot tell</source>
        <translation>unklar</translation>
    </message>
    <message>
        <source>cannot use the history {1}</source>
        <translation>der Verlauf {1} ist nicht nutzbar</translation>
    </message>
    <message>
        <source>cannot write the trace to {1}</source>
        <translation>die Aufzeichnung lässt sich nicht nach {1} schreiben</translation>
    </message>
    <message>
        <source>cannot write {1}</source>
        <translation>{1} lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>check that ROCm supports the card, and that you are in the groups render and video</source>
        <translation>prüfen, ob ROCm die Karte unterstützt und ob Sie in den Gruppen render und video sind</translation>
    </message>
    <message>
        <source>check that it loads with keras.models.load_model</source>
        <translation>prüfen, ob es sich mit keras.models.load_model laden lässt</translation>
    </message>
    <message>
        <source>choose a smaller batch</source>
        <translation>einen kleineren Batch wählen</translation>
    </message>
    <message>
        <source>choose a smaller batch, or let the pipeline begin anew at its end</source>
        <translation>einen kleineren Batch wählen, oder die Pipeline am Ende neu beginnen lassen</translation>
    </message>
    <message>
        <source>choose another interpreter, or repair this one</source>
        <translation>einen anderen Interpreter wählen oder diesen reparieren</translation>
    </message>
    <message>
        <source>choose data on this machine, or let it come through a pipeline</source>
        <translation>Daten auf diesem Rechner wählen, oder sie durch eine Pipeline kommen lassen</translation>
    </message>
    <message>
        <source>class folders of images</source>
        <translation>Klassenordner mit Bildern</translation>
    </message>
    <message>
        <source>close other programs that use it, or move the file away</source>
        <translation>andere Programme schließen, die ihn benutzen, oder die Datei beiseitelegen</translation>
    </message>
    <message>
        <source>column {n1}</source>
        <translation>Spalte {n1}</translation>
    </message>
    <message>
        <source>comma-separated values</source>
        <translation>durch Kommas getrennte Werte</translation>
    </message>
    <message>
        <source>comma-separated values in UTF-8</source>
        <translation>durch Kommas getrennte Werte in UTF-8</translation>
    </message>
    <message>
        <source>compared: {1}</source>
        <translation>verglichen: {1}</translation>
    </message>
    <message>
        <source>compiled</source>
        <translation>kompiliert</translation>
    </message>
    <message>
        <source>compiled for batch {1}, asked for {2}</source>
        <translation>kompiliert für Batch {1}, gefragt ist {2}</translation>
    </message>
    <message>
        <source>compiled without running</source>
        <translation>kompiliert, ohne auszuführen</translation>
    </message>
    <message>
        <source>compiling the step, without running it</source>
        <translation>Schritt wird kompiliert, ohne ihn auszuführen</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>computing only</source>
        <translation>nur rechnen</translation>
    </message>
    <message>
        <source>computing {n1}</source>
        <translation>Rechnen {n1}</translation>
    </message>
    <message>
        <source>context and libraries</source>
        <translation>Kontext und Bibliotheken</translation>
    </message>
    <message>
        <source>copying {n1}</source>
        <translation>Kopieren {n1}</translation>
    </message>
    <message>
        <source>cores per multiprocessor are not known for this compute capability</source>
        <translation>die Kerne je Multiprozessor sind für diese Compute Capability nicht bekannt</translation>
    </message>
    <message>
        <source>correct it in {1}</source>
        <translation>in {1} berichtigen</translation>
    </message>
    <message>
        <source>corrected by run {1} of this model on this machine</source>
        <translation>berichtigt durch Lauf {1} dieses Modells auf diesem Rechner</translation>
    </message>
    <message>
        <source>count x cost of an empty operation</source>
        <translation>Anzahl x Kosten einer leeren Operation</translation>
    </message>
    <message>
        <source>count x cost of an empty operation, and an empty step of fit</source>
        <translation>Anzahl x Kosten einer leeren Operation, und ein leerer Schritt von fit</translation>
    </message>
    <message>
        <source>cpu</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>cpu or gpu:N</source>
        <translation>cpu oder gpu:N</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>abgeschnitten</translation>
    </message>
    <message>
        <source>data and labels differ in length</source>
        <translation>Daten und Label sind verschieden lang</translation>
    </message>
    <message>
        <source>data as one array</source>
        <translation>Daten als ein Array</translation>
    </message>
    <message>
        <source>data sheet</source>
        <translation>Datenblatt</translation>
    </message>
    <message>
        <source>data that is made up has no pipeline to compare</source>
        <translation>erfundene Daten haben keine Pipeline zum Vergleichen</translation>
    </message>
    <message>
        <source>decoded samples are cached on disk by TensorFlow, not with {1}</source>
        <translation>dekodierte Beispiele puffert TensorFlow auf der Platte, nicht {1}</translation>
    </message>
    <message>
        <source>decoded {n1}</source>
        <translation>dekodiert {n1}</translation>
    </message>
    <message>
        <source>decoding and preparing {n1}</source>
        <translation>Dekodieren und Aufbereiten {n1}</translation>
    </message>
    <message>
        <source>dense, attention or embedding layers</source>
        <translation>Dense-, Attention- oder Embedding-Schichten</translation>
    </message>
    <message>
        <source>dense, convolution or embedding layers before the output</source>
        <translation>Dense-, Faltungs- oder Embedding-Schichten vor der Ausgabe</translation>
    </message>
    <message>
        <source>depthwise convolution</source>
        <translation>tiefenweise Faltung</translation>
    </message>
    <message>
        <source>described by you</source>
        <translation>von Ihnen beschrieben</translation>
    </message>
    <message>
        <source>device {1}</source>
        <translation>Gerät {1}</translation>
    </message>
    <message>
        <source>did you mean {1}?</source>
        <translation>meinten Sie {1}?</translation>
    </message>
    <message>
        <source>did you mean {1}? {2}</source>
        <translation>meinten Sie {1}? {2}</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>do not close file descriptors in the model&apos;s code</source>
        <translation>im Code des Modells keine Dateideskriptoren schließen</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>downloaded by keras.datasets</source>
        <translation>von keras.datasets geladen</translation>
    </message>
    <message>
        <source>driver</source>
        <translation>Treiber</translation>
    </message>
    <message>
        <source>each operation is priced like the timed ones of its kind with the nearest sizes</source>
        <translation>jede Operation wird angesetzt wie die gemessenen ihrer Art mit den nächsten Größen</translation>
    </message>
    <message>
        <source>electricity</source>
        <translation>Strom</translation>
    </message>
    <message>
        <source>embedding, {1}, classifier</source>
        <translation>Embedding, {1}, Klassifikator</translation>
    </message>
    <message>
        <source>encoded {n1}</source>
        <translation>kodiert {n1}</translation>
    </message>
    <message>
        <source>end in pooling instead of Flatten, or let your function take input_shape</source>
        <translation>mit Pooling statt Flatten enden, oder die Funktion input_shape nehmen lassen</translation>
    </message>
    <message>
        <source>end of the run</source>
        <translation>Ende des Laufs</translation>
    </message>
    <message>
        <source>energy preference power</source>
        <translation>Energievorgabe Sparen</translation>
    </message>
    <message>
        <source>epoch end</source>
        <translation>Ende der Epoche</translation>
    </message>
    <message>
        <source>epoch start</source>
        <translation>Beginn der Epoche</translation>
    </message>
    <message>
        <source>epoch {1} → {2}</source>
        <translation>Epoche {1} → {2}</translation>
    </message>
    <message>
        <source>epoch {1}, batch {2}</source>
        <translation>Epoche {1}, Batch {2}</translation>
    </message>
    <message>
        <source>even the weights and their optimizer state are too large</source>
        <translation>schon die Gewichte und der Zustand ihres Optimierers sind zu groß</translation>
    </message>
    <message>
        <source>even {n1}, the upper end of the range, has room</source>
        <translation>selbst für {n1}, das obere Ende der Spanne, ist Platz</translation>
    </message>
    <message>
        <source>every column once</source>
        <translation>jede Spalte einmal</translation>
    </message>
    <message>
        <source>every prediction × {n1}</source>
        <translation>jede Vorhersage × {n1}</translation>
    </message>
    <message>
        <source>every row once; this one stands further up already</source>
        <translation>jede Zeile einmal; diese steht weiter oben schon</translation>
    </message>
    <message>
        <source>executor.cc</source>
        <translation>executor.cc</translation>
    </message>
    <message>
        <source>exit code {1}</source>
        <translation>Rückgabewert {1}</translation>
    </message>
    <message>
        <source>expect errors with new versions; the safer way: {1}</source>
        <translation>mit neuen Versionen ist mit Fehlern zu rechnen; der sicherere Weg: {1}</translation>
    </message>
    <message>
        <source>expected a message of version {1}</source>
        <translation>eine Nachricht der Version {1} erwartet</translation>
    </message>
    <message>
        <source>expected a number</source>
        <translation>eine Zahl erwartet</translation>
    </message>
    <message>
        <source>expected a request, received {1}</source>
        <translation>eine Anfrage erwartet, {1} erhalten</translation>
    </message>
    <message>
        <source>expected {1}</source>
        <translation>erwartet {1}</translation>
    </message>
    <message>
        <source>field of unknown kind {1}</source>
        <translation>Feld unbekannter Art {1}</translation>
    </message>
    <message>
        <source>file {1}; weights are not read</source>
        <translation>Datei {1}; Gewichte werden nicht gelesen</translation>
    </message>
    <message>
        <source>first step: tracing and compiling</source>
        <translation>erster Schritt: untersuchen und kompilieren</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>for AMD cards</source>
        <translation>für AMD-Karten</translation>
    </message>
    <message>
        <source>for example --freeze &apos;conv*&apos;</source>
        <translation>zum Beispiel --freeze &apos;conv*&apos;</translation>
    </message>
    <message>
        <source>for example --leave-out lstm_1</source>
        <translation>zum Beispiel --leave-out lstm_1</translation>
    </message>
    <message>
        <source>for example {1}:make_model, a function that returns a Keras model</source>
        <translation>zum Beispiel {1}:make_model, eine Funktion, die ein Keras-Modell zurückgibt</translation>
    </message>
    <message>
        <source>for single images give their folder</source>
        <translation>für einzelne Bilder ihren Ordner angeben</translation>
    </message>
    <message>
        <source>for the CPU only</source>
        <translation>nur für die CPU</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>nach Formel</translation>
    </message>
    <message>
        <source>four convolutions and three dense layers, 562,474 parameters</source>
        <translation>vier Faltungen und drei Dense-Schichten, 562.474 Parameter</translation>
    </message>
    <message>
        <source>four halvings</source>
        <translation>vier Halbierungen</translation>
    </message>
    <message>
        <source>framework on the device</source>
        <translation>Framework auf dem Gerät</translation>
    </message>
    <message>
        <source>framework&apos;s context</source>
        <translation>Kontext des Frameworks</translation>
    </message>
    <message>
        <source>free - context - kept back</source>
        <translation>frei - Kontext - zurückbehalten</translation>
    </message>
    <message>
        <source>free for the GPU</source>
        <translation>frei für die GPU</translation>
    </message>
    <message>
        <source>free memory of the card</source>
        <translation>freier Speicher der Karte</translation>
    </message>
    <message>
        <source>free now on the card</source>
        <translation>jetzt frei auf der Karte</translation>
    </message>
    <message>
        <source>free some space or choose another folder with WILLITTRAIN_DATA_DIR</source>
        <translation>Platz schaffen oder mit WILLITTRAIN_DATA_DIR einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>frozen weights have no gradients and no optimizer state, and nothing is kept for them; for a network that starts from trained weights</source>
        <translation>eingefrorene Gewichte haben weder Gradienten noch Optimiererzustand, und für sie wird nichts behalten; für ein Netz, das mit trainierten Gewichten beginnt</translation>
    </message>
    <message>
        <source>fused kernels read and write memory less often</source>
        <translation>verschmolzene Kernel lesen und schreiben seltener im Speicher</translation>
    </message>
    <message>
        <source>give it more time, or a smaller batch</source>
        <translation>mehr Zeit geben, oder einen kleineren Batch</translation>
    </message>
    <message>
        <source>give the model another --input-shape</source>
        <translation>dem Modell eine andere --input-shape geben</translation>
    </message>
    <message>
        <source>give the path of a Python interpreter, for example --python ~/venv/bin/python</source>
        <translation>den Pfad eines Python-Interpreters angeben, zum Beispiel --python ~/venv/bin/python</translation>
    </message>
    <message>
        <source>governor powersave</source>
        <translation>Taktregler powersave</translation>
    </message>
    <message>
        <source>gpu</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>gpu:{1} ({2})</source>
        <translation>gpu:{1} ({2})</translation>
    </message>
    <message>
        <source>gpu_device.cc, MinSystemMemory</source>
        <translation>gpu_device.cc, MinSystemMemory</translation>
    </message>
    <message>
        <source>gradients can be clipped in one way only</source>
        <translation>Gradienten lassen sich nur auf eine Art kappen</translation>
    </message>
    <message>
        <source>graph of schema {1}, expected {2}</source>
        <translation>Graph vom Schema {1}, erwartet {2}</translation>
    </message>
    <message>
        <source>grey images repeated to {1} channels</source>
        <translation>graue Bilder auf {1} Kanäle wiederholt</translation>
    </message>
    <message>
        <source>handed out by the allocator</source>
        <translation>vom Allokator vergeben</translation>
    </message>
    <message>
        <source>height and width divisible by {1} ({2})</source>
        <translation>Höhe und Breite teilbar durch {1} ({2})</translation>
    </message>
    <message>
        <source>height, width and channels</source>
        <translation>Höhe, Breite und Kanäle</translation>
    </message>
    <message>
        <source>held</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>illegal instruction</source>
        <translation>unzulässiger Befehl</translation>
    </message>
    <message>
        <source>image classification</source>
        <translation>Bildklassifikation</translation>
    </message>
    <message>
        <source>image size</source>
        <translation>Bildgröße</translation>
    </message>
    <message>
        <source>images resized to {1}</source>
        <translation>Bilder auf {1} skaliert</translation>
    </message>
    <message>
        <source>images {1}</source>
        <translation>Bilder {1}</translation>
    </message>
    <message>
        <source>importing {1}</source>
        <translation>{1} wird importiert</translation>
    </message>
    <message>
        <source>impossible LoRA rank</source>
        <translation>unmöglicher LoRA-Rang</translation>
    </message>
    <message>
        <source>impossible accumulation</source>
        <translation>unmögliche Akkumulation</translation>
    </message>
    <message>
        <source>impossible amount of RAM</source>
        <translation>unmögliche Menge RAM</translation>
    </message>
    <message>
        <source>impossible batch size</source>
        <translation>unmögliche Batchgröße</translation>
    </message>
    <message>
        <source>impossible disk rate</source>
        <translation>unmögliche Plattenrate</translation>
    </message>
    <message>
        <source>impossible input shape</source>
        <translation>unmögliche Eingabeform</translation>
    </message>
    <message>
        <source>impossible number of classes</source>
        <translation>unmögliche Zahl von Klassen</translation>
    </message>
    <message>
        <source>impossible number of epochs</source>
        <translation>unmögliche Zahl von Epochen</translation>
    </message>
    <message>
        <source>impossible thread count</source>
        <translation>unmögliche Zahl von Threads</translation>
    </message>
    <message>
        <source>impossible weight decay</source>
        <translation>unmöglicher Weight Decay</translation>
    </message>
    <message>
        <source>impossible {1}</source>
        <translation>unmöglich: {1}</translation>
    </message>
    <message>
        <source>in RAM</source>
        <translation>im RAM</translation>
    </message>
    <message>
        <source>in a container</source>
        <translation>in einem Container</translation>
    </message>
    <message>
        <source>inference</source>
        <translation>Inferenz</translation>
    </message>
    <message>
        <source>input {1}</source>
        <translation>Eingabe {1}</translation>
    </message>
    <message>
        <source>input {1} instead of the network&apos;s own {2}</source>
        <translation>Eingabe {1} statt {2}, der eigenen des Netzes</translation>
    </message>
    <message>
        <source>input {1} instead of {2}</source>
        <translation>Eingabe {1} statt {2}</translation>
    </message>
    <message>
        <source>input {1}, the network&apos;s own</source>
        <translation>Eingabe {1}, die eigene des Netzes</translation>
    </message>
    <message>
        <source>inside this container {1}</source>
        <translation>in diesem Container: {1}</translation>
    </message>
    <message>
        <source>install NVIDIA&apos;s driver and restart</source>
        <translation>den NVIDIA-Treiber installieren und neu starten</translation>
    </message>
    <message>
        <source>install NVIDIA&apos;s driver in Windows, not inside WSL</source>
        <translation>den NVIDIA-Treiber in Windows installieren, nicht in WSL</translation>
    </message>
    <message>
        <source>install PyTorch and run Keras on it: set KERAS_BACKEND=torch</source>
        <translation>PyTorch installieren und Keras darauf laufen lassen: KERAS_BACKEND=torch setzen</translation>
    </message>
    <message>
        <source>install an older version of {1}, or use another card</source>
        <translation>eine ältere Version von {1} installieren oder eine andere Karte nehmen</translation>
    </message>
    <message>
        <source>install the CUDA build of PyTorch (its start page gives the command)</source>
        <translation>das CUDA-Build von PyTorch installieren (der Befehl steht auf dessen Startseite)</translation>
    </message>
    <message>
        <source>install the ROCm build of PyTorch and set KERAS_BACKEND=torch, or AMD&apos;s tensorflow-rocm</source>
        <translation>das ROCm-Build von PyTorch installieren und KERAS_BACKEND=torch setzen, oder AMDs tensorflow-rocm</translation>
    </message>
    <message>
        <source>install the XPU build of PyTorch</source>
        <translation>das XPU-Build von PyTorch installieren</translation>
    </message>
    <message>
        <source>install the XPU build of PyTorch and set KERAS_BACKEND=torch</source>
        <translation>das XPU-Build von PyTorch installieren und KERAS_BACKEND=torch setzen</translation>
    </message>
    <message>
        <source>install the build of {1} for CUDA 12.8 or newer</source>
        <translation>das Build von {1} für CUDA 12.8 oder neuer installieren</translation>
    </message>
    <message>
        <source>install the program again</source>
        <translation>das Programm neu installieren</translation>
    </message>
    <message>
        <source>int8 weights</source>
        <translation>int8-Gewichte</translation>
    </message>
    <message>
        <source>int8 weights cannot be trained</source>
        <translation>int8-Gewichte lassen sich nicht trainieren</translation>
    </message>
    <message>
        <source>int8 weights in {n1} of {n2} layers that have weights; quantising the model first holds its {n3} of unquantised weights, not counted here</source>
        <translation>int8-Gewichte in {n1} von {n2} Schichten mit Gewichten; beim Quantisieren hält das Modell zuerst seine {n3} unquantisierter Gewichte, hier nicht mitgezählt</translation>
    </message>
    <message>
        <source>interval × {n1}</source>
        <translation>Intervall × {n1}</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>ist leer</translation>
    </message>
    <message>
        <source>is it batched?</source>
        <translation>sind es Batches?</translation>
    </message>
    <message>
        <source>is {1}</source>
        <translation>ist {1}</translation>
    </message>
    <message>
        <source>it closed its output and ran on</source>
        <translation>er schloss seine Ausgabe und lief weiter</translation>
    </message>
    <message>
        <source>it counts every layer&apos;s output twice, but views, in-place results and freed tensors take nothing</source>
        <translation>sie zählt die Ausgabe jeder Schicht doppelt, doch Sichten, Ergebnisse an Ort und Stelle und freigegebene Tensoren brauchen nichts</translation>
    </message>
    <message>
        <source>it does not see attention scores and the copies inside attention layers</source>
        <translation>sie sieht die Attention-Werte und die Kopien in Attention-Schichten nicht</translation>
    </message>
    <message>
        <source>it does not see temporaries of the backward pass and the allocator&apos;s rounding</source>
        <translation>sie sieht die Zwischenwerte des Rückwärtsschritts und das Aufrunden des Allokators nicht</translation>
    </message>
    <message>
        <source>it does not see temporaries of the optimizer&apos;s update and of the backward pass</source>
        <translation>sie sieht die Zwischenwerte der Optimierung und des Rückwärtsschritts nicht</translation>
    </message>
    <message>
        <source>it does not see what recurrent layers keep for every time step</source>
        <translation>sie sieht nicht, was rekurrente Schichten für jeden Zeitschritt behalten</translation>
    </message>
    <message>
        <source>it follows from readings that are missing</source>
        <translation>es folgt aus Ablesungen, die fehlen</translation>
    </message>
    <message>
        <source>it keeps gradients and optimizer state for frozen weights, which have none</source>
        <translation>sie behält Gradienten und Optimiererzustand für eingefrorene Gewichte, die keine haben</translation>
    </message>
    <message>
        <source>it ran at low priority: other programs went first</source>
        <translation>es lief mit niedriger Priorität: andere Programme kamen zuerst</translation>
    </message>
    <message>
        <source>it was stored by another version</source>
        <translation>es wurde von einer anderen Version gespeichert</translation>
    </message>
    <message>
        <source>its batches have another size</source>
        <translation>seine Batches haben eine andere Größe</translation>
    </message>
    <message>
        <source>its data to be decoded</source>
        <translation>das Dekodieren der Daten</translation>
    </message>
    <message>
        <source>its operations alone, times what a simulation of the threads says they save side by side</source>
        <translation>ihre Operationen allein, mal dem, was sie nach einer Simulation der Threads nebeneinander sparen</translation>
    </message>
    <message>
        <source>its session ended</source>
        <translation>seine Sitzung endete</translation>
    </message>
    <message>
        <source>keep below the limit: under WSL2 the driver moves what does not fit to host memory, which is slow</source>
        <translation>unter der Grenze bleiben: unter WSL2 verschiebt der Treiber, was nicht passt, in den Speicher des Rechners, und das ist langsam</translation>
    </message>
    <message>
        <source>keeps other values than TensorFlow&apos;s loops</source>
        <translation>behält andere Werte als TensorFlows Schleifen</translation>
    </message>
    <message>
        <source>keeps row and column means instead of whole moments</source>
        <translation>behält Mittelwerte von Zeilen und Spalten statt ganzer Momente</translation>
    </message>
    <message>
        <source>kept back by TensorFlow</source>
        <translation>von TensorFlow zurückbehalten</translation>
    </message>
    <message>
        <source>kept for the desktop</source>
        <translation>für den Desktop behalten</translation>
    </message>
    <message>
        <source>keras-hub GPT2Backbone with language head, Radford et al. 2019</source>
        <translation>keras-hub GPT2Backbone mit Sprachkopf, Radford et al. 2019</translation>
    </message>
    <message>
        <source>keras.applications.{1}, weights=None</source>
        <translation>keras.applications.{1}, weights=None</translation>
    </message>
    <message>
        <source>label {1}</source>
        <translation>Label {1}</translation>
    </message>
    <message>
        <source>language modelling</source>
        <translation>Sprachmodellierung</translation>
    </message>
    <message>
        <source>larger steps keep the device busier</source>
        <translation>größere Schritte lasten das Gerät besser aus</translation>
    </message>
    <message>
        <source>largest sum over one step</source>
        <translation>größte Summe innerhalb eines Schritts</translation>
    </message>
    <message>
        <source>later epochs neither read nor decode, but augment: half of the host&apos;s work is taken for that</source>
        <translation>spätere Epochen lesen und dekodieren nicht mehr, augmentieren aber: dafür wird die Hälfte der Arbeit des Hosts angesetzt</translation>
    </message>
    <message>
        <source>later steps needed up to {n1} more memory than the first three</source>
        <translation>spätere Schritte brauchten bis zu {n1} mehr Speicher als die ersten drei</translation>
    </message>
    <message>
        <source>launching operations</source>
        <translation>Starten von Operationen</translation>
    </message>
    <message>
        <source>layers of this model cannot be left out</source>
        <translation>Schichten dieses Modells lassen sich nicht weglassen</translation>
    </message>
    <message>
        <source>leave --refine out, or refine on that machine itself</source>
        <translation>--refine weglassen, oder auf jenem Rechner selbst verfeinern</translation>
    </message>
    <message>
        <source>leave it out for no clipping</source>
        <translation>weglassen, um nicht zu kappen</translation>
    </message>
    <message>
        <source>leave it out, or use --device cpu</source>
        <translation>weglassen, oder --device cpu verwenden</translation>
    </message>
    <message>
        <source>leave out --classes</source>
        <translation>--classes weglassen</translation>
    </message>
    <message>
        <source>leave out --data array</source>
        <translation>--data array weglassen</translation>
    </message>
    <message>
        <source>leave out --int8</source>
        <translation>--int8 weglassen</translation>
    </message>
    <message>
        <source>leave out --lora-rank</source>
        <translation>--lora-rank weglassen</translation>
    </message>
    <message>
        <source>leave out --threads</source>
        <translation>--threads weglassen</translation>
    </message>
    <message>
        <source>let the function take batch_size and make batches of that many samples</source>
        <translation>die Funktion batch_size nehmen und Batches mit so vielen Beispielen machen lassen</translation>
    </message>
    <message>
        <source>let the function take input_shape, sequence_length or image_size</source>
        <translation>die Funktion input_shape, sequence_length oder image_size nehmen lassen</translation>
    </message>
    <message>
        <source>let the pipeline give what the model takes, or name the shape with --input-shape</source>
        <translation>die Pipeline geben lassen, was das Modell nimmt, oder die Form mit --input-shape nennen</translation>
    </message>
    <message>
        <source>list price on demand, Linux, us-east-1; aws.amazon.com/ec2/pricing/on-demand</source>
        <translation>Listenpreis auf Abruf, Linux, us-east-1; aws.amazon.com/ec2/pricing/on-demand</translation>
    </message>
    <message>
        <source>list them, such as --compare threads=1,2</source>
        <translation>sie aufzählen, etwa --compare threads=1,2</translation>
    </message>
    <message>
        <source>live buffers of the step</source>
        <translation>lebende Puffer des Schritts</translation>
    </message>
    <message>
        <source>loading TensorFlow</source>
        <translation>TensorFlow wird geladen</translation>
    </message>
    <message>
        <source>loading {1}</source>
        <translation>{1} wird geladen</translation>
    </message>
    <message>
        <source>look at the place named in the last lines; data that never comes is a frequent cause</source>
        <translation>die Stelle in den letzten Zeilen ansehen; Daten, die nie kommen, sind ein häufiger Grund</translation>
    </message>
    <message>
        <source>look at what it prints when it starts; restart the machine after a driver update</source>
        <translation>ansehen, was es beim Start ausgibt; nach einem Treiberupdate den Rechner neu starten</translation>
    </message>
    <message>
        <source>look for damaged or missing files</source>
        <translation>nach beschädigten oder fehlenden Dateien suchen</translation>
    </message>
    <message>
        <source>look for who ends processes here: a job scheduler, a memory daemon, another user</source>
        <translation>nachsehen, wer hier Prozesse beendet: eine Auftragsverwaltung, ein Speicherwächter, ein anderer Benutzer</translation>
    </message>
    <message>
        <source>look for who ends processes here: a logout, a job scheduler, another user</source>
        <translation>nachsehen, wer hier Prozesse beendet: eine Abmeldung, eine Auftragsverwaltung, ein anderer Benutzer</translation>
    </message>
    <message>
        <source>look whether the disk or /dev/shm is full; a mapped file that shrank does this</source>
        <translation>nachsehen, ob die Platte oder /dev/shm voll ist; eine eingeblendete Datei, die schrumpfte, bewirkt das</translation>
    </message>
    <message>
        <source>loss binary cross-entropy assumed from sigmoid output</source>
        <translation>Verlust: binäre Kreuzentropie, aus der Sigmoid-Ausgabe angenommen</translation>
    </message>
    <message>
        <source>loss mean squared error</source>
        <translation>Verlust: mittlerer quadratischer Fehler</translation>
    </message>
    <message>
        <source>loss mean squared error assumed: the output is neither softmax nor sigmoid</source>
        <translation>Verlust: mittlerer quadratischer Fehler angenommen, denn die Ausgabe ist weder Softmax noch Sigmoid</translation>
    </message>
    <message>
        <source>loss of the saved file</source>
        <translation>Verlust der gespeicherten Datei</translation>
    </message>
    <message>
        <source>loss sparse categorical cross-entropy</source>
        <translation>Verlust: dünn besetzte kategoriale Kreuzentropie</translation>
    </message>
    <message>
        <source>loss sparse categorical cross-entropy assumed from softmax output</source>
        <translation>Verlust: dünn besetzte kategoriale Kreuzentropie, aus der Softmax-Ausgabe angenommen</translation>
    </message>
    <message>
        <source>loss sparse categorical cross-entropy assumed: {1} outputs, {2} classes</source>
        <translation>Verlust: dünn besetzte kategoriale Kreuzentropie angenommen, denn {1} Ausgaben, {2} Klassen</translation>
    </message>
    <message>
        <source>lower the learning rate, scale the inputs, or train in float32</source>
        <translation>die Lernrate senken, die Eingaben skalieren oder in float32 trainieren</translation>
    </message>
    <message>
        <source>macOS does not tell it</source>
        <translation>macOS sagt es nicht</translation>
    </message>
    <message>
        <source>macOS tells it only to root</source>
        <translation>macOS sagt es nur root</translation>
    </message>
    <message>
        <source>macOS tells it only to system_profiler, which takes too long</source>
        <translation>macOS sagt es nur system_profiler, und der braucht zu lange</translation>
    </message>
    <message>
        <source>made up</source>
        <translation>erfunden</translation>
    </message>
    <message>
        <source>made up in the right shape and type</source>
        <translation>erfunden, in richtiger Form und richtigem Typ</translation>
    </message>
    <message>
        <source>max q</source>
        <translation>max q</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>measured on TensorFlow 2.21</source>
        <translation>gemessen an TensorFlow 2.21</translation>
    </message>
    <message>
        <source>measured once on this machine</source>
        <translation>einmal auf diesem Rechner gemessen</translation>
    </message>
    <message>
        <source>measured: held</source>
        <translation>gemessen: belegt</translation>
    </message>
    <message>
        <source>measured: needed</source>
        <translation>gemessen: benötigt</translation>
    </message>
    <message>
        <source>measured: seen by driver</source>
        <translation>gemessen: vom Treiber</translation>
    </message>
    <message>
        <source>measuring {1}</source>
        <translation>{1} wird gemessen</translation>
    </message>
    <message>
        <source>median error {n1}</source>
        <translation>mittlerer Fehler (Median) {n1}</translation>
    </message>
    <message>
        <source>memory in use</source>
        <translation>benutzter Speicher</translation>
    </message>
    <message>
        <source>memory traffic of the device</source>
        <translation>Speicherverkehr des Geräts</translation>
    </message>
    <message>
        <source>memory {n1} → {2} {n3}</source>
        <translation>Speicher {n1} → {2} {n3}</translation>
    </message>
    <message>
        <source>mend the data or its pipeline; the message is its own</source>
        <translation>die Daten oder ihre Pipeline in Ordnung bringen; die Meldung ist ihre eigene</translation>
    </message>
    <message>
        <source>mend the model; the message is its own</source>
        <translation>das Modell in Ordnung bringen; die Meldung ist seine eigene</translation>
    </message>
    <message>
        <source>more room</source>
        <translation>mehr Platz</translation>
    </message>
    <message>
        <source>more than 0 bytes</source>
        <translation>mehr als 0 Byte</translation>
    </message>
    <message>
        <source>moving average</source>
        <translation>gleitender Mittelwert</translation>
    </message>
    <message>
        <source>moving data</source>
        <translation>Bewegen von Daten</translation>
    </message>
    <message>
        <source>name your own folder or file with --dataset</source>
        <translation>mit --dataset einen eigenen Ordner oder eine eigene Datei nennen</translation>
    </message>
    <message>
        <source>native code divided by zero</source>
        <translation>nativer Code teilte durch null</translation>
    </message>
    <message>
        <source>native code gave up after a check of its own failed</source>
        <translation>nativer Code gab auf, nachdem eine eigene Prüfung scheiterte</translation>
    </message>
    <message>
        <source>native code touched memory that is not its own</source>
        <translation>nativer Code griff auf fremden Speicher zu</translation>
    </message>
    <message>
        <source>needed</source>
        <translation>benötigt</translation>
    </message>
    <message>
        <source>needed now</source>
        <translation>jetzt benötigt</translation>
    </message>
    <message>
        <source>needed {n1}, had {n2}</source>
        <translation>benötigt {n1}, vorhanden {n2}</translation>
    </message>
    <message>
        <source>neither cpufreq nor /proc/cpuinfo tells a clock</source>
        <translation>weder cpufreq noch /proc/cpuinfo nennt einen Takt</translation>
    </message>
    <message>
        <source>no NVIDIA card</source>
        <translation>keine NVIDIA-Karte</translation>
    </message>
    <message>
        <source>no NVIDIA driver is installed</source>
        <translation>kein NVIDIA-Treiber ist installiert</translation>
    </message>
    <message>
        <source>no answer: {1}</source>
        <translation>keine Antwort: {1}</translation>
    </message>
    <message>
        <source>no battery</source>
        <translation>kein Akku</translation>
    </message>
    <message>
        <source>no cache</source>
        <translation>ohne Puffer</translation>
    </message>
    <message>
        <source>no card at all</source>
        <translation>gar keine Karte</translation>
    </message>
    <message>
        <source>no card found</source>
        <translation>keine Karte gefunden</translation>
    </message>
    <message>
        <source>no card found (NVIDIA: {1})</source>
        <translation>keine Karte gefunden (NVIDIA: {1})</translation>
    </message>
    <message>
        <source>no card was used, or its driver tells neither energy nor power</source>
        <translation>keine Karte wurde benutzt, oder ihr Treiber nennt weder Energie noch Leistung</translation>
    </message>
    <message>
        <source>no dataset chosen: no epoch time</source>
        <translation>kein Datensatz gewählt: keine Dauer einer Epoche</translation>
    </message>
    <message>
        <source>no driver is loaded: it</source>
        <translation>kein Treiber ist geladen: er</translation>
    </message>
    <message>
        <source>no encoded image found; features</source>
        <translation>kein kodiertes Bild gefunden; Merkmale</translation>
    </message>
    <message>
        <source>no framework is installed in this interpreter</source>
        <translation>in diesem Interpreter ist kein Framework installiert</translation>
    </message>
    <message>
        <source>no image can be read</source>
        <translation>kein Bild ist lesbar</translation>
    </message>
    <message>
        <source>no input</source>
        <translation>keine Eingabe</translation>
    </message>
    <message>
        <source>no input of this model is a{1} {2}</source>
        <translation>keine Eingabe dieses Modells ist vom Typ {2}{1}</translation>
    </message>
    <message>
        <source>no label found</source>
        <translation>kein Label gefunden</translation>
    </message>
    <message>
        <source>no layer of this model takes LoRA weights</source>
        <translation>keine Schicht dieses Modells nimmt LoRA-Gewichte</translation>
    </message>
    <message>
        <source>no layer to freeze has this name</source>
        <translation>keine einzufrierende Schicht heißt so</translation>
    </message>
    <message>
        <source>no layer to leave out has this name</source>
        <translation>keine wegzulassende Schicht heißt so</translation>
    </message>
    <message>
        <source>no limit is set</source>
        <translation>keine Grenze ist gesetzt</translation>
    </message>
    <message>
        <source>no memory left</source>
        <translation>kein Speicher übrig</translation>
    </message>
    <message>
        <source>no optimizer state is kept; expect to tune the learning rate</source>
        <translation>kein Optimiererzustand wird behalten; die Lernrate ist wohl neu einzustellen</translation>
    </message>
    <message>
        <source>no step is marked in the profile</source>
        <translation>kein Schritt ist in der Aufzeichnung markiert</translation>
    </message>
    <message>
        <source>no step was profiled, because one takes {n1}{2}</source>
        <translation>kein Schritt wurde aufgezeichnet, denn einer dauert {n1}{2}</translation>
    </message>
    <message>
        <source>no such run</source>
        <translation>kein solcher Lauf</translation>
    </message>
    <message>
        <source>no table of rates for this compute capability</source>
        <translation>keine Ratentabelle für diese Compute Capability</translation>
    </message>
    <message>
        <source>nobody knows how many samples an epoch has</source>
        <translation>niemand weiß, wie viele Beispiele eine Epoche hat</translation>
    </message>
    <message>
        <source>nobody knows how many samples the data has: one batch was used instead of one array of all data</source>
        <translation>niemand weiß, wie viele Beispiele die Daten haben: ein Batch wurde benutzt statt eines Arrays aller Daten</translation>
    </message>
    <message>
        <source>nobody knows how many samples this data has</source>
        <translation>niemand weiß, wie viele Beispiele diese Daten haben</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>not a memory size</source>
        <translation>keine Speichergröße</translation>
    </message>
    <message>
        <source>not a thread count</source>
        <translation>keine Zahl von Threads</translation>
    </message>
    <message>
        <source>not an image size</source>
        <translation>keine Bildgröße</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message>
        <source>not available: JAX keeps no count on a CPU, and a step that is not compiled has no plan</source>
        <translation>nicht verfügbar: JAX zählt auf einer CPU nicht mit, und ein nicht kompilierter Schritt hat keinen Plan</translation>
    </message>
    <message>
        <source>not available: PyTorch keeps no count of tensors on this device</source>
        <translation>nicht verfügbar: PyTorch zählt auf diesem Gerät keine Tensoren</translation>
    </message>
    <message>
        <source>not enough for all decoded data ({n1} needed, {n2} free): a cache of it would swap</source>
        <translation>zu wenig für alle dekodierten Daten ({n1} benötigt, {n2} frei): ein Puffer dafür würde auslagern</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>not known: what the programs here use could not be read</source>
        <translation>nicht bekannt: was die Programme hier belegen, war nicht lesbar</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>noch nicht gemessen</translation>
    </message>
    <message>
        <source>not measured: this part is simulated</source>
        <translation>nicht gemessen: dieser Teil ist simuliert</translation>
    </message>
    <message>
        <source>not traced yet</source>
        <translation>noch nicht untersucht</translation>
    </message>
    <message>
        <source>number too long</source>
        <translation>Zahl zu lang</translation>
    </message>
    <message>
        <source>numbers of at least 1</source>
        <translation>Zahlen von mindestens 1</translation>
    </message>
    <message>
        <source>numbers or images</source>
        <translation>Zahlen oder Bilder</translation>
    </message>
    <message>
        <source>numbers, and a label in the last column</source>
        <translation>Zahlen, und ein Label in der letzten Spalte</translation>
    </message>
    <message>
        <source>of the step</source>
        <translation>des Schritts</translation>
    </message>
    <message>
        <source>of which {n1} are trained</source>
        <translation>davon {n1} trainiert</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>on battery the processor and the card run at reduced clocks</source>
        <translation>im Akkubetrieb laufen Prozessor und Karte mit weniger Takt</translation>
    </message>
    <message>
        <source>on the card, and once more in RAM</source>
        <translation>auf der Karte, und noch einmal im RAM</translation>
    </message>
    <message>
        <source>one GRU layer of 128 units</source>
        <translation>eine GRU-Schicht mit 128 Einheiten</translation>
    </message>
    <message>
        <source>one LSTM layer of 128 units</source>
        <translation>eine LSTM-Schicht mit 128 Einheiten</translation>
    </message>
    <message>
        <source>one core</source>
        <translation>ein Kern</translation>
    </message>
    <message>
        <source>one number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>one number as output</source>
        <translation>eine Zahl als Ausgabe</translation>
    </message>
    <message>
        <source>one of</source>
        <translation>eines von</translation>
    </message>
    <message>
        <source>one of {1}</source>
        <translation>eines von {1}</translation>
    </message>
    <message>
        <source>only NVIDIA cards have one</source>
        <translation>nur NVIDIA-Karten haben einen</translation>
    </message>
    <message>
        <source>only NVIDIA cards have them</source>
        <translation>nur NVIDIA-Karten haben sie</translation>
    </message>
    <message>
        <source>only a range is known, and it crosses what may be used; `bench` with the same options measures</source>
        <translation>nur eine Spanne ist bekannt, und sie reicht über das Nutzbare hinaus; `bench` mit denselben Optionen misst es</translation>
    </message>
    <message>
        <source>only root may read the firmware&apos;s memory table, and udev has no copy of it</source>
        <translation>nur root darf die Speichertabelle der Firmware lesen, und udev hat keine Kopie davon</translation>
    </message>
    <message>
        <source>only root may read the processor&apos;s energy counter (since Linux 5.10)</source>
        <translation>nur root darf den Energiezähler des Prozessors lesen (seit Linux 5.10)</translation>
    </message>
    <message>
        <source>only the batches at hand are on the device</source>
        <translation>nur die gerade benutzten Batches liegen auf dem Gerät</translation>
    </message>
    <message>
        <source>only the folder {1} is counted: an epoch goes through the training data</source>
        <translation>nur der Ordner {1} wird gezählt: eine Epoche geht durch die Trainingsdaten</translation>
    </message>
    <message>
        <source>op-by-op execution needs less memory for some networks</source>
        <translation>Operation für Operation auszuführen braucht bei manchen Netzen weniger Speicher</translation>
    </message>
    <message>
        <source>open the .json at https://ui.perfetto.dev or chrome://tracing, or the folder with `xprof --logdir`</source>
        <translation>die .json unter https://ui.perfetto.dev oder chrome://tracing öffnen, oder den Ordner mit `xprof --logdir`</translation>
    </message>
    <message>
        <source>operating system</source>
        <translation>Betriebssystem</translation>
    </message>
    <message>
        <source>operations in the traced step</source>
        <translation>Operationen im untersuchten Schritt</translation>
    </message>
    <message>
        <source>operations run in the order of TensorFlow&apos;s executor with the device&apos;s threads</source>
        <translation>Operationen laufen in der Reihenfolge von TensorFlows Executor mit den Threads des Geräts</translation>
    </message>
    <message>
        <source>operations that XLA knows</source>
        <translation>Operationen, die XLA kennt</translation>
    </message>
    <message>
        <source>operations timed on this machine</source>
        <translation>auf diesem Rechner gemessene Operationen</translation>
    </message>
    <message>
        <source>optimizer {1} keeps its state in float32 for every trainable weight</source>
        <translation>der Optimierer {1} hält seinen Zustand in float32 für jedes trainierbare Gewicht</translation>
    </message>
    <message>
        <source>or a list such as precision=float32,mixed_float16</source>
        <translation>oder eine Liste wie precision=float32,mixed_float16</translation>
    </message>
    <message>
        <source>other layers only</source>
        <translation>nur andere Schichten</translation>
    </message>
    <message>
        <source>other programs used {n1} % of the processor meanwhile</source>
        <translation>andere Programme belegten derweil {n1} % des Prozessors</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>Speicher reichte nicht</translation>
    </message>
    <message>
        <source>over {1} from {2} to {3}</source>
        <translation>{1} von {2} bis {3}</translation>
    </message>
    <message>
        <source>pad the sequences to one length and save them as an array of integers</source>
        <translation>die Sequenzen auf eine Länge auffüllen und als Array ganzer Zahlen speichern</translation>
    </message>
    <message>
        <source>parent and child must be of the same version</source>
        <translation>Eltern- und Kindprozess müssen dieselbe Version haben</translation>
    </message>
    <message>
        <source>patches of 16×16 pixels</source>
        <translation>Kacheln von 16×16 Pixeln</translation>
    </message>
    <message>
        <source>peak until then</source>
        <translation>Spitze bis dahin</translation>
    </message>
    <message>
        <source>peaks of the batches {1}</source>
        <translation>Spitzen der Batches {1}</translation>
    </message>
    <message>
        <source>platform profile {1}</source>
        <translation>Plattformprofil {1}</translation>
    </message>
    <message>
        <source>power brake</source>
        <translation>Leistungsbremse</translation>
    </message>
    <message>
        <source>power limit</source>
        <translation>Leistungsgrenze</translation>
    </message>
    <message>
        <source>power source read now</source>
        <translation>Stromquelle jetzt gelesen</translation>
    </message>
    <message>
        <source>precision {1} instead of the file&apos;s {2}</source>
        <translation>Genauigkeit {1} statt {2} der Datei</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>predicted against measured here</source>
        <translation>hier vorhergesagt gegen gemessen</translation>
    </message>
    <message>
        <source>price facts collected in skypilot-org/skypilot-catalog catalogs/v8/lambda/vms.csv</source>
        <translation>Preise gesammelt in skypilot-org/skypilot-catalog catalogs/v8/lambda/vms.csv</translation>
    </message>
    <message>
        <source>price facts collected in skypilot-org/skypilot-catalog catalogs/v8/runpod/vms.csv</source>
        <translation>Preise gesammelt in skypilot-org/skypilot-catalog catalogs/v8/runpod/vms.csv</translation>
    </message>
    <message>
        <source>price facts collected in skypilot-org/skypilot-catalog catalogs/v8/verda/vms.csv</source>
        <translation>Preise gesammelt in skypilot-org/skypilot-catalog catalogs/v8/verda/vms.csv</translation>
    </message>
    <message>
        <source>products run on tensor cores and activations take half the memory</source>
        <translation>Produkte laufen auf Tensorkernen, und Aktivierungen brauchen den halben Speicher</translation>
    </message>
    <message>
        <source>profiling one step</source>
        <translation>ein Schritt wird aufgezeichnet</translation>
    </message>
    <message>
        <source>ram</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>random values</source>
        <translation>Zufallswerte</translation>
    </message>
    <message>
        <source>rate for convolutions</source>
        <translation>Rate für Faltungen</translation>
    </message>
    <message>
        <source>rates measured on this machine</source>
        <translation>auf diesem Rechner gemessene Raten</translation>
    </message>
    <message>
        <source>read from the driver</source>
        <translation>vom Treiber gelesen</translation>
    </message>
    <message>
        <source>reading data only</source>
        <translation>nur Daten lesen</translation>
    </message>
    <message>
        <source>reading files only</source>
        <translation>nur Dateien lesen</translation>
    </message>
    <message>
        <source>reading the record</source>
        <translation>Aufzeichnung wird gelesen</translation>
    </message>
    <message>
        <source>reading {n1}</source>
        <translation>Lesen {n1}</translation>
    </message>
    <message>
        <source>received {1}</source>
        <translation>erhalten {1}</translation>
    </message>
    <message>
        <source>records that are no tf.train.Example</source>
        <translation>Datensätze, die kein tf.train.Example sind</translation>
    </message>
    <message>
        <source>refined</source>
        <translation>verfeinert</translation>
    </message>
    <message>
        <source>reinstall {1} in this interpreter</source>
        <translation>{1} in diesem Interpreter neu installieren</translation>
    </message>
    <message>
        <source>replaying the requests at batch {1}</source>
        <translation>die Anforderungen werden bei Batch {1} nachgespielt</translation>
    </message>
    <message>
        <source>restart the machine after a driver update; close other programs that use the card</source>
        <translation>nach einem Treiberupdate den Rechner neu starten; andere Programme schließen, die die Karte nutzen</translation>
    </message>
    <message>
        <source>restart the machine; check power and slot</source>
        <translation>den Rechner neu starten; Strom und Steckplatz prüfen</translation>
    </message>
    <message>
        <source>round {n1} of {2}</source>
        <translation>Runde {n1} von {2}</translation>
    </message>
    <message>
        <source>rows of one length</source>
        <translation>Zeilen gleicher Länge</translation>
    </message>
    <message>
        <source>run it on the CPU (--device cpu), or exchange the layer that needs this operation</source>
        <translation>auf der CPU laufen lassen (--device cpu), oder die Schicht austauschen, die diese Operation braucht</translation>
    </message>
    <message>
        <source>run it with --device cpu to see whether the device&apos;s driver is the cause</source>
        <translation>mit --device cpu laufen lassen, um zu sehen, ob der Treiber des Geräts der Grund ist</translation>
    </message>
    <message>
        <source>run it without XLA (--no-jit)</source>
        <translation>ohne XLA laufen lassen (--no-jit)</translation>
    </message>
    <message>
        <source>run it without torch.compile (--no-jit)</source>
        <translation>ohne torch.compile laufen lassen (--no-jit)</translation>
    </message>
    <message>
        <source>run {1} cannot be read</source>
        <translation>Lauf {1} ist nicht lesbar</translation>
    </message>
    <message>
        <source>run {1} has no trace</source>
        <translation>Lauf {1} hat keine Aufzeichnung</translation>
    </message>
    <message>
        <source>run {1} of this model on this machine</source>
        <translation>Lauf {1} dieses Modells auf diesem Rechner</translation>
    </message>
    <message>
        <source>run {1} was of an earlier version of this file: it counts like a run of another model</source>
        <translation>Lauf {1} war einer früheren Fassung dieser Datei: er zählt wie der Lauf eines anderen Modells</translation>
    </message>
    <message>
        <source>runs of {1} on this device</source>
        <translation>Läufe von {1} auf diesem Gerät</translation>
    </message>
    <message>
        <source>runs op by op and frees in another order</source>
        <translation>läuft Operation für Operation und gibt in anderer Reihenfolge frei</translation>
    </message>
    <message>
        <source>save it with model.save(&apos;name.keras&apos;)</source>
        <translation>mit model.save(&apos;name.keras&apos;) speichern</translation>
    </message>
    <message>
        <source>save it with model.save(), not with save_weights()</source>
        <translation>mit model.save() speichern, nicht mit save_weights()</translation>
    </message>
    <message>
        <source>save the model with its vocabulary inside</source>
        <translation>das Modell mit seinem Vokabular speichern</translation>
    </message>
    <message>
        <source>save the table as CSV in UTF-8</source>
        <translation>die Tabelle als CSV in UTF-8 speichern</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>umgerechnet</translation>
    </message>
    <message>
        <source>scratch that kernels were granted</source>
        <translation>Zwischenspeicher, den Kernel bekamen</translation>
    </message>
    <message>
        <source>see allowed</source>
        <translation>siehe „erlaubt“</translation>
    </message>
    <message>
        <source>sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>sequence length {1}</source>
        <translation>Sequenzlänge {1}</translation>
    </message>
    <message>
        <source>set KERAS_BACKEND={1}: {2} in this interpreter can use the card</source>
        <translation>KERAS_BACKEND={1} setzen: {2} in diesem Interpreter kann die Karte nutzen</translation>
    </message>
    <message>
        <source>several datasets are called that</source>
        <translation>mehrere Datensätze heißen so</translation>
    </message>
    <message>
        <source>shape:samples:classes such as 28x28x1:60000:10</source>
        <translation>Form:Beispiele:Klassen wie 28x28x1:60000:10</translation>
    </message>
    <message>
        <source>share of the memory both use</source>
        <translation>Anteil am Speicher, den beide nutzen</translation>
    </message>
    <message>
        <source>signal {1}</source>
        <translation>Signal {1}</translation>
    </message>
    <message>
        <source>signal {1}: {2}</source>
        <translation>Signal {1}: {2}</translation>
    </message>
    <message>
        <source>simulated card {1}: {2} free, the rest held by a usual desktop</source>
        <translation>simulierte Karte {1}: {2} frei, den Rest belegt ein üblicher Desktop</translation>
    </message>
    <message>
        <source>sizes are lines through batch {1} and {2}, requests come in the order of batch {3}</source>
        <translation>Größen liegen auf Geraden durch Batch {1} und {2}, Anforderungen kommen in der Reihenfolge von Batch {3}</translation>
    </message>
    <message>
        <source>slots are new then</source>
        <translation>dann entstehen die Zustände</translation>
    </message>
    <message>
        <source>slower than now</source>
        <translation>langsamer als jetzt</translation>
    </message>
    <message>
        <source>something in the model writes to descriptors that are not its own</source>
        <translation>etwas im Modell schreibt auf fremde Deskriptoren</translation>
    </message>
    <message>
        <source>stack overflow</source>
        <translation>Stapelüberlauf</translation>
    </message>
    <message>
        <source>start the container with access to the card (docker run --gpus all)</source>
        <translation>den Container mit Zugriff auf die Karte starten (docker run --gpus all)</translation>
    </message>
    <message>
        <source>starting the input pipeline</source>
        <translation>Eingabe-Pipeline wird gestartet</translation>
    </message>
    <message>
        <source>state of XLA</source>
        <translation>Zustand von XLA</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>steps are long: {1} instead of {2} warm-up steps</source>
        <translation>Schritte sind lang: {1} statt {2} Aufwärmschritte</translation>
    </message>
    <message>
        <source>steps on {1} are not profiled</source>
        <translation>Schritte mit {1} werden nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>stopped because it held {n1} of this machine&apos;s memory and {n2} is all that can be spared</source>
        <translation>beendet, weil er {n1} des Speichers dieses Rechners belegte und nur {n2} entbehrlich sind</translation>
    </message>
    <message>
        <source>stopped because it took too much of this machine&apos;s memory</source>
        <translation>beendet, weil er zu viel vom Speicher dieses Rechners nahm</translation>
    </message>
    <message>
        <source>sum of sizes</source>
        <translation>Summe der Größen</translation>
    </message>
    <message>
        <source>sysctl does not tell</source>
        <translation>sysctl sagt es nicht</translation>
    </message>
    <message>
        <source>tabular classification</source>
        <translation>Tabellenklassifikation</translation>
    </message>
    <message>
        <source>tensorflow {1}</source>
        <translation>tensorflow {1}</translation>
    </message>
    <message>
        <source>tensorflow-metal {1}</source>
        <translation>tensorflow-metal {1}</translation>
    </message>
    <message>
        <source>tensorflow/python/data/util/structure.py</source>
        <translation>tensorflow/python/data/util/structure.py</translation>
    </message>
    <message>
        <source>text classification</source>
        <translation>Textklassifikation</translation>
    </message>
    <message>
        <source>text or rows of tokens</source>
        <translation>Text oder Zeilen von Token</translation>
    </message>
    <message>
        <source>the NVIDIA driver answered with garbage</source>
        <translation>der NVIDIA-Treiber antwortete mit Unsinn</translation>
    </message>
    <message>
        <source>the NVIDIA driver did not answer in time</source>
        <translation>der NVIDIA-Treiber antwortete nicht rechtzeitig</translation>
    </message>
    <message>
        <source>the NVIDIA driver does not allow it to this user</source>
        <translation>der NVIDIA-Treiber erlaubt es diesem Benutzer nicht</translation>
    </message>
    <message>
        <source>the NVIDIA driver does not find it</source>
        <translation>der NVIDIA-Treiber findet es nicht</translation>
    </message>
    <message>
        <source>the NVIDIA driver has a problem with the card&apos;s interrupt</source>
        <translation>der NVIDIA-Treiber hat ein Problem mit dem Interrupt der Karte</translation>
    </message>
    <message>
        <source>the NVIDIA driver is installed but not loaded; restart the machine</source>
        <translation>der NVIDIA-Treiber ist installiert, aber nicht geladen; den Rechner neu starten</translation>
    </message>
    <message>
        <source>the NVIDIA driver is too old to tell</source>
        <translation>der NVIDIA-Treiber ist zu alt, um es zu sagen</translation>
    </message>
    <message>
        <source>the NVIDIA driver was updated; restart the machine to use it</source>
        <translation>der NVIDIA-Treiber wurde erneuert; zum Benutzen den Rechner neu starten</translation>
    </message>
    <message>
        <source>the NVIDIA driver {1} supports CUDA {2}, {3} needs CUDA {4}</source>
        <translation>der NVIDIA-Treiber {1} unterstützt CUDA {2}, {3} braucht CUDA {4}</translation>
    </message>
    <message>
        <source>the TFRecord file is broken at {1}</source>
        <translation>die TFRecord-Datei ist beschädigt bei {1}</translation>
    </message>
    <message>
        <source>the allocator wrote no events</source>
        <translation>der Allokator schrieb keine Ereignisse</translation>
    </message>
    <message>
        <source>the amdgpu driver does not answer</source>
        <translation>der Treiber amdgpu antwortet nicht</translation>
    </message>
    <message>
        <source>the amdgpu driver is not loaded for this card</source>
        <translation>der Treiber amdgpu ist für diese Karte nicht geladen</translation>
    </message>
    <message>
        <source>the array holds Python objects</source>
        <translation>das Array enthält Python-Objekte</translation>
    </message>
    <message>
        <source>the arrays have no names that are known</source>
        <translation>die Arrays haben keine bekannten Namen</translation>
    </message>
    <message>
        <source>the batch that the function returns fixes the input size</source>
        <translation>der Batch, den die Funktion liefert, legt die Eingabegröße fest</translation>
    </message>
    <message>
        <source>the batch that the function returns is empty</source>
        <translation>der Batch, den die Funktion liefert, ist leer</translation>
    </message>
    <message>
        <source>the body is not an object</source>
        <translation>der Inhalt ist kein Objekt</translation>
    </message>
    <message>
        <source>the build carries no code for compute capability {1}</source>
        <translation>das Build enthält keinen Code für Compute Capability {1}</translation>
    </message>
    <message>
        <source>the cache was still being filled: later epochs will be faster than this</source>
        <translation>der Puffer füllte sich noch: spätere Epochen werden schneller sein</translation>
    </message>
    <message>
        <source>the card does not tell</source>
        <translation>die Karte sagt es nicht</translation>
    </message>
    <message>
        <source>the card must be reset before it answers again; restart the machine</source>
        <translation>die Karte muss zurückgesetzt werden, bevor sie wieder antwortet; den Rechner neu starten</translation>
    </message>
    <message>
        <source>the card slowed down for its heat or power supply {n1} of the time</source>
        <translation>die Karte bremste {n1} der Zeit wegen Hitze oder Stromversorgung</translation>
    </message>
    <message>
        <source>the card table knows it, of cards that start below their highest clock</source>
        <translation>die Kartentabelle kennt ihn, bei Karten, die unter ihrem höchsten Takt anlaufen</translation>
    </message>
    <message>
        <source>the card was lost: it no longer answers the driver</source>
        <translation>die Karte ging verloren: sie antwortet dem Treiber nicht mehr</translation>
    </message>
    <message>
        <source>the card was lost: it no longer answers the driver; restart the machine</source>
        <translation>die Karte ging verloren: sie antwortet dem Treiber nicht mehr; den Rechner neu starten</translation>
    </message>
    <message>
        <source>the card&apos;s memory was full and steps became {n1} times slower: it spills into the host&apos;s memory</source>
        <translation>der Speicher der Karte war voll und Schritte wurden {n1}-mal langsamer: er läuft in den Speicher des Rechners über</translation>
    </message>
    <message>
        <source>the card&apos;s power cable is not connected</source>
        <translation>das Stromkabel der Karte ist nicht angeschlossen</translation>
    </message>
    <message>
        <source>the card&apos;s power limit held its clock down {n1} of the time</source>
        <translation>die Leistungsgrenze der Karte hielt ihren Takt {n1} der Zeit unten</translation>
    </message>
    <message>
        <source>the child could not allocate memory ({1}): {2}</source>
        <translation>der Kindprozess konnte keinen Speicher bekommen ({1}): {2}</translation>
    </message>
    <message>
        <source>the child ended without an answer ({1}), in the middle of a message{2}</source>
        <translation>der Kindprozess endete ohne Antwort ({1}), mitten in einer Nachricht{2}</translation>
    </message>
    <message>
        <source>the child ended without an answer ({1}){2}</source>
        <translation>der Kindprozess endete ohne Antwort ({1}){2}</translation>
    </message>
    <message>
        <source>the child said nothing for {n1} s during {2} and was ended</source>
        <translation>der Kindprozess sagte {n1} s lang nichts während {2} und wurde beendet</translation>
    </message>
    <message>
        <source>the child sent an unknown kind of message: {1}</source>
        <translation>der Kindprozess sandte eine Nachricht unbekannter Art: {1}</translation>
    </message>
    <message>
        <source>the child speaks version {1}, expected {2}</source>
        <translation>der Kindprozess spricht Version {1}, erwartet {2}</translation>
    </message>
    <message>
        <source>the child took longer than {n1} s</source>
        <translation>der Kindprozess brauchte länger als {n1} s</translation>
    </message>
    <message>
        <source>the child wrote a line longer than {1} bytes</source>
        <translation>der Kindprozess schrieb eine Zeile von mehr als {1} Byte</translation>
    </message>
    <message>
        <source>the child wrote a line that is not a message: {1} ({2})</source>
        <translation>der Kindprozess schrieb eine Zeile, die keine Nachricht ist: {1} ({2})</translation>
    </message>
    <message>
        <source>the child&apos;s calibration was not understood</source>
        <translation>die Kalibrierung des Kindprozesses wurde nicht verstanden</translation>
    </message>
    <message>
        <source>the child&apos;s measurement was not understood</source>
        <translation>die Messung des Kindprozesses wurde nicht verstanden</translation>
    </message>
    <message>
        <source>the classes differ in size: {n1} to {n2} images</source>
        <translation>die Klassen sind verschieden groß: {n1} bis {n2} Bilder</translation>
    </message>
    <message>
        <source>the compiler&apos;s answer holds no buffer assignment</source>
        <translation>die Antwort des Compilers enthält keine Pufferzuteilung</translation>
    </message>
    <message>
        <source>the compiler&apos;s block for everything else</source>
        <translation>der Block des Compilers für alles andere</translation>
    </message>
    <message>
        <source>the configuration inside the model file is too large</source>
        <translation>die Konfiguration in der Modelldatei ist zu groß</translation>
    </message>
    <message>
        <source>the connection to the NVIDIA driver was lost</source>
        <translation>die Verbindung zum NVIDIA-Treiber ging verloren</translation>
    </message>
    <message>
        <source>{1}, batch {n2}</source>
        <translation>{1}, Batch {n2}</translation>
    </message>
    <message>
        <source>{1}, {n2} free</source>
        <translation>{1}, {n2} frei</translation>
    </message>
    <message>
        <source>{n1} cores</source>
        <translation>{n1} Kerne</translation>
    </message>
    <message>
        <source>, with {1}</source>
        <translation>, dabei {1}</translation>
    </message>
    <message>
        <source>.cache(&quot;folder/file&quot;) after decoding to uint8</source>
        <translation>.cache(&quot;ordner/datei&quot;) nach dem Dekodieren zu uint8</translation>
    </message>
    <message>
        <source>.cache() after reading, before decoding</source>
        <translation>.cache() nach dem Lesen, vor dem Dekodieren</translation>
    </message>
    <message>
        <source>.prefetch(tf.data.AUTOTUNE) at the end of the pipeline</source>
        <translation>.prefetch(tf.data.AUTOTUNE) am Ende der Pipeline</translation>
    </message>
    <message>
        <source>: one pass takes {n1} here</source>
        <translation>: ein Durchgang dauert hier {n1}</translation>
    </message>
    <message>
        <source>: the device is idle {n1} of each step</source>
        <translation>: das Gerät steht {n1} jedes Schritts still</translation>
    </message>
    <message>
        <source>Augment on the card instead of the processor</source>
        <translation>Auf der Karte statt auf dem Prozessor augmentieren</translation>
    </message>
    <message>
        <source>Boehm 2022; bandwidth as the A100</source>
        <translation>Boehm 2022; Bandbreite wie bei der A100</translation>
    </message>
    <message>
        <source>Cache images as uint8 instead of float32</source>
        <translation>Bilder als uint8 statt float32 puffern</translation>
    </message>
    <message>
        <source>Cache the encoded files in RAM</source>
        <translation>Die kodierten Dateien im RAM puffern</translation>
    </message>
    <message>
        <source>Cache {n1} of the decoded data in RAM</source>
        <translation>{n1} der dekodierten Daten im RAM puffern</translation>
    </message>
    <message>
        <source>Cool it</source>
        <translation>Kühlung verbessern</translation>
    </message>
    <message>
        <source>Decode and augment on all cores</source>
        <translation>Auf allen Kernen dekodieren und augmentieren</translation>
    </message>
    <message>
        <source>Decode on all {n1} cores instead of {2}</source>
        <translation>Auf allen {n1} Kernen statt auf {2} dekodieren</translation>
    </message>
    <message>
        <source>DeepBench (M40 at 948 MHz, TITAN X); Jia 2018 (M60)</source>
        <translation>DeepBench (M40 bei 948 MHz, TITAN X); Jia 2018 (M60)</translation>
    </message>
    <message>
        <source>DeepBench (MI25, Vega FE); bandwidth as CDNA</source>
        <translation>DeepBench (MI25, Vega FE); Bandbreite wie bei CDNA</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Estimate</source>
        <translation>Schätzung</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>Spanne</translation>
    </message>
    <message>
        <source>It {1} for {2}: {3} is idle {n4} of each step ({5}; {6}).</source>
        <translation>Das Training {1} auf {2}: {3} steht {n4} jedes Schritts still ({5}; {6}).</translation>
    </message>
    <message>
        <source>K measured on your files</source>
        <translation>K, gemessen an Ihren Dateien</translation>
    </message>
    <message>
        <source>Keep {n1} of the decoded data on the card</source>
        <translation>{n1} der dekodierten Daten auf der Karte halten</translation>
    </message>
    <message>
        <source>Keras 3 and TensorFlow, JAX or PyTorch</source>
        <translation>Keras 3 und TensorFlow, JAX oder PyTorch</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Largest batch</source>
        <translation>Größter Batch</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Make batches ahead of the step (prefetch)</source>
        <translation>Batches dem Schritt voraus bereitstellen (Prefetch)</translation>
    </message>
    <message>
        <source>Make {1} usable</source>
        <translation>{1} nutzbar machen</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Measured, and the estimate made before</source>
        <translation>Gemessen, und was vorher geschätzt wurde</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>NeuSight (A100 PCIe 40 GB, which reaches this share at 250 W)</source>
        <translation>NeuSight (A100 PCIe 40 GB, die diesen Anteil bei 250 W erreicht)</translation>
    </message>
    <message>
        <source>NeuSight (MI100, MI210): matrix cores compute float32 as well</source>
        <translation>NeuSight (MI100, MI210): die Matrix-Kerne rechnen auch float32</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Parts of the predicted memory; the table below has the same numbers</source>
        <translation>Teile des vorhergesagten Speichers; die Tabelle darunter hat dieselben Zahlen</translation>
    </message>
    <message>
        <source>Pays off after</source>
        <translation>Lohnt sich nach</translation>
    </message>
    <message>
        <source>Please note</source>
        <translation>Zu beachten</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>Preis</translation>
    </message>
    <message>
        <source>Price of</source>
        <translation>Preis vom</translation>
    </message>
    <message>
        <source>Python {1}, 64 bits, with its venv module</source>
        <translation>Python {1}, 64 Bit, mit seinem Modul venv</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Raise the card&apos;s power limit from {n1} W to {n2} W</source>
        <translation>Die Leistungsgrenze der Karte von {n1} W auf {n2} W anheben</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Store smaller files: resized to what the network takes, or compressed more</source>
        <translation>Kleinere Dateien speichern: auf die Eingabegröße des Netzes verkleinert oder stärker komprimiert</translation>
    </message>
    <message>
        <source>Switch power saving off</source>
        <translation>Energiesparmodus ausschalten</translation>
    </message>
    <message>
        <source>TensorFlow 2017: a K80 takes 4.25 times as long as a P100 over five networks, which takes 1.72 times as long as a V100 over the convolutions of DeepBench; both shares are a V100&apos;s over these two</source>
        <translation>TensorFlow 2017: eine K80 braucht über fünf Netze 4,25-mal so lange wie eine P100, diese über die Faltungen von DeepBench 1,72-mal so lange wie eine V100; beide Anteile sind die einer V100 durch diese beiden</translation>
    </message>
    <message>
        <source>TensorFlow uses no card on Windows itself since 2.11: use WSL2, or PyTorch below Keras</source>
        <translation>TensorFlow nutzt unter Windows selbst seit 2.11 keine Karte: WSL2 verwenden, oder PyTorch unter Keras</translation>
    </message>
    <message>
        <source>TensorFlow was installed but does not run</source>
        <translation>TensorFlow wurde installiert, läuft aber nicht</translation>
    </message>
    <message>
        <source>The figures for programs are inside this file, in the element #willittrain.</source>
        <translation>Die Zahlen für Programme stehen in dieser Datei, im Element #willittrain.</translation>
    </message>
    <message>
        <source>The first epoch takes {n1}: its files come from the disk, and caches are filled; later ones take {n2}.</source>
        <translation>Die erste Epoche dauert {n1}: ihre Dateien kommen von der Platte, und Puffer werden gefüllt; spätere dauern {n2}.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Versions and settings</source>
        <translation>Versionen und Einstellungen</translation>
    </message>
    <message>
        <source>What fills the memory</source>
        <translation>Was den Speicher füllt</translation>
    </message>
    <message>
        <source>What the estimate assumed</source>
        <translation>Was die Schätzung annahm</translation>
    </message>
    <message>
        <source>What to buy or rent, best of each kind first</source>
        <translation>Was zu kaufen oder zu mieten ist, das Beste jeder Art zuerst</translation>
    </message>
    <message>
        <source>What to change, best first</source>
        <translation>Was zu ändern ist, das Beste zuerst</translation>
    </message>
    <message>
        <source>What was trained</source>
        <translation>Was trainiert wurde</translation>
    </message>
    <message>
        <source>Where the numbers come from</source>
        <translation>Woher die Zahlen kommen</translation>
    </message>
    <message>
        <source>`willittrain runtime` lists the Pythons that have it, and makes one; this one is {1}</source>
        <translation>`willittrain runtime` listet die Pythons auf, die es haben, und legt eines an; dieses ist {1}</translation>
    </message>
    <message>
        <source>a Python, or the folder of an environment</source>
        <translation>ein Python oder der Ordner einer Umgebung</translation>
    </message>
    <message>
        <source>a batch of {n1}, {2} times as large, would fit and make it {n3} times as fast: fewer updates in an epoch, which may cost accuracy</source>
        <translation>ein Batch von {n1}, {2}-mal so groß, würde passen und es {n3}-mal so schnell machen: weniger Aktualisierungen je Epoche, was Genauigkeit kosten kann</translation>
    </message>
    <message>
        <source>a faster card</source>
        <translation>eine schnellere Karte</translation>
    </message>
    <message>
        <source>a faster disk</source>
        <translation>eine schnellere Platte</translation>
    </message>
    <message>
        <source>a faster processor</source>
        <translation>ein schnellerer Prozessor</translation>
    </message>
    <message>
        <source>a folder of gpuhunt&apos;s CSV files</source>
        <translation>ein Ordner mit den CSV-Dateien von gpuhunt</translation>
    </message>
    <message>
        <source>a function that returns a Keras model or a dataset</source>
        <translation>eine Funktion, die ein Keras-Modell oder einen Datensatz zurückgibt</translation>
    </message>
    <message>
        <source>a generator on one thread: give fit a PyDataset with workers and use_multiprocessing, or tf.data with num_parallel_calls=tf.data.AUTOTUNE, and prefetch</source>
        <translation>ein Generator auf einem Thread: fit ein PyDataset mit workers und use_multiprocessing geben, oder tf.data mit num_parallel_calls=tf.data.AUTOTUNE und prefetch</translation>
    </message>
    <message>
        <source>a loop turns at least once</source>
        <translation>eine Schleife läuft mindestens einmal</translation>
    </message>
    <message>
        <source>a new board and RAM may be needed; cores are counted as fast as today&apos;s</source>
        <translation>eine neue Hauptplatine und neuer RAM können nötig sein; die Kerne sind so schnell gerechnet wie die heutigen</translation>
    </message>
    <message>
        <source>a text of at most {1} bytes</source>
        <translation>ein Text von höchstens {1} Byte</translation>
    </message>
    <message>
        <source>a {1}-bit Python, for which there are no frameworks</source>
        <translation>ein {1}-Bit-Python, für das es keine Frameworks gibt</translation>
    </message>
    <message>
        <source>above 0, at most 1</source>
        <translation>über 0, höchstens 1</translation>
    </message>
    <message>
        <source>add a row to your own {1}</source>
        <translation>eine Zeile in der eigenen {1} ergänzen</translation>
    </message>
    <message>
        <source>all data: {1}; free for a cache: {n2}</source>
        <translation>alle Daten: {1}; frei für einen Puffer: {n2}</translation>
    </message>
    <message>
        <source>all decoded data fits ({n1} of {n2} free)</source>
        <translation>alle dekodierten Daten passen hinein ({n1} von {n2} frei)</translation>
    </message>
    <message>
        <source>all of it takes {1}, more than the {n2} that are free, and would swap; what is cached need not be read and decoded</source>
        <translation>alles zusammen braucht {1}, mehr als die freien {n2}, und würde auslagern; was gepuffert ist, muss nicht gelesen und dekodiert werden</translation>
    </message>
    <message>
        <source>an index leads nowhere</source>
        <translation>ein Index führt ins Leere</translation>
    </message>
    <message>
        <source>as Ampere</source>
        <translation>wie Ampere</translation>
    </message>
    <message>
        <source>as Ampere, whose lanes and schedulers it has</source>
        <translation>wie Ampere, dessen Recheneinheiten und Scheduler es hat</translation>
    </message>
    <message>
        <source>as the A100</source>
        <translation>wie die A100</translation>
    </message>
    <message>
        <source>asked of the framework</source>
        <translation>beim Framework erfragt</translation>
    </message>
    <message>
        <source>asking TensorFlow</source>
        <translation>TensorFlow wird gefragt</translation>
    </message>
    <message>
        <source>at most {n1} bytes</source>
        <translation>höchstens {n1} Byte</translation>
    </message>
    <message>
        <source>available - kept - TensorFlow - program</source>
        <translation>verfügbar - zurückbehalten - TensorFlow - Programm</translation>
    </message>
    <message>
        <source>by the operations of its step</source>
        <translation>nach den Operationen seines Schritts</translation>
    </message>
    <message>
        <source>cache a part: take(n).cache(), and sample_from_datasets with skip(n); {1}</source>
        <translation>einen Teil puffern: take(n).cache(), und sample_from_datasets mit skip(n); {1}</translation>
    </message>
    <message>
        <source>cannot change {1}</source>
        <translation>{1} lässt sich nicht ändern</translation>
    </message>
    <message>
        <source>cannot remove {1}</source>
        <translation>{1} lässt sich nicht entfernen</translation>
    </message>
    <message>
        <source>choose a Python that has {1} with --python; `willittrain runtime` lists them and makes one</source>
        <translation>mit --python ein Python wählen, das {1} hat; `willittrain runtime` listet sie auf und legt eines an</translation>
    </message>
    <message>
        <source>choose the performance profile of the system</source>
        <translation>das Leistungsprofil des Systems wählen</translation>
    </message>
    <message>
        <source>chosen in the settings</source>
        <translation>in den Einstellungen gewählt</translation>
    </message>
    <message>
        <source>clean fans and filters, give it air; then measure again</source>
        <translation>Lüfter und Filter reinigen, für Luft sorgen; dann erneut messen</translation>
    </message>
    <message>
        <source>close other windows of this program, or set {1} to a folder of your own</source>
        <translation>andere Fenster dieses Programms schließen, oder {1} auf einen eigenen Ordner setzen</translation>
    </message>
    <message>
        <source>close them, or move the screen to another card</source>
        <translation>sie schließen, oder den Bildschirm an eine andere Karte hängen</translation>
    </message>
    <message>
        <source>connect this machine to the network and try again</source>
        <translation>diesen Rechner mit dem Netz verbinden und erneut versuchen</translation>
    </message>
    <message>
        <source>decoded samples of ended benchmarks</source>
        <translation>dekodierte Beispiele beendeter Messungen</translation>
    </message>
    <message>
        <source>encoded files are cached by TensorFlow&apos;s pipeline, not with {1}</source>
        <translation>kodierte Dateien puffert die Pipeline von TensorFlow, nicht mit {1}</translation>
    </message>
    <message>
        <source>epoch {1} → {2} ({n3} to {n4})</source>
        <translation>Epoche {1} → {2} ({n3} bis {n4})</translation>
    </message>
    <message>
        <source>far from what a cache with room gains</source>
        <translation>weit entfernt von dem, was ein Puffer mit Platz bringt</translation>
    </message>
    <message>
        <source>fetching {1} · {n2} MiB</source>
        <translation>{1} wird geholt · {n2} MiB</translation>
    </message>
    <message>
        <source>files of half the size are read in half the time; many small ones in a few TFRecord files are read at the disk&apos;s sequential rate, about twice as fast</source>
        <translation>halb so große Dateien sind in der halben Zeit gelesen; viele kleine in wenigen TFRecord-Dateien werden mit der sequentiellen Rate der Platte gelesen, etwa doppelt so schnell</translation>
    </message>
    <message>
        <source>flips, shifts and rotations of a whole batch cost the card next to nothing, and a cache of decoded images then leaves the host nothing to do; how much of its work is augmentation was not measured, half is assumed</source>
        <translation>Spiegeln, Verschieben und Drehen eines ganzen Batches kosten die Karte fast nichts, und ein Puffer dekodierter Bilder lässt dem Host dann nichts zu tun; wie viel seiner Arbeit Augmentieren ist, wurde nicht gemessen, angenommen ist die Hälfte</translation>
    </message>
    <message>
        <source>free some, or set WILLITTRAIN_DATA_DIR</source>
        <translation>Platz schaffen, oder WILLITTRAIN_DATA_DIR setzen</translation>
    </message>
    <message>
        <source>gpuhunt&apos;s table of this provider (github.com/dstackai/gpuhunt)</source>
        <translation>die Tabelle dieses Anbieters von gpuhunt (github.com/dstackai/gpuhunt)</translation>
    </message>
    <message>
        <source>how fast it would be is not known before a run</source>
        <translation>wie schnell es wäre, ist vor einem Lauf nicht bekannt</translation>
    </message>
    <message>
        <source>if your loader keeps float32, {n1} become {n2}, which fits into the {n3} that are free</source>
        <translation>falls Ihr Lader float32 behält, werden aus {n1} {n2}, was in die freien {n3} passt</translation>
    </message>
    <message>
        <source>impossible number of cores</source>
        <translation>unmögliche Zahl von Kernen</translation>
    </message>
    <message>
        <source>impossible number of input workers</source>
        <translation>unmögliche Zahl von Eingabe-Workern</translation>
    </message>
    <message>
        <source>impossible share to cache</source>
        <translation>unmöglicher Anteil zum Puffern</translation>
    </message>
    <message>
        <source>in a tf.data pipeline: .cache() after decoding to uint8 and before augmenting and casting to float</source>
        <translation>in einer tf.data-Pipeline: .cache() nach dem Dekodieren zu uint8 und vor dem Augmentieren und dem Umwandeln in float</translation>
    </message>
    <message>
        <source>input workers {1}</source>
        <translation>Eingabe-Worker {1}</translation>
    </message>
    <message>
        <source>install one from python.org or with `brew install python@3.12`, or install uv and try again</source>
        <translation>eines von python.org oder mit `brew install python@3.12` installieren, oder uv installieren und erneut versuchen</translation>
    </message>
    <message>
        <source>install one from python.org or with `winget install Python.Python.3.12`, or install uv and try again</source>
        <translation>eines von python.org oder mit `winget install Python.Python.3.12` installieren, oder uv installieren und erneut versuchen</translation>
    </message>
    <message>
        <source>install one, for example with `sudo apt install python3 python3-venv`, or install uv and try again</source>
        <translation>eines installieren, zum Beispiel mit `sudo apt install python3 python3-venv`, oder uv installieren und erneut versuchen</translation>
    </message>
    <message>
        <source>install them there: {1}</source>
        <translation>sie dort installieren: {1}</translation>
    </message>
    <message>
        <source>it cannot be started: {1}</source>
        <translation>es lässt sich nicht starten: {1}</translation>
    </message>
    <message>
        <source>it did not answer within {n1} s</source>
        <translation>es hat nicht innerhalb von {n1} s geantwortet</translation>
    </message>
    <message>
        <source>it is here and idle: {1}</source>
        <translation>sie ist da und tut nichts: {1}</translation>
    </message>
    <message>
        <source>it is no Python that works (exit code {1})</source>
        <translation>es ist kein funktionierendes Python (Exitcode {1})</translation>
    </message>
    <message>
        <source>its card waited for the host to launch kernels, which this card would not</source>
        <translation>seine Karte wartete darauf, dass der Host Kernel startet, was diese Karte nicht täte</translation>
    </message>
    <message>
        <source>its input to be decoded and prepared</source>
        <translation>das Dekodieren und Aufbereiten seiner Eingaben</translation>
    </message>
    <message>
        <source>its step waited for data for {n1} of the time</source>
        <translation>sein Schritt wartete {n1} der Zeit auf Daten</translation>
    </message>
    <message>
        <source>keep what the decoder gives; cast to float after the cache</source>
        <translation>behalten, was der Decoder liefert; erst nach dem Puffer in float umwandeln</translation>
    </message>
    <message>
        <source>keras.config.set_dtype_policy(&quot;{1}&quot;) before the model is built</source>
        <translation>keras.config.set_dtype_policy(&quot;{1}&quot;), bevor das Modell gebaut wird</translation>
    </message>
    <message>
        <source>keras.layers.RandomFlip, RandomRotation, RandomTranslation … as the model&apos;s first layers</source>
        <translation>keras.layers.RandomFlip, RandomRotation, RandomTranslation … als erste Schichten des Modells</translation>
    </message>
    <message>
        <source>later epochs neither read nor decode</source>
        <translation>spätere Epochen lesen und dekodieren nicht mehr</translation>
    </message>
    <message>
        <source>launching operations, not by the work in them</source>
        <translation>das Starten von Operationen, nicht durch die Arbeit darin</translation>
    </message>
    <message>
        <source>looking up packages</source>
        <translation>Pakete werden ermittelt</translation>
    </message>
    <message>
        <source>made by this program</source>
        <translation>von diesem Programm angelegt</translation>
    </message>
    <message>
        <source>making the environment</source>
        <translation>die Umgebung wird angelegt</translation>
    </message>
    <message>
        <source>measured / modelled there, times the model of this card, operation by operation</source>
        <translation>dort gemessen / modelliert, mal dem Modell dieser Karte, Operation für Operation</translation>
    </message>
    <message>
        <source>model.compile(…, jit_compile=False)</source>
        <translation>model.compile(…, jit_compile=False)</translation>
    </message>
    <message>
        <source>model.compile(…, jit_compile=True)</source>
        <translation>model.compile(…, jit_compile=True)</translation>
    </message>
    <message>
        <source>more RAM</source>
        <translation>mehr RAM</translation>
    </message>
    <message>
        <source>more than 0</source>
        <translation>mehr als 0</translation>
    </message>
    <message>
        <source>mostly waits</source>
        <translation>wartet überwiegend</translation>
    </message>
    <message>
        <source>moving tensors through the device&apos;s memory</source>
        <translation>das Bewegen von Tensoren durch den Speicher des Geräts</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>no graphics card is offered: one cannot be put into this machine</source>
        <translation>es wird keine Grafikkarte angeboten: in diesen Rechner lässt sich keine einbauen</translation>
    </message>
    <message>
        <source>no operation makes a weight&apos;s gradient</source>
        <translation>keine Operation liefert den Gradienten eines Gewichts</translation>
    </message>
    <message>
        <source>no prefetch</source>
        <translation>kein Prefetch</translation>
    </message>
    <message>
        <source>no such interpreter</source>
        <translation>diesen Interpreter gibt es nicht</translation>
    </message>
    <message>
        <source>no {1} or {2}</source>
        <translation>kein {1} oder {2}</translation>
    </message>
    <message>
        <source>nobody has published kernel times: as AMD</source>
        <translation>niemand hat Kernelzeiten veröffentlicht: wie AMD</translation>
    </message>
    <message>
        <source>none was found</source>
        <translation>keines wurde gefunden</translation>
    </message>
    <message>
        <source>not everything could be installed</source>
        <translation>nicht alles ließ sich installieren</translation>
    </message>
    <message>
        <source>not needed for a cache: the {n1} fit into the RAM that is there</source>
        <translation>für einen Puffer nicht nötig: die {n1} passen in den vorhandenen RAM</translation>
    </message>
    <message>
        <source>not scaled from {1}</source>
        <translation>nicht umgerechnet aus {1}</translation>
    </message>
    <message>
        <source>not worth it: each step waits for {1}; {2} gains {n3} × at most</source>
        <translation>lohnt sich nicht: jeder Schritt wartet auf {1}; {2} bringt höchstens das {n3}-Fache</translation>
    </message>
    <message>
        <source>not worth it: no faster{1}</source>
        <translation>lohnt sich nicht: nicht schneller{1}</translation>
    </message>
    <message>
        <source>nvidia-smi -i {1} -pl {n2} (as administrator)</source>
        <translation>nvidia-smi -i {1} -pl {n2} (als Administrator)</translation>
    </message>
    <message>
        <source>on JAX</source>
        <translation>auf JAX</translation>
    </message>
    <message>
        <source>on PyTorch</source>
        <translation>auf PyTorch</translation>
    </message>
    <message>
        <source>open it again, to look at it and to let it run</source>
        <translation>sie erneut öffnen, um sie anzusehen und ausführen zu lassen</translation>
    </message>
    <message>
        <source>out of range</source>
        <translation>außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>out of range: neither the driver nor the card table knows how fast {1} is</source>
        <translation>außerhalb des Bereichs: weder der Treiber noch die Kartentabelle weiß, wie schnell {1} ist</translation>
    </message>
    <message>
        <source>out of range: {1} has no units for bfloat16; mixed_float16 it can</source>
        <translation>außerhalb des Bereichs: {1} hat keine Einheiten für bfloat16; mixed_float16 geht</translation>
    </message>
    <message>
        <source>partly waits</source>
        <translation>wartet teilweise</translation>
    </message>
    <message>
        <source>plug it in and measure again</source>
        <translation>ans Netz anschließen und erneut messen</translation>
    </message>
    <message>
        <source>power limit read now</source>
        <translation>Leistungsgrenze eben gelesen</translation>
    </message>
    <message>
        <source>products as Volta, its relative; bandwidth NeuSight (T4)</source>
        <translation>Produkte wie beim verwandten Volta; Bandbreite NeuSight (T4)</translation>
    </message>
    <message>
        <source>raw profiles of runs</source>
        <translation>Rohprofile von Läufen</translation>
    </message>
    <message>
        <source>refined answers</source>
        <translation>verfeinerte Antworten</translation>
    </message>
    <message>
        <source>rename the file or its folder</source>
        <translation>die Datei oder ihren Ordner umbenennen</translation>
    </message>
    <message>
        <source>rename the folder or the file</source>
        <translation>den Ordner oder die Datei umbenennen</translation>
    </message>
    <message>
        <source>resize once before training; tf.io.TFRecordWriter</source>
        <translation>einmal vor dem Training verkleinern; tf.io.TFRecordWriter</translation>
    </message>
    <message>
        <source>rule of thumb of case S1, and the offers&apos; prices</source>
        <translation>Faustregel des Falls S1 und die Preise der Angebote</translation>
    </message>
    <message>
        <source>run {1} on {2}</source>
        <translation>Lauf {1} auf {2}</translation>
    </message>
    <message>
        <source>samples are read and decoded at once, not one after the other</source>
        <translation>Beispiele werden gleichzeitig gelesen und dekodiert, nicht nacheinander</translation>
    </message>
    <message>
        <source>scaled from {1}</source>
        <translation>umgerechnet aus {1}</translation>
    </message>
    <message>
        <source>shard the files, keep them in the provider&apos;s storage near the machine</source>
        <translation>die Dateien in Shards teilen und beim Anbieter nahe der Maschine speichern</translation>
    </message>
    <message>
        <source>sides of 0 or more, that a file could hold</source>
        <translation>Seiten von 0 oder mehr, die eine Datei fassen könnte</translation>
    </message>
    <message>
        <source>somebody has set it below what the card is made for; where power holds the clock down, it rises with the cube root</source>
        <translation>jemand hat sie niedriger gesetzt, als die Karte ausgelegt ist; wo die Leistung den Takt begrenzt, steigt er mit der Kubikwurzel</translation>
    </message>
    <message>
        <source>stages of the step</source>
        <translation>Abschnitte des Schritts</translation>
    </message>
    <message>
        <source>stages of your run</source>
        <translation>Abschnitte Ihres Laufs</translation>
    </message>
    <message>
        <source>start it by `python3 packaging/launch.py`, or install it with pip</source>
        <translation>mit `python3 packaging/launch.py` starten, oder mit pip installieren</translation>
    </message>
    <message>
        <source>step time from the card&apos;s data sheet and what kernels of its architecture reach of it</source>
        <translation>Schrittdauer aus dem Datenblatt der Karte und dem, was Kernel ihrer Architektur davon erreichen</translation>
    </message>
    <message>
        <source>stock TensorFlow carries no code for this card: use NVIDIA&apos;s container, or PyTorch below Keras</source>
        <translation>das übliche TensorFlow enthält keinen Code für diese Karte: NVIDIAs Container verwenden, oder PyTorch unter Keras</translation>
    </message>
    <message>
        <source>swapping, an epoch would take {n1}, {2}</source>
        <translation>beim Auslagern würde eine Epoche {n1} dauern, {2}</translation>
    </message>
    <message>
        <source>text in UTF-8, at most {1} bytes for each part of a path</source>
        <translation>Text in UTF-8, höchstens {1} Byte für jeden Teil eines Pfades</translation>
    </message>
    <message>
        <source>tf.data: .apply(tf.data.experimental.copy_to_device(&quot;/gpu:0&quot;)).cache() after decoding</source>
        <translation>tf.data: .apply(tf.data.experimental.copy_to_device(&quot;/gpu:0&quot;)).cache() nach dem Dekodieren</translation>
    </message>
    <message>
        <source>tf.data: map(…, num_parallel_calls=tf.data.AUTOTUNE); keras.utils.PyDataset(workers=…, use_multiprocessing=True)</source>
        <translation>tf.data: map(…, num_parallel_calls=tf.data.AUTOTUNE); keras.utils.PyDataset(workers=…, use_multiprocessing=True)</translation>
    </message>
    <message>
        <source>the active conda environment</source>
        <translation>die aktive Conda-Umgebung</translation>
    </message>
    <message>
        <source>the active environment</source>
        <translation>die aktive Umgebung</translation>
    </message>
    <message>
        <source>the array cannot have this shape</source>
        <translation>das Array kann diese Form nicht haben</translation>
    </message>
    <message>
        <source>the computer slept or stood still for {n1} s meanwhile</source>
        <translation>der Rechner schlief oder stand zwischendurch {n1} s still</translation>
    </message>
    <message>
        <source>the data came to its end and gave no batch when it was begun anew</source>
        <translation>die Daten gingen zu Ende und gaben beim Neubeginn keinen Batch</translation>
    </message>
    <message>
        <source>the data cannot be read</source>
        <translation>die Daten sind nicht lesbar</translation>
    </message>
    <message>
        <source>the data does not have the shape that the model takes</source>
        <translation>die Daten haben nicht die Form, die das Modell nimmt</translation>
    </message>
    <message>
        <source>the data is held as one array, but nobody knows how many samples it has: it is not counted</source>
        <translation>die Daten liegen als ein Array, aber niemand weiß, wie viele Beispiele es hat: es ist nicht mitgezählt</translation>
    </message>
    <message>
        <source>the data is not on this machine</source>
        <translation>die Daten sind nicht auf diesem Rechner</translation>
    </message>
    <message>
        <source>the data was made up (right shape and type): reading it takes TensorFlow, which this interpreter has not</source>
        <translation>die Daten wurden erfunden (richtige Form, richtiger Typ): sie zu lesen braucht TensorFlow, das dieser Interpreter nicht hat</translation>
    </message>
    <message>
        <source>the data was made up (right shape and type): time to read and decode is not included</source>
        <translation>die Daten wurden erfunden (richtige Form, richtiger Typ): die Zeit zum Lesen und Dekodieren ist nicht enthalten</translation>
    </message>
    <message>
        <source>the data&apos;s file is not the one that you let run</source>
        <translation>die Datei der Daten ist nicht die, die Sie ausführen ließen</translation>
    </message>
    <message>
        <source>the dataset as one array</source>
        <translation>der Datensatz als ein Array</translation>
    </message>
    <message>
        <source>the dataset does not fill one batch</source>
        <translation>der Datensatz füllt keinen Batch</translation>
    </message>
    <message>
        <source>the dataset is not described</source>
        <translation>der Datensatz ist nicht beschrieben</translation>
    </message>
    <message>
        <source>the decoded data cached in RAM</source>
        <translation>die dekodierten Daten im RAM gepuffert</translation>
    </message>
    <message>
        <source>the decoded data cached on disk</source>
        <translation>die dekodierten Daten auf der Platte gepuffert</translation>
    </message>
    <message>
        <source>the device computes {n1} of the time, and</source>
        <translation>das Gerät rechnet {n1} der Zeit, und</translation>
    </message>
    <message>
        <source>the device does not say how much memory is free</source>
        <translation>das Gerät sagt nicht, wie viel Speicher frei ist</translation>
    </message>
    <message>
        <source>the disk</source>
        <translation>die Festplatte</translation>
    </message>
    <message>
        <source>the driver does not tell how much each process holds (as under Windows and WSL2)</source>
        <translation>der Treiber sagt nicht, wie viel jeder Prozess belegt (wie unter Windows und WSL2)</translation>
    </message>
    <message>
        <source>the encoded files cached in RAM</source>
        <translation>die kodierten Dateien im RAM gepuffert</translation>
    </message>
    <message>
        <source>the environment could not be made</source>
        <translation>die Umgebung ließ sich nicht anlegen</translation>
    </message>
    <message>
        <source>the error comes from {1}</source>
        <translation>der Fehler kommt aus {1}</translation>
    </message>
    <message>
        <source>the examples differ in length</source>
        <translation>die Beispiele sind verschieden lang</translation>
    </message>
    <message>
        <source>the fastest convolutions would like {n1} of workspace and will not get it: expect allocator warnings and slower kernels, not a failure</source>
        <translation>die schnellsten Faltungen hätten gern {n1} Arbeitspuffer und bekommen ihn nicht: es wird Warnungen des Allokators und langsamere Kernel geben, aber keinen Abbruch</translation>
    </message>
    <message>
        <source>the file cannot be imported</source>
        <translation>die Datei lässt sich nicht importieren</translation>
    </message>
    <message>
        <source>the file cannot be read</source>
        <translation>die Datei ist nicht lesbar</translation>
    </message>
    <message>
        <source>the file defines no function</source>
        <translation>die Datei definiert keine Funktion</translation>
    </message>
    <message>
        <source>the file has no config.json inside</source>
        <translation>die Datei enthält keine config.json</translation>
    </message>
    <message>
        <source>the file holds code (a layer {1})</source>
        <translation>die Datei enthält Code (eine Schicht {1})</translation>
    </message>
    <message>
        <source>the file holds weights only</source>
        <translation>die Datei enthält nur Gewichte</translation>
    </message>
    <message>
        <source>the file is cut off</source>
        <translation>die Datei ist abgeschnitten</translation>
    </message>
    <message>
        <source>the file is damaged</source>
        <translation>die Datei ist beschädigt</translation>
    </message>
    <message>
        <source>the file is damaged, compressed, or no TFRecord file</source>
        <translation>die Datei ist beschädigt, komprimiert oder keine TFRecord-Datei</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>die Datei ist leer</translation>
    </message>
    <message>
        <source>the file is no Keras model</source>
        <translation>die Datei ist kein Keras-Modell</translation>
    </message>
    <message>
        <source>the file is too long</source>
        <translation>die Datei ist zu lang</translation>
    </message>
    <message>
        <source>the file system does not tell</source>
        <translation>das Dateisystem sagt es nicht</translation>
    </message>
    <message>
        <source>the file&apos;s own loss is not known here ({1})</source>
        <translation>der eigene Verlust der Datei ist hier nicht bekannt ({1})</translation>
    </message>
    <message>
        <source>the files came from memory (page cache), not from the disk: a first epoch takes longer</source>
        <translation>die Dateien kamen aus dem Speicher (Seitencache), nicht von der Platte: eine erste Epoche dauert länger</translation>
    </message>
    <message>
        <source>the firmware does not tell</source>
        <translation>die Firmware sagt es nicht</translation>
    </message>
    <message>
        <source>the firmware has no memory table, as in most virtual machines</source>
        <translation>die Firmware hat keine Speichertabelle, wie in den meisten virtuellen Maschinen</translation>
    </message>
    <message>
        <source>the first step alone</source>
        <translation>der erste Schritt allein</translation>
    </message>
    <message>
        <source>the first step, in which the optimizer&apos;s state is new, needs {n1}, but only {n2} may be used</source>
        <translation>der erste Schritt, in dem der Zustand des Optimierers entsteht, braucht {n1}, aber nur {n2} sind nutzbar</translation>
    </message>
    <message>
        <source>the framework&apos;s overhead for each operation</source>
        <translation>Aufwand des Frameworks für jede Operation</translation>
    </message>
    <message>
        <source>the function decides about the number of classes</source>
        <translation>über die Zahl der Klassen entscheidet die Funktion</translation>
    </message>
    <message>
        <source>the graph holds it already</source>
        <translation>der Graph enthält es schon</translation>
    </message>
    <message>
        <source>the graphics are part of the chip</source>
        <translation>die Grafik ist Teil des Chips</translation>
    </message>
    <message>
        <source>the image size does not suit this network</source>
        <translation>die Bildgröße passt nicht zu diesem Netz</translation>
    </message>
    <message>
        <source>the input pipeline</source>
        <translation>Eingabe-Pipeline</translation>
    </message>
    <message>
        <source>the input shape does not suit the model</source>
        <translation>die Eingabeform passt nicht zum Modell</translation>
    </message>
    <message>
        <source>the input shape has the wrong number of dimensions</source>
        <translation>die Eingabeform hat die falsche Zahl von Dimensionen</translation>
    </message>
    <message>
        <source>the input size of this model is fixed</source>
        <translation>die Eingabegröße dieses Modells ist fest</translation>
    </message>
    <message>
        <source>the interpreter&apos;s answer cannot be read: {1}</source>
        <translation>die Antwort des Interpreters ist nicht lesbar: {1}</translation>
    </message>
    <message>
        <source>the kernel does not tell</source>
        <translation>der Kernel sagt es nicht</translation>
    </message>
    <message>
        <source>the kernel does not tell what this device is</source>
        <translation>der Kernel sagt nicht, was dieses Gerät ist</translation>
    </message>
    <message>
        <source>the keys class_name and config</source>
        <translation>die Schlüssel class_name und config</translation>
    </message>
    <message>
        <source>the last lines of its standard error say more</source>
        <translation>die letzten Zeilen seiner Fehlerausgabe sagen mehr</translation>
    </message>
    <message>
        <source>the last lines say more</source>
        <translation>die letzten Zeilen sagen mehr</translation>
    </message>
    <message>
        <source>the layer {1} would read another file</source>
        <translation>die Schicht {1} würde eine andere Datei lesen</translation>
    </message>
    <message>
        <source>the least of these</source>
        <translation>das Kleinste davon</translation>
    </message>
    <message>
        <source>the library found no room to compute in:</source>
        <translation>die Bibliothek fand keinen Platz zum Rechnen:</translation>
    </message>
    <message>
        <source>the limit is for the host&apos;s memory, but a card trains</source>
        <translation>die Grenze gilt dem Speicher des Rechners, aber es trainiert eine Karte</translation>
    </message>
    <message>
        <source>the line is not JSON</source>
        <translation>die Zeile ist kein JSON</translation>
    </message>
    <message>
        <source>the loss is not a number any more (NaN or infinite): this plan does not train</source>
        <translation>der Verlust ist keine Zahl mehr (NaN oder unendlich): dieser Plan trainiert nicht</translation>
    </message>
    <message>
        <source>the machine moved {n1} to and from swap meanwhile</source>
        <translation>der Rechner bewegte derweil {n1} zum Auslagerungsspeicher und zurück</translation>
    </message>
    <message>
        <source>the machine runs on battery and may be slower than on mains power</source>
        <translation>der Rechner läuft im Akkubetrieb und kann langsamer sein als am Netz</translation>
    </message>
    <message>
        <source>the machine saves power ({1}) and may be slower than it could be</source>
        <translation>der Rechner spart Strom ({1}) und kann langsamer sein als möglich</translation>
    </message>
    <message>
        <source>the machine&apos;s own noise then</source>
        <translation>das eigene Rauschen des Rechners dabei</translation>
    </message>
    <message>
        <source>the machine&apos;s own speed moved by {n1} during the run; the interval allows for it</source>
        <translation>das Tempo des Rechners selbst schwankte während des Laufs um {n1}; das Intervall berücksichtigt es</translation>
    </message>
    <message>
        <source>the measurement was too short for two readings</source>
        <translation>die Messung war zu kurz für zwei Ablesungen</translation>
    </message>
    <message>
        <source>the message ends in the middle of a field</source>
        <translation>die Nachricht endet mitten in einem Feld</translation>
    </message>
    <message>
        <source>the model cannot be rebuilt at another size</source>
        <translation>das Modell lässt sich in anderer Größe nicht neu bauen</translation>
    </message>
    <message>
        <source>the model does not accept this input</source>
        <translation>das Modell nimmt diese Eingabe nicht an</translation>
    </message>
    <message>
        <source>the model does not fit together without these layers</source>
        <translation>das Modell fügt sich ohne diese Schichten nicht zusammen</translation>
    </message>
    <message>
        <source>the model does not say what its input looks like</source>
        <translation>das Modell sagt nicht, wie seine Eingabe aussieht</translation>
    </message>
    <message>
        <source>the model file cannot be read</source>
        <translation>die Modelldatei ist nicht lesbar</translation>
    </message>
    <message>
        <source>the model file is damaged</source>
        <translation>die Modelldatei ist beschädigt</translation>
    </message>
    <message>
        <source>the model file is too large</source>
        <translation>die Modelldatei ist zu groß</translation>
    </message>
    <message>
        <source>the model has layers of its own: use file.py:function, where they are defined</source>
        <translation>das Modell hat eigene Schichten: datei.py:funktion verwenden, wo sie definiert sind</translation>
    </message>
    <message>
        <source>the model has no output</source>
        <translation>das Modell hat keine Ausgabe</translation>
    </message>
    <message>
        <source>the model has no weights</source>
        <translation>das Modell hat keine Gewichte</translation>
    </message>
    <message>
        <source>the model&apos;s file is not the one that you let run</source>
        <translation>die Datei des Modells ist nicht die, die Sie ausführen ließen</translation>
    </message>
    <message>
        <source>the network&apos;s program</source>
        <translation>das Programm des Netzes</translation>
    </message>
    <message>
        <source>the next batch is made while the device computes</source>
        <translation>der nächste Batch entsteht, während das Gerät rechnet</translation>
    </message>
    <message>
        <source>the number of classes cannot be changed</source>
        <translation>die Zahl der Klassen lässt sich nicht ändern</translation>
    </message>
    <message>
        <source>the number of threads is set for TensorFlow only, not for {1}</source>
        <translation>die Zahl der Threads wird nur für TensorFlow gesetzt, nicht für {1}</translation>
    </message>
    <message>
        <source>the operating system blocks the NVIDIA driver</source>
        <translation>das Betriebssystem blockiert den NVIDIA-Treiber</translation>
    </message>
    <message>
        <source>the output layer {1}</source>
        <translation>die Ausgabeschicht {1}</translation>
    </message>
    <message>
        <source>the package nvidia-ml-py is not installed</source>
        <translation>das Paket nvidia-ml-py ist nicht installiert</translation>
    </message>
    <message>
        <source>the path of a Python</source>
        <translation>der Pfad eines Python</translation>
    </message>
    <message>
        <source>the path of a model file</source>
        <translation>der Pfad einer Modelldatei</translation>
    </message>
    <message>
        <source>the plan fits; how fast it runs is not known before a run, so nothing can be said about time</source>
        <translation>der Plan passt; wie schnell er läuft, ist vor einem Lauf nicht bekannt, also lässt sich über die Zeit nichts sagen</translation>
    </message>
    <message>
        <source>the plan is good as it is</source>
        <translation>der Plan ist gut, wie er ist</translation>
    </message>
    <message>
        <source>the process has ended</source>
        <translation>der Prozess ist zu Ende</translation>
    </message>
    <message>
        <source>the processor does not know an instruction</source>
        <translation>der Prozessor kennt einen Befehl nicht</translation>
    </message>
    <message>
        <source>the processor slowed down for its heat ({1} times)</source>
        <translation>der Prozessor bremste wegen Hitze ({1}-mal)</translation>
    </message>
    <message>
        <source>the processor was used to {n1} while the device waited: at best decoding takes {n2} of its time</source>
        <translation>der Prozessor war zu {n1} ausgelastet, während das Gerät wartete: bestenfalls braucht das Dekodieren {n2} seiner Zeit</translation>
    </message>
    <message>
        <source>the profiler wrote no trace</source>
        <translation>die Aufzeichnung blieb leer</translation>
    </message>
    <message>
        <source>the records hold no encoded image</source>
        <translation>die Datensätze enthalten kein kodiertes Bild</translation>
    </message>
    <message>
        <source>the refined answer</source>
        <translation>die verfeinerte Antwort</translation>
    </message>
    <message>
        <source>the result cannot be sent: {1}</source>
        <translation>das Ergebnis lässt sich nicht senden: {1}</translation>
    </message>
    <message>
        <source>the run ended before its answer: these are the few readings that came until then</source>
        <translation>der Lauf endete vor seiner Antwort: dies sind die wenigen Ablesungen bis dahin</translation>
    </message>
    <message>
        <source>the same figure measured twice</source>
        <translation>dieselbe Zahl zweimal gemessen</translation>
    </message>
    <message>
        <source>the same for all other operations</source>
        <translation>dasselbe für alle anderen Operationen</translation>
    </message>
    <message>
        <source>the same requests through BFC</source>
        <translation>dieselben Anforderungen durch BFC</translation>
    </message>
    <message>
        <source>the scan was cancelled</source>
        <translation>die Durchsicht wurde abgebrochen</translation>
    </message>
    <message>
        <source>the sequence is too long</source>
        <translation>die Sequenz ist zu lang</translation>
    </message>
    <message>
        <source>the speed of this device has not been measured yet</source>
        <translation>das Tempo dieses Geräts wurde noch nicht gemessen</translation>
    </message>
    <message>
        <source>the speed of {1} here is not known before a run: `bench --backend {2}` measures it</source>
        <translation>das Tempo von {1} hier ist vor einem Lauf nicht bekannt: `bench --backend {2}` misst es</translation>
    </message>
    <message>
        <source>the speed with {1} threads is known only from a run</source>
        <translation>das Tempo mit {1} Threads ist nur aus einem Lauf bekannt</translation>
    </message>
    <message>
        <source>the step could not be profiled: {1}</source>
        <translation>der Schritt ließ sich nicht aufzeichnen: {1}</translation>
    </message>
    <message>
        <source>the step is the data sheets&apos; alone</source>
        <translation>der Schritt stammt allein aus den Datenblättern</translation>
    </message>
    <message>
        <source>the step needs {n1}, but only {n2} may be used</source>
        <translation>der Schritt braucht {n1}, aber nur {n2} sind nutzbar</translation>
    </message>
    <message>
        <source>the step time did not settle within 3 % in the time given</source>
        <translation>die Schrittdauer pendelte sich in der gegebenen Zeit nicht auf 3 % ein</translation>
    </message>
    <message>
        <source>the system does not tell</source>
        <translation>das System sagt es nicht</translation>
    </message>
    <message>
        <source>the system does not tell what this device is</source>
        <translation>das System sagt nicht, was dieses Gerät ist</translation>
    </message>
    <message>
        <source>the system ended the child ({1}), most likely because memory ran out</source>
        <translation>das System beendete den Kindprozess ({1}), sehr wahrscheinlich aus Speichermangel</translation>
    </message>
    <message>
        <source>the system ended the child because memory ran out ({1}, and it counted one)</source>
        <translation>das System beendete den Kindprozess aus Speichermangel ({1}, und es zählte einen)</translation>
    </message>
    <message>
        <source>the system names no third-level cache</source>
        <translation>das System nennt keinen Cache der dritten Ebene</translation>
    </message>
    <message>
        <source>the system tells no processor energy (powercap)</source>
        <translation>das System nennt keine Energie des Prozessors (powercap)</translation>
    </message>
    <message>
        <source>the table cannot be read</source>
        <translation>die Tabelle ist nicht lesbar</translation>
    </message>
    <message>
        <source>the table has no column of numbers</source>
        <translation>die Tabelle hat keine Zahlenspalte</translation>
    </message>
    <message>
        <source>the textbook formula keeps every layer&apos;s output twice, which no framework does</source>
        <translation>die Lehrbuchformel behält die Ausgabe jeder Schicht doppelt, was kein Framework tut</translation>
    </message>
    <message>
        <source>the trace of a step is too large to read in time ({1}){2}</source>
        <translation>die Aufzeichnung eines Schritts ist zu groß, um sie rechtzeitig zu lesen ({1}){2}</translation>
    </message>
    <message>
        <source>the traced graph</source>
        <translation>der untersuchte Graph</translation>
    </message>
    <message>
        <source>the traced graph says {n1}; only a run of this batch can tell</source>
        <translation>der untersuchte Graph sagt {n1}; nur ein Lauf mit diesem Batch kann es zeigen</translation>
    </message>
    <message>
        <source>the upper end of the prediction, {n1}, is above the {n2} that may be used</source>
        <translation>das obere Ende der Vorhersage, {n1}, liegt über den nutzbaren {n2}</translation>
    </message>
    <message>
        <source>the weights still see {n1} samples per update</source>
        <translation>die Gewichte sehen je Änderung weiterhin {n1} Beispiele</translation>
    </message>
    <message>
        <source>the whole dataset lies {1} as prepared arrays: {n2}</source>
        <translation>der ganze Datensatz liegt {1} als vorbereitete Arrays: {n2}</translation>
    </message>
    <message>
        <source>the workload does not fit</source>
        <translation>die Aufgabe passt nicht</translation>
    </message>
    <message>
        <source>the workload fits</source>
        <translation>die Aufgabe passt</translation>
    </message>
    <message>
        <source>their biases</source>
        <translation>ihre Bias-Werte</translation>
    </message>
    <message>
        <source>then it fits</source>
        <translation>dann passt es</translation>
    </message>
    <message>
        <source>there are no tables of offers here</source>
        <translation>hier gibt es keine Tabellen mit Angeboten</translation>
    </message>
    <message>
        <source>there is no Python on this machine from which to make an environment</source>
        <translation>auf diesem Rechner gibt es kein Python, mit dem sich eine Umgebung anlegen lässt</translation>
    </message>
    <message>
        <source>there is no image in the folder</source>
        <translation>im Ordner ist kein Bild</translation>
    </message>
    <message>
        <source>there is no interpreter at {1}</source>
        <translation>bei {1} ist kein Interpreter</translation>
    </message>
    <message>
        <source>there is no record in the file</source>
        <translation>in der Datei ist kein Datensatz</translation>
    </message>
    <message>
        <source>there is no such GPU</source>
        <translation>diese GPU gibt es nicht</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>diese Datei gibt es nicht</translation>
    </message>
    <message>
        <source>there is no such file or folder</source>
        <translation>diese Datei oder diesen Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>there is nothing to compare</source>
        <translation>es gibt nichts zu vergleichen</translation>
    </message>
    <message>
        <source>thermal slowdown</source>
        <translation>Drosselung wegen Hitze</translation>
    </message>
    <message>
        <source>this Intel card</source>
        <translation>diese Intel-Karte</translation>
    </message>
    <message>
        <source>this Python cannot train</source>
        <translation>dieses Python kann nicht trainieren</translation>
    </message>
    <message>
        <source>this build of {1} does not offer {2}</source>
        <translation>dieses Build von {1} bietet {2} nicht an</translation>
    </message>
    <message>
        <source>this build of {1} was made {2}</source>
        <translation>dieses Build von {1} wurde {2} gemacht</translation>
    </message>
    <message>
        <source>this build of {1} was not made for AMD cards (ROCm)</source>
        <translation>dieses Build von {1} wurde nicht für AMD-Karten (ROCm) gemacht</translation>
    </message>
    <message>
        <source>this cannot be a model&apos;s name</source>
        <translation>das kann kein Modellname sein</translation>
    </message>
    <message>
        <source>this cannot be the name of data</source>
        <translation>das kann kein Name von Daten sein</translation>
    </message>
    <message>
        <source>this card has no tensor cores</source>
        <translation>diese Karte hat keine Tensorkerne</translation>
    </message>
    <message>
        <source>this card is simulated: no framework here can be asked about it</source>
        <translation>diese Karte ist simuliert: kein Framework hier kann nach ihr gefragt werden</translation>
    </message>
    <message>
        <source>this change has not been traced yet</source>
        <translation>diese Änderung wurde noch nicht untersucht</translation>
    </message>
    <message>
        <source>this currency cannot be used</source>
        <translation>diese Währung ist nicht brauchbar</translation>
    </message>
    <message>
        <source>this data does not suit the model</source>
        <translation>diese Daten passen nicht zum Modell</translation>
    </message>
    <message>
        <source>this data is made by code</source>
        <translation>diese Daten macht ein Programm</translation>
    </message>
    <message>
        <source>this data is not known</source>
        <translation>diese Daten sind nicht bekannt</translation>
    </message>
    <message>
        <source>this describes no data</source>
        <translation>das beschreibt keine Daten</translation>
    </message>
    <message>
        <source>this generation has no TF32</source>
        <translation>diese Generation hat kein TF32</translation>
    </message>
    <message>
        <source>this is a recorded machine</source>
        <translation>das ist ein aufgezeichneter Rechner</translation>
    </message>
    <message>
        <source>this is no Python that can be read</source>
        <translation>das ist kein lesbares Python</translation>
    </message>
    <message>
        <source>this is no function&apos;s name</source>
        <translation>das ist kein Funktionsname</translation>
    </message>
    <message>
        <source>this is no price</source>
        <translation>das ist kein Preis</translation>
    </message>
    <message>
        <source>this is no profile: {1}</source>
        <translation>das ist kein Profil: {1}</translation>
    </message>
    <message>
        <source>this kind of file is not known</source>
        <translation>diese Art Datei ist nicht bekannt</translation>
    </message>
    <message>
        <source>this model has no layer that Keras quantises</source>
        <translation>dieses Modell hat keine Schicht, die Keras quantisiert</translation>
    </message>
    <message>
        <source>this model needs keras-hub, and {1} is not installed</source>
        <translation>dieses Modell braucht keras-hub, und {1} ist nicht installiert</translation>
    </message>
    <message>
        <source>this network has no classes</source>
        <translation>dieses Netz hat keine Klassen</translation>
    </message>
    <message>
        <source>this offer is in no table</source>
        <translation>dieses Angebot steht in keiner Tabelle</translation>
    </message>
    <message>
        <source>this price is in no table</source>
        <translation>dieser Preis steht in keiner Tabelle</translation>
    </message>
    <message>
        <source>this program is not installed, so that it does not know what training needs</source>
        <translation>dieses Programm ist nicht installiert und weiß daher nicht, was das Training braucht</translation>
    </message>
    <message>
        <source>this program&apos;s own</source>
        <translation>das eigene</translation>
    </message>
    <message>
        <source>this run was not stored: {1}</source>
        <translation>dieser Lauf wurde nicht gespeichert: {1}</translation>
    </message>
    <message>
        <source>threads {1}</source>
        <translation>Threads {1}</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>timing operations</source>
        <translation>misst Operationen</translation>
    </message>
    <message>
        <source>timing the dearest operations</source>
        <translation>misst die teuersten Operationen</translation>
    </message>
    <message>
        <source>tiny steps of known size</source>
        <translation>winzige Schritte bekannter Größe</translation>
    </message>
    <message>
        <source>tokens or time steps</source>
        <translation>Token oder Zeitschritte</translation>
    </message>
    <message>
        <source>too little room on the disk for an environment</source>
        <translation>zu wenig Platz auf der Platte für eine Umgebung</translation>
    </message>
    <message>
        <source>total - held by others</source>
        <translation>gesamt - von anderen belegt</translation>
    </message>
    <message>
        <source>traced</source>
        <translation>untersucht</translation>
    </message>
    <message>
        <source>traced graph</source>
        <translation>untersuchter Graph</translation>
    </message>
    <message>
        <source>traced models</source>
        <translation>untersuchte Modelle</translation>
    </message>
    <message>
        <source>tracing one step</source>
        <translation>ein Schritt wird untersucht</translation>
    </message>
    <message>
        <source>tracing the model …</source>
        <translation>das Modell wird untersucht …</translation>
    </message>
    <message>
        <source>tracing the step</source>
        <translation>der Schritt wird untersucht</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>training a tiny network</source>
        <translation>ein winziges Netz wird trainiert</translation>
    </message>
    <message>
        <source>training step</source>
        <translation>Trainingsschritt</translation>
    </message>
    <message>
        <source>trial of batch {1}</source>
        <translation>Versuch mit Batch {1}</translation>
    </message>
    <message>
        <source>trial {n1}, batch {2}: {3}</source>
        <translation>Versuch {n1}, Batch {2}: {3}</translation>
    </message>
    <message>
        <source>try --input-shape {n1}x{n2}x{3}</source>
        <translation>--input-shape {n1}x{n2}x{3} versuchen</translation>
    </message>
    <message>
        <source>try a smaller batch or close other programs; the machine&apos;s memory ran out</source>
        <translation>einen kleineren Batch versuchen oder andere Programme schließen; der Speicher des Rechners reichte nicht</translation>
    </message>
    <message>
        <source>try a smaller batch or close other programs; the system&apos;s memory ran out</source>
        <translation>einen kleineren Batch versuchen oder andere Programme schließen; der Speicher des Systems reichte nicht</translation>
    </message>
    <message>
        <source>try a smaller batch, close other programs, or do not cache the data in RAM</source>
        <translation>einen kleineren Batch versuchen, andere Programme schließen oder die Daten nicht im RAM puffern</translation>
    </message>
    <message>
        <source>try a smaller batch; `willittrain advise` lists what else would help</source>
        <translation>einen kleineren Batch versuchen; `willittrain advise` zählt auf, was noch hülfe</translation>
    </message>
    <message>
        <source>try it with XLA off (--no-jit)</source>
        <translation>ohne XLA versuchen (--no-jit)</translation>
    </message>
    <message>
        <source>tsl/framework/bfc_allocator.cc</source>
        <translation>tsl/framework/bfc_allocator.cc</translation>
    </message>
    <message>
        <source>two GRU layers of 128 units</source>
        <translation>zwei GRU-Schichten mit 128 Einheiten</translation>
    </message>
    <message>
        <source>two LSTM layers of 128 units</source>
        <translation>zwei LSTM-Schichten mit 128 Einheiten</translation>
    </message>
    <message>
        <source>two batch sizes make a line, one does not</source>
        <translation>zwei Batchgrößen ergeben eine Gerade, eine nicht</translation>
    </message>
    <message>
        <source>two hidden layers of 512 units</source>
        <translation>zwei verborgene Schichten mit 512 Einheiten</translation>
    </message>
    <message>
        <source>two values or more</source>
        <translation>zwei oder mehr Werte</translation>
    </message>
    <message>
        <source>typical shop price of a boxed processor in mid-2025; a new board and RAM may be needed besides</source>
        <translation>üblicher Ladenpreis eines Prozessors (boxed) Mitte 2025; eine neue Hauptplatine und neuer RAM können dazukommen</translation>
    </message>
    <message>
        <source>typical shop price of a mid-range drive in mid-2025; read rate as such drives are sold, sequential</source>
        <translation>üblicher Ladenpreis eines Laufwerks der Mittelklasse Mitte 2025; sequentielle Leserate, mit der solche Laufwerke verkauft werden</translation>
    </message>
    <message>
        <source>typical shop price of a new card in mid-2025</source>
        <translation>üblicher Ladenpreis einer neuen Karte Mitte 2025</translation>
    </message>
    <message>
        <source>typical shop price of a plain kit in mid-2025; memory has become much dearer since, so enter your own</source>
        <translation>üblicher Ladenpreis eines einfachen Kits Mitte 2025; Speicher ist seither viel teurer geworden, daher den eigenen Preis eintragen</translation>
    </message>
    <message>
        <source>unknown backend</source>
        <translation>unbekanntes Backend</translation>
    </message>
    <message>
        <source>unknown cache</source>
        <translation>unbekannter Puffer</translation>
    </message>
    <message>
        <source>unknown dataset</source>
        <translation>unbekannter Datensatz</translation>
    </message>
    <message>
        <source>unknown device</source>
        <translation>unbekanntes Gerät</translation>
    </message>
    <message>
        <source>unknown graphics card</source>
        <translation>unbekannte Grafikkarte</translation>
    </message>
    <message>
        <source>unknown job</source>
        <translation>unbekannter Auftrag</translation>
    </message>
    <message>
        <source>unknown model</source>
        <translation>unbekanntes Modell</translation>
    </message>
    <message>
        <source>unknown optimizer</source>
        <translation>unbekannter Optimierer</translation>
    </message>
    <message>
        <source>unknown precision</source>
        <translation>unbekannte Genauigkeit</translation>
    </message>
    <message>
        <source>unknown way to hold the data</source>
        <translation>unbekannte Form der Daten</translation>
    </message>
    <message>
        <source>unknown wire type</source>
        <translation>unbekannter Wire-Typ</translation>
    </message>
    <message>
        <source>unknown {1}</source>
        <translation>unbekannt: {1}</translation>
    </message>
    <message>
        <source>unpack its catalog.zip and name that folder</source>
        <translation>dessen catalog.zip entpacken und diesen Ordner angeben</translation>
    </message>
    <message>
        <source>unset CUDA_VISIBLE_DEVICES</source>
        <translation>CUDA_VISIBLE_DEVICES zurücksetzen</translation>
    </message>
    <message>
        <source>unset JAX_PLATFORMS</source>
        <translation>JAX_PLATFORMS zurücksetzen</translation>
    </message>
    <message>
        <source>unset {1}</source>
        <translation>{1} zurücksetzen</translation>
    </message>
    <message>
        <source>up to {n1} kWh</source>
        <translation>bis zu {n1} kWh</translation>
    </message>
    <message>
        <source>update the NVIDIA driver{1}</source>
        <translation>den NVIDIA-Treiber erneuern{1}</translation>
    </message>
    <message>
        <source>update the framework or the driver, or leave out native code of your own; the last lines show where it was</source>
        <translation>das Framework oder den Treiber erneuern, oder eigenen nativen Code weglassen; die letzten Zeilen zeigen, wo es war</translation>
    </message>
    <message>
        <source>use --cache none or ram</source>
        <translation>--cache none oder ram verwenden</translation>
    </message>
    <message>
        <source>use --mode inference, or train LoRA weights beside them (--lora-rank)</source>
        <translation>--mode inference verwenden, oder LoRA-Gewichte daneben trainieren (--lora-rank)</translation>
    </message>
    <message>
        <source>use Linux or WSL2 with the ROCm build of PyTorch and set KERAS_BACKEND=torch</source>
        <translation>Linux oder WSL2 mit dem ROCm-Build von PyTorch verwenden und KERAS_BACKEND=torch setzen</translation>
    </message>
    <message>
        <source>use a build of the framework that this processor can run</source>
        <translation>ein Build des Frameworks verwenden, das dieser Prozessor ausführen kann</translation>
    </message>
    <message>
        <source>use float32 or bfloat16</source>
        <translation>float32 oder bfloat16 verwenden</translation>
    </message>
    <message>
        <source>use macOS 14 or newer and a current PyTorch</source>
        <translation>macOS 14 oder neuer und ein aktuelles PyTorch verwenden</translation>
    </message>
    <message>
        <source>use of the processor in your run</source>
        <translation>Auslastung des Prozessors in Ihrem Lauf</translation>
    </message>
    <message>
        <source>value × {n1}; prior counted as eight runs, never narrower than what was seen</source>
        <translation>Wert × {n1}; die Vorannahme zählt wie acht Läufe, nie enger als das Gesehene</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>aufwärmen</translation>
    </message>
    <message>
        <source>weights that do not depend on it</source>
        <translation>Gewichte, die nicht davon abhängen</translation>
    </message>
    <message>
        <source>weights, optimizer state and batch</source>
        <translation>Gewichte, Optimiererzustand und Batch</translation>
    </message>
    <message>
        <source>weights, their state and the batch alone need {n1}</source>
        <translation>Gewichte, ihr Zustand und der Batch allein brauchen {n1}</translation>
    </message>
    <message>
        <source>what happens inside a layer is computed again in the backward pass instead of being kept</source>
        <translation>was in einer Schicht geschieht, wird im Rückwärtsschritt neu berechnet, statt behalten zu werden</translation>
    </message>
    <message>
        <source>what is alive at once in every step</source>
        <translation>was in jedem Schritt zugleich lebt</translation>
    </message>
    <message>
        <source>what is kept for each time step shrinks in proportion; attention scores to a quarter</source>
        <translation>was für jeden Zeitschritt behalten wird, schrumpft im Verhältnis; Attention-Werte auf ein Viertel</translation>
    </message>
    <message>
        <source>what the prediction leaves free on the card</source>
        <translation>was die Vorhersage auf der Karte frei lässt</translation>
    </message>
    <message>
        <source>what was measured of this machine</source>
        <translation>was an diesem Rechner gemessen wurde</translation>
    </message>
    <message>
        <source>which file?</source>
        <translation>welche Datei?</translation>
    </message>
    <message>
        <source>which function of the file?</source>
        <translation>welche Funktion der Datei?</translation>
    </message>
    <message>
        <source>which function?</source>
        <translation>welche Funktion?</translation>
    </message>
    <message>
        <source>willittrain step</source>
        <translation>willittrain step</translation>
    </message>
    <message>
        <source>with {1} Keras does not keep the data as one array on the device</source>
        <translation>mit {1} behält Keras die Daten nicht als ein Array auf dem Gerät</translation>
    </message>
    <message>
        <source>without it a benchmark uses made-up batches</source>
        <translation>ohne sie benutzt eine Messung erfundene Batches</translation>
    </message>
    <message>
        <source>without {1}</source>
        <translation>ohne {1}</translation>
    </message>
    <message>
        <source>without {1} its weights and all it keeps for each time step are gone</source>
        <translation>ohne {1} fallen deren Gewichte weg und alles, was sie für jeden Zeitschritt behält</translation>
    </message>
    <message>
        <source>work / rate where that is longer</source>
        <translation>Arbeit / Rate, wo das länger dauert</translation>
    </message>
    <message>
        <source>work of one step</source>
        <translation>Arbeit eines Schritts</translation>
    </message>
    <message>
        <source>x_train and y_train, or x and y</source>
        <translation>x_train und y_train, oder x und y</translation>
    </message>
    <message>
        <source>xla/service/buffer_assignment.cc</source>
        <translation>xla/service/buffer_assignment.cc</translation>
    </message>
    <message>
        <source>your consent for this file</source>
        <translation>Ihre Zustimmung für diese Datei</translation>
    </message>
    <message>
        <source>your folder, median image {1}×{2}</source>
        <translation>Ihr Ordner, mittleres Bild (Median) {1}×{2}</translation>
    </message>
    <message>
        <source>your last run</source>
        <translation>Ihr letzter Lauf</translation>
    </message>
    <message>
        <source>your last {1} runs</source>
        <translation>Ihre letzten {1} Läufe</translation>
    </message>
    <message>
        <source>your own pipeline</source>
        <translation>Ihre eigene Pipeline</translation>
    </message>
    <message>
        <source>your own price</source>
        <translation>Ihr eigener Preis</translation>
    </message>
    <message>
        <source>your own table</source>
        <translation>Ihre eigene Tabelle</translation>
    </message>
    <message>
        <source>your run</source>
        <translation>Ihr Lauf</translation>
    </message>
    <message>
        <source>your runs on this machine</source>
        <translation>Ihre Läufe auf diesem Rechner</translation>
    </message>
    <message>
        <source>{1} (at launch)</source>
        <translation>{1} (zur Markteinführung)</translation>
    </message>
    <message>
        <source>{1} (changes what is learnt)</source>
        <translation>{1} (ändert, was gelernt wird)</translation>
    </message>
    <message>
        <source>{1} (its builds for CUDA 12.8 and newer have it); or use NVIDIA&apos;s TensorFlow container, or build TensorFlow for the card</source>
        <translation>{1} (dessen Builds für CUDA 12.8 und neuer haben ihn); oder NVIDIAs TensorFlow-Container verwenden, oder TensorFlow für die Karte bauen</translation>
    </message>
    <message>
        <source>{1} ({n2} of a step)</source>
        <translation>{1} ({n2} eines Schritts)</translation>
    </message>
    <message>
        <source>{1} -m pip install tensorflow</source>
        <translation>{1} -m pip install tensorflow</translation>
    </message>
    <message>
        <source>{1} and {2}: no difference that can be seen (between {n3} and {n4} of the time)</source>
        <translation>{1} und {2}: kein erkennbarer Unterschied (zwischen {n3} und {n4} der Zeit)</translation>
    </message>
    <message>
        <source>{1} broken files in {2}</source>
        <translation>{1} kaputte Dateien in {2}</translation>
    </message>
    <message>
        <source>{1} bytes</source>
        <translation>{1} Byte</translation>
    </message>
    <message>
        <source>{1} bytes do not fit under {2}</source>
        <translation>{1} Byte passen nicht unter {2}</translation>
    </message>
    <message>
        <source>{1} bytes in {2}</source>
        <translation>{1} Byte in {2}</translation>
    </message>
    <message>
        <source>{1} bytes of data</source>
        <translation>{1} Byte Daten</translation>
    </message>
    <message>
        <source>{1} cannot be built by this Keras</source>
        <translation>{1} lässt sich mit diesem Keras nicht bauen</translation>
    </message>
    <message>
        <source>{1} cannot be built for this input</source>
        <translation>{1} lässt sich für diese Eingabe nicht bauen</translation>
    </message>
    <message>
        <source>{1} cannot be imported: {2}</source>
        <translation>{1} lässt sich nicht importieren: {2}</translation>
    </message>
    <message>
        <source>{1} cannot be read</source>
        <translation>{1} ist nicht lesbar</translation>
    </message>
    <message>
        <source>{1} cannot be {2}, expected {n3} to {n4}</source>
        <translation>{1} kann nicht {2} sein, erwartet {n3} bis {n4}</translation>
    </message>
    <message>
        <source>{1} cannot use {2}</source>
        <translation>{1} kann {2} nicht nutzen</translation>
    </message>
    <message>
        <source>{1} carries no code for compute capability {2} (RTX 50 and other Blackwell cards)</source>
        <translation>{1} enthält keinen Code für Compute Capability {2} (RTX 50 und andere Blackwell-Karten)</translation>
    </message>
    <message>
        <source>{1} classes</source>
        <translation>{1} Klassen</translation>
    </message>
    <message>
        <source>{1} classes instead of {2}</source>
        <translation>{1} Klassen statt {2}</translation>
    </message>
    <message>
        <source>{1} divides badly: {n2} would be {3} × {4}</source>
        <translation>{1} teilt sich schlecht: {n2} wären {3} × {4}</translation>
    </message>
    <message>
        <source>{1} does not offer Apple&apos;s graphics (MPS)</source>
        <translation>{1} bietet Apples Grafik (MPS) nicht an</translation>
    </message>
    <message>
        <source>{1} does not offer this card and does not say why</source>
        <translation>{1} bietet diese Karte nicht an und sagt nicht, warum</translation>
    </message>
    <message>
        <source>{1} does not return a model</source>
        <translation>{1} gibt kein Modell zurück</translation>
    </message>
    <message>
        <source>{1} does not tell</source>
        <translation>{1} sagt es nicht</translation>
    </message>
    <message>
        <source>{1} does not work with {2}: it has had no maintainer since January 2025</source>
        <translation>{1} funktioniert nicht mit {2}: es wird seit Januar 2025 nicht mehr gepflegt</translation>
    </message>
    <message>
        <source>{1} has no GPU support of its own on macOS; its Metal plugin has no maintainer</source>
        <translation>{1} unterstützt unter macOS selbst keine GPU; sein Metal-Plugin wird nicht gepflegt</translation>
    </message>
    <message>
        <source>{1} has no GPU support on Windows itself</source>
        <translation>{1} unterstützt unter Windows selbst keine GPU</translation>
    </message>
    <message>
        <source>{1} has no GPU support on Windows itself: 2.10 was the last that had</source>
        <translation>{1} unterstützt unter Windows selbst keine GPU: 2.10 war die letzte Version, die es tat</translation>
    </message>
    <message>
        <source>{1} has no function {2}</source>
        <translation>{1} hat keine Funktion {2}</translation>
    </message>
    <message>
        <source>{1} hides all cards</source>
        <translation>{1} verbirgt alle Karten</translation>
    </message>
    <message>
        <source>{1} hold {n2}; {3}</source>
        <translation>{1} belegen {n2}; {3}</translation>
    </message>
    <message>
        <source>{1} images lie beside the class folders: classes are not counted</source>
        <translation>{1} Bilder liegen neben den Klassenordnern: Klassen werden nicht gezählt</translation>
    </message>
    <message>
        <source>{1} images,</source>
        <translation>{1}-Bilder,</translation>
    </message>
    <message>
        <source>{1} in {2}</source>
        <translation>{1} in {2}</translation>
    </message>
    <message>
        <source>{1} instead of {2}</source>
        <translation>{1} statt {2}</translation>
    </message>
    <message>
        <source>{1} is busy {n2} of each step, limited by {3} ({4}; {5}).</source>
        <translation>{1} ist {n2} jedes Schritts beschäftigt, begrenzt durch {3} ({4}; {5}).</translation>
    </message>
    <message>
        <source>{1} is no table of gpuhunt</source>
        <translation>{1} ist keine Tabelle von gpuhunt</translation>
    </message>
    <message>
        <source>{1} is not installed</source>
        <translation>{1} ist nicht installiert</translation>
    </message>
    <message>
        <source>{1} is not installed for this Python</source>
        <translation>{1} ist für dieses Python nicht installiert</translation>
    </message>
    <message>
        <source>{1} is not text</source>
        <translation>{1} ist kein Text</translation>
    </message>
    <message>
        <source>{1} is too large for a table</source>
        <translation>{1} ist zu groß für eine Tabelle</translation>
    </message>
    <message>
        <source>{1} is too large for a table of offers</source>
        <translation>{1} ist zu groß für eine Tabelle mit Angeboten</translation>
    </message>
    <message>
        <source>{1} is {n2} times as fast as {3} ({n4} to {n5})</source>
        <translation>{1} ist {n2}-mal so schnell wie {3} ({n4} bis {n5})</translation>
    </message>
    <message>
        <source>{1} layer{2}</source>
        <translation>{1} Schicht{2}</translation>
    </message>
    <message>
        <source>{1} measured here · {2} scaled from your run · {3} predicted</source>
        <translation>{1} hier gemessen · {2} aus Ihrem Lauf umgerechnet · {3} vorhergesagt</translation>
    </message>
    <message>
        <source>{1} median {n2}</source>
        <translation>{1}: Median {n2}</translation>
    </message>
    <message>
        <source>{1} memory, {2} time</source>
        <translation>Speicher {1}, Zeit {2}</translation>
    </message>
    <message>
        <source>{1} needs most: {n2} more than {3}{4}.</source>
        <translation>{1} braucht am meisten: {n2} mehr als {3}{4}.</translation>
    </message>
    <message>
        <source>{1} no longer carries code for compute capability {2}</source>
        <translation>{1} enthält keinen Code mehr für Compute Capability {2}</translation>
    </message>
    <message>
        <source>{1} of {2}</source>
        <translation>{1} von {2}</translation>
    </message>
    <message>
        <source>{1} of {2} inside the interval</source>
        <translation>{1} von {2} im Intervall</translation>
    </message>
    <message>
        <source>{1} of {n2} headers read</source>
        <translation>{1} von {n2} Dateiköpfen gelesen</translation>
    </message>
    <message>
        <source>{1} off</source>
        <translation>{1} aus</translation>
    </message>
    <message>
        <source>{1} offers this card</source>
        <translation>{1} bietet diese Karte an</translation>
    </message>
    <message>
        <source>{1} on</source>
        <translation>{1} an</translation>
    </message>
    <message>
        <source>{1} on disk; later epochs skip decoding</source>
        <translation>{1} auf der Platte; spätere Epochen müssen nicht dekodieren</translation>
    </message>
    <message>
        <source>{1} other models</source>
        <translation>{1} anderen Modellen</translation>
    </message>
    <message>
        <source>{1} reaches up to {2}</source>
        <translation>{1} bis {2}</translation>
    </message>
    <message>
        <source>{1} returns no data</source>
        <translation>{1} gibt keine Daten zurück</translation>
    </message>
    <message>
        <source>{1} returns no usable batch</source>
        <translation>{1} gibt keinen brauchbaren Batch zurück</translation>
    </message>
    <message>
        <source>{1} samples</source>
        <translation>{1} Beispiele</translation>
    </message>
    <message>
        <source>{1} sees no GPU {2}</source>
        <translation>{1} sieht keine GPU {2}</translation>
    </message>
    <message>
        <source>{1} stay free on the device</source>
        <translation>{1} bleiben auf dem Gerät frei</translation>
    </message>
    <message>
        <source>{1} takes {n2} times as long as {3} ({n4} to {n5})</source>
        <translation>{1} braucht {n2}-mal so lange wie {3} ({n4} bis {n5})</translation>
    </message>
    <message>
        <source>{1} threads</source>
        <translation>{1} Threads</translation>
    </message>
    <message>
        <source>{1} through tensorflow-metal, which has had no maintainer since January 2025</source>
        <translation>{1} über tensorflow-metal, das seit Januar 2025 nicht mehr gepflegt wird</translation>
    </message>
    <message>
        <source>{1} tokens at most for {2}</source>
        <translation>höchstens {1} Token für {2}</translation>
    </message>
    <message>
        <source>{1} twice</source>
        <translation>{1} zweimal</translation>
    </message>
    <message>
        <source>{1} under WSL2</source>
        <translation>{1} unter WSL2</translation>
    </message>
    <message>
        <source>{1} waits for data{2}</source>
        <translation>{1} wartet auf Daten{2}</translation>
    </message>
    <message>
        <source>{1} was built for CUDA {2}, but CUDA&apos;s libraries are not installed</source>
        <translation>{1} wurde für CUDA {2} gebaut, aber die CUDA-Bibliotheken sind nicht installiert</translation>
    </message>
    <message>
        <source>{1} was built for ROCm {2} but does not offer this card</source>
        <translation>{1} wurde für ROCm {2} gebaut, bietet diese Karte aber nicht an</translation>
    </message>
    <message>
        <source>{1} would change from {2} to {3}</source>
        <translation>{1} würde sich von {2} zu {3} ändern</translation>
    </message>
    <message>
        <source>{1} yields no batches</source>
        <translation>{1} liefert keine Batches</translation>
    </message>
    <message>
        <source>{1} yields no targets</source>
        <translation>{1} liefert keine Zielwerte</translation>
    </message>
    <message>
        <source>{1} {2}: only a range is known, around what TensorFlow&apos;s step would take</source>
        <translation>{1} {2}: nur eine Spanne ist bekannt, um das, was TensorFlows Schritt brauchte</translation>
    </message>
    <message>
        <source>{1}, at most {n2} s left</source>
        <translation>{1}, höchstens noch {n2} s</translation>
    </message>
    <message>
        <source>{1}, but no {2}</source>
        <translation>{1}, aber kein {2}</translation>
    </message>
    <message>
        <source>{1}, byte {2}</source>
        <translation>{1}, Byte {2}</translation>
    </message>
    <message>
        <source>{1}, line {2} cannot be read</source>
        <translation>{1}, Zeile {2} ist nicht lesbar</translation>
    </message>
    <message>
        <source>{1}, line {2}: column {3} cannot be used</source>
        <translation>{1}, Zeile {2}: Spalte {3} ist nicht brauchbar</translation>
    </message>
    <message>
        <source>{1}, or add this card to it</source>
        <translation>{1}, oder diese Karte hinzufügen</translation>
    </message>
    <message>
        <source>{1}, scaled operation by operation</source>
        <translation>{1}, Operation für Operation umgerechnet</translation>
    </message>
    <message>
        <source>{1}, {2} cores</source>
        <translation>{1}, {2} Kerne</translation>
    </message>
    <message>
        <source>{1}.{2} is not allowed</source>
        <translation>{1}.{2} ist nicht erlaubt</translation>
    </message>
    <message>
        <source>{1}: array {2}</source>
        <translation>{1}: Array {2}</translation>
    </message>
    <message>
        <source>{1}: finishing</source>
        <translation>{1}: wird beendet</translation>
    </message>
    <message>
        <source>{1}: images</source>
        <translation>{1}: Bilder</translation>
    </message>
    <message>
        <source>{1}: needs {2} of {n3} allowed on {4}</source>
        <translation>{1}: braucht {2} von {n3}, die auf {4} nutzbar sind</translation>
    </message>
    <message>
        <source>{1}: needs {2} on {3}</source>
        <translation>{1}: braucht {2} auf {3}</translation>
    </message>
    <message>
        <source>{1}: run {n2} of {3}</source>
        <translation>{1}: Lauf {n2} von {3}</translation>
    </message>
    <message>
        <source>{1}: starting</source>
        <translation>{1}: wird begonnen</translation>
    </message>
    <message>
        <source>{1}: {2} of {3}</source>
        <translation>{1}: {2} von {3}</translation>
    </message>
    <message>
        <source>{1}: {2} rounds are too few to compare with {3}</source>
        <translation>{1}: {2} Runden sind zu wenig für einen Vergleich mit {3}</translation>
    </message>
    <message>
        <source>{1}: {2} samples</source>
        <translation>{1}: {2} Beispiele</translation>
    </message>
    <message>
        <source>{1}: {2} {n3} per step, {n4} samples/s</source>
        <translation>{1}: {2} {n3} je Schritt, {n4} Beispiele/s</translation>
    </message>
    <message>
        <source>{1}: {n2} inputs</source>
        <translation>{1}: {n2} Eingaben</translation>
    </message>
    <message>
        <source>{1}: {n2} samples per epoch</source>
        <translation>{1}: {n2} Beispiele pro Epoche</translation>
    </message>
    <message>
        <source>{1}; and pip uninstall tensorflow-metal</source>
        <translation>{1}; und pip uninstall tensorflow-metal</translation>
    </message>
    <message>
        <source>{1}; decoding stays</source>
        <translation>{1}; das Dekodieren bleibt</translation>
    </message>
    <message>
        <source>{1}; or use WSL2 and there {2}</source>
        <translation>{1}; oder WSL2 verwenden und dort {2}</translation>
    </message>
    <message>
        <source>{1}; or: {2}</source>
        <translation>{1}; oder: {2}</translation>
    </message>
    <message>
        <source>{1}of all changes that were tried none makes an epoch {n2} shorter</source>
        <translation>{1}keine der erprobten Änderungen macht eine Epoche um {n2} kürzer</translation>
    </message>
    <message>
        <source>{n1} GFLOP</source>
        <translation>{n1} GFLOP</translation>
    </message>
    <message>
        <source>{n1} GFLOP/s</source>
        <translation>{n1} GFLOP/s</translation>
    </message>
    <message>
        <source>{n1} GiB free at {2}</source>
        <translation>{n1} GiB frei in {2}</translation>
    </message>
    <message>
        <source>{n1} a training</source>
        <translation>{n1} je Training</translation>
    </message>
    <message>
        <source>{n1} are missing</source>
        <translation>{n1} fehlen</translation>
    </message>
    <message>
        <source>{n1} cells</source>
        <translation>{n1} Zellen</translation>
    </message>
    <message>
        <source>{n1} columns of numbers, label {2}</source>
        <translation>{n1} Zahlenspalten, Label {2}</translation>
    </message>
    <message>
        <source>{n1} columns of numbers, no label found</source>
        <translation>{n1} Zahlenspalten, kein Label gefunden</translation>
    </message>
    <message>
        <source>{n1} epochs</source>
        <translation>{n1} Epochen</translation>
    </message>
    <message>
        <source>{n1} files{2} are broken and are left out</source>
        <translation>{n1} Dateien{2} sind kaputt und werden ausgelassen</translation>
    </message>
    <message>
        <source>{n1} h rented</source>
        <translation>{n1} h Miete</translation>
    </message>
    <message>
        <source>{n1} images found</source>
        <translation>{n1} Bilder gefunden</translation>
    </message>
    <message>
        <source>{n1} inputs</source>
        <translation>{n1} Eingaben</translation>
    </message>
    <message>
        <source>{n1} labels</source>
        <translation>{n1} Label</translation>
    </message>
    <message>
        <source>{n1} left in the file</source>
        <translation>{n1} in der Datei übrig</translation>
    </message>
    <message>
        <source>{n1} of it has room</source>
        <translation>{n1} davon haben Platz</translation>
    </message>
    <message>
        <source>{n1} of it has room, and so have all encoded files ({n2})</source>
        <translation>{n1} davon haben Platz, ebenso alle kodierten Dateien ({n2})</translation>
    </message>
    <message>
        <source>{n1} of its memory are left, the data takes {n2}; of samples drawn by chance {n3} are there already</source>
        <translation>{n1} ihres Speichers sind übrig, die Daten brauchen {n2}; von zufällig gezogenen Beispielen sind {n3} schon da</translation>
    </message>
    <message>
        <source>{n1} of the card</source>
        <translation>{n1} der Karte</translation>
    </message>
    <message>
        <source>{n1} of the decoded data cached in RAM</source>
        <translation>{n1} der dekodierten Daten im RAM gepuffert</translation>
    </message>
    <message>
        <source>{n1} of the decoded data cached on disk</source>
        <translation>{n1} der dekodierten Daten auf der Platte gepuffert</translation>
    </message>
    <message>
        <source>{n1} of the encoded files cached in RAM</source>
        <translation>{n1} der kodierten Dateien im RAM gepuffert</translation>
    </message>
    <message>
        <source>{n1} of {n2} cards need more than a power supply of {n3} W (card and 400 W besides, as their makers ask)</source>
        <translation>{n1} von {n2} Karten brauchen mehr als ein Netzteil von {n3} W (die Karte und 400 W dazu, wie ihre Hersteller verlangen)</translation>
    </message>
    <message>
        <source>{n1} of {n2} images that were looked at cannot be decoded and were left out: {3}{4}</source>
        <translation>{n1} von {n2} angesehenen Bildern lassen sich nicht dekodieren und wurden ausgelassen: {3}{4}</translation>
    </message>
    <message>
        <source>{n1} recurrent layer</source>
        <translation>{n1} rekurrente Schicht</translation>
    </message>
    <message>
        <source>{n1} samples are more than 100 million{2}; the offers below say what a training costs</source>
        <translation>{n1} Beispiele sind mehr als 100 Millionen{2}; die Angebote unten sagen, was ein Training kostet</translation>
    </message>
    <message>
        <source>{n1} samples x one sample</source>
        <translation>{n1} Beispiele x ein Beispiel</translation>
    </message>
    <message>
        <source>{n1} threads usable</source>
        <translation>{n1} Threads nutzbar</translation>
    </message>
    <message>
        <source>{n1} to {n2}</source>
        <translation>{n1} bis {n2}</translation>
    </message>
    <message>
        <source>{n1} trainings</source>
        <translation>{n1} Trainings</translation>
    </message>
    <message>
        <source>{n1} weights instead of {n2}</source>
        <translation>{n1} Gewichte statt {n2}</translation>
    </message>
    <message>
        <source>{n1} were free</source>
        <translation>{n1} waren frei</translation>
    </message>
    <message>
        <source>{n1} {2}/kWh</source>
        <translation>{n1} {2}/kWh</translation>
    </message>
    <message>
        <source>{n1} × that</source>
        <translation>{n1} × das</translation>
    </message>
    <message>
        <source>{n1}, for example {2}</source>
        <translation>{n1}, zum Beispiel {2}</translation>
    </message>
    <message>
        <source>× {n1} to {n2}</source>
        <translation>× {n1} bis {n2}</translation>
    </message>
    <message>
        <source>“willittrain datasets” lists all</source>
        <translation>„willittrain datasets“ listet alle auf</translation>
    </message>
    <message>
        <source>“willittrain gpus” lists all</source>
        <translation>„willittrain gpus“ listet alle auf</translation>
    </message>
    <message>
        <source>“{1}” can be several cards; taken: {2}; others: {3}</source>
        <translation>„{1}“ können mehrere Karten sein; gewählt: {2}; andere: {3}</translation>
    </message>
</context>
<context>
    <name>words</name>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>Knapp</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Cannot tell</source>
        <translation>Unklar</translation>
    </message>
    <message>
        <source>measured here</source>
        <translation>hier gemessen</translation>
    </message>
    <message>
        <source>scaled from your run</source>
        <translation>aus Ihrem Lauf umgerechnet</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>without a basis</source>
        <translation>ohne Grundlage</translation>
    </message>
    <message>
        <source>Others and reserve</source>
        <translation>Andere, Reserve</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitspuffer</translation>
    </message>
    <message>
        <source>Input batch</source>
        <translation>Eingabe-Batch</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
    <message>
        <source>Held by the desktop and other programs, or kept back by the framework</source>
        <translation>Vom Desktop und anderen Programmen belegt oder vom Framework zurückbehalten</translation>
    </message>
    <message>
        <source>The framework&apos;s own context on the device</source>
        <translation>Der eigene Kontext des Frameworks auf dem Gerät</translation>
    </message>
    <message>
        <source>The parameters of the network</source>
        <translation>Die Parameter des Netzes</translation>
    </message>
    <message>
        <source>One value for each trainable parameter</source>
        <translation>Ein Wert für jeden trainierbaren Parameter</translation>
    </message>
    <message>
        <source>What the optimizer remembers for each parameter</source>
        <translation>Was sich der Optimierer zu jedem Parameter merkt</translation>
    </message>
    <message>
        <source>Layer outputs kept for the backward pass; they grow with the batch</source>
        <translation>Für den Rückwärtsschritt behaltene Ausgaben der Schichten; sie wachsen mit dem Batch</translation>
    </message>
    <message>
        <source>Scratch memory of the fast kernels</source>
        <translation>Zwischenspeicher der schnellen Kernel</translation>
    </message>
    <message>
        <source>The batch itself</source>
        <translation>Der Batch selbst</translation>
    </message>
    <message>
        <source>Needed</source>
        <translation>Benötigt</translation>
    </message>
    <message>
        <source>Wanted on top</source>
        <translation>Zusätzlich gewünscht</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Seen by the driver</source>
        <translation>Vom Treiber gesehen</translation>
    </message>
    <message>
        <source>The process in RAM</source>
        <translation>Der Prozess im RAM</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>Erlaubt</translation>
    </message>
    <message>
        <source>TensorFlow reserves all it may use, unless memory growth is switched on</source>
        <translation>TensorFlow reserviert alles, was es nutzen darf, außer „memory growth“ ist eingeschaltet</translation>
    </message>
    <message>
        <source>tensors at the worst moment of a step; this decides whether it fits</source>
        <translation>Tensoren im schlimmsten Moment eines Schritts; das entscheidet, ob es passt</translation>
    </message>
    <message>
        <source>scratch for the fastest convolutions; if refused, slower ones run</source>
        <translation>Zwischenspeicher der schnellsten Faltungen; ohne ihn laufen langsamere</translation>
    </message>
    <message>
        <source>the processor&apos;s allocator gives back what it frees</source>
        <translation>der Allokator des Prozessors gibt zurück, was er freigibt</translation>
    </message>
    <message>
        <source>needed, and the framework&apos;s own context on the card</source>
        <translation>das Benötigte und der eigene Kontext des Frameworks auf der Karte</translation>
    </message>
    <message>
        <source>Python, the framework and what it computes in RAM</source>
        <translation>Python, das Framework und was es im RAM berechnet</translation>
    </message>
    <message>
        <source>free now, without what the framework and the desktop keep back</source>
        <translation>jetzt frei, ohne was Framework und Desktop zurückbehalten</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>das Rechnen</translation>
    </message>
    <message>
        <source>memory bandwidth</source>
        <translation>die Speicherbandbreite</translation>
    </message>
    <message>
        <source>starting operations</source>
        <translation>das Starten von Operationen</translation>
    </message>
    <message>
        <source>data preparation</source>
        <translation>die Datenaufbereitung</translation>
    </message>
    <message>
        <source>the disk</source>
        <translation>die Festplatte</translation>
    </message>
    <message>
        <source>something unknown</source>
        <translation>etwas Unbekanntes</translation>
    </message>
    <message>
        <source>Succeeded</source>
        <translation>Erfolgreich</translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation>Speicher reichte nicht</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Crashed</source>
        <translation>Abgestürzt</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Load framework</source>
        <translation>Framework laden</translation>
    </message>
    <message>
        <source>Build model</source>
        <translation>Modell bauen</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Untersuchen</translation>
    </message>
    <message>
        <source>Prepare data</source>
        <translation>Daten vorbereiten</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Bauen</translation>
    </message>
    <message>
        <source>Warm</source>
        <translation>Warm</translation>
    </message>
    <message>
        <source>This plan</source>
        <translation>Dieser Plan</translation>
    </message>
    <message>
        <source>CPU against GPU</source>
        <translation>CPU gegen GPU</translation>
    </message>
    <message>
        <source>XLA on against off</source>
        <translation>XLA an gegen aus</translation>
    </message>
    <message>
        <source>float32 against mixed precision</source>
        <translation>float32 gegen gemischte Genauigkeit</translation>
    </message>
    <message>
        <source>All, half and one thread</source>
        <translation>Alle, halbe und ein Thread</translation>
    </message>
    <message>
        <source>With and without a cache</source>
        <translation>Mit und ohne Puffer</translation>
    </message>
    <message>
        <source>The largest batch that runs</source>
        <translation>Der größte Batch, der läuft</translation>
    </message>
    <message>
        <source>A larger batch would leave too little headroom below the limit.</source>
        <translation>Ein größerer Batch ließe zu wenig Luft unter der Grenze.</translation>
    </message>
    <message>
        <source>A larger batch than the dataset makes no sense.</source>
        <translation>Ein Batch über der Größe des Datensatzes hat keinen Sinn.</translation>
    </message>
    <message>
        <source>The next larger batch that was tried ran out of memory.</source>
        <translation>Für den nächstgrößeren erprobten Batch reichte der Speicher nicht.</translation>
    </message>
    <message>
        <source>A larger batch is far slower: its memory spills.</source>
        <translation>Ein größerer Batch ist weit langsamer: sein Speicher läuft über.</translation>
    </message>
    <message>
        <source>Not even one sample fits.</source>
        <translation>Nicht einmal ein Beispiel passt.</translation>
    </message>
    <message>
        <source>The search ended after its last trial.</source>
        <translation>Die Suche endete mit ihrem letzten Versuch.</translation>
    </message>
    <message>
        <source>A trial failed for another reason than memory.</source>
        <translation>Ein Versuch scheiterte, aber nicht am Speicher.</translation>
    </message>
    <message>
        <source>The search was cancelled.</source>
        <translation>Die Suche wurde abgebrochen.</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Cloud</source>
        <translation>Cloud</translation>
    </message>
    <message>
        <source>VRAM</source>
        <translation>VRAM</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele pro Sekunde</translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation>Eine Epoche</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Process in RAM</source>
        <translation>Prozess im RAM</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <source>It waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>Graphics cards</source>
        <translation>Grafikkarten</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>XLA</source>
        <translation>XLA</translation>
    </message>
    <message>
        <source>Accumulated steps</source>
        <translation>Akkumulierte Schritte</translation>
    </message>
    <message>
        <source>Recomputed activations</source>
        <translation>Neu berechnete Aktivierungen</translation>
    </message>
    <message>
        <source>Frozen layers</source>
        <translation>Eingefrorene Schichten</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Zweck</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Share that is cached</source>
        <translation>Gepufferter Anteil</translation>
    </message>
    <message>
        <source>Samples decoded at once</source>
        <translation>Gleichzeitig dekodierte Beispiele</translation>
    </message>
    <message>
        <source>Batches prepared ahead</source>
        <translation>Batches vorab erzeugt</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Moving average of weights</source>
        <translation>Gleitender Mittelwert der Gewichte (EMA)</translation>
    </message>
    <message>
        <source>Gradients clipped each by norm</source>
        <translation>Gradienten einzeln nach Norm gekappt</translation>
    </message>
    <message>
        <source>Gradients clipped all by norm</source>
        <translation>Gradienten gemeinsam nach Norm gekappt</translation>
    </message>
    <message>
        <source>Gradients clipped by value</source>
        <translation>Gradienten nach Wert gekappt</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Data given as</source>
        <translation>Datenform</translation>
    </message>
    <message>
        <source>LoRA rank</source>
        <translation>LoRA-Rang</translation>
    </message>
    <message>
        <source>8-bit weights</source>
        <translation>8-Bit-Gewichte</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>Bildgröße</translation>
    </message>
    <message>
        <source>Layers left out</source>
        <translation>Weggelassene Schichten</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>RAM, not decoded</source>
        <translation>RAM, nicht dekodiert</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>inference</source>
        <translation>Inferenz</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>one array</source>
        <translation>ein Array</translation>
    </message>
    <message>
        <source>Waiting for data</source>
        <translation>Warten auf Daten</translation>
    </message>
    <message>
        <source>Waiting for the disk</source>
        <translation>Warten auf die Platte</translation>
    </message>
    <message>
        <source>Waiting for decoding</source>
        <translation>Warten auf das Dekodieren</translation>
    </message>
    <message>
        <source>Copying to the device</source>
        <translation>Kopieren auf das Gerät</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>First step, compilation included</source>
        <translation>Erster Schritt, samt Kompilieren</translation>
    </message>
    <message>
        <source>Building the model</source>
        <translation>Bauen des Modells</translation>
    </message>
    <message>
        <source>A step of the data alone</source>
        <translation>Ein Schritt der Daten allein</translation>
    </message>
    <message>
        <source>A step on one cached batch</source>
        <translation>Ein Schritt mit einem gepufferten Batch</translation>
    </message>
    <message>
        <source>Beginning an epoch</source>
        <translation>Beginn einer Epoche</translation>
    </message>
    <message>
        <source>First epoch, from the disk</source>
        <translation>Erste Epoche, von der Platte</translation>
    </message>
    <message>
        <source>Held by the allocator</source>
        <translation>Vom Allokator belegt</translation>
    </message>
    <message>
        <source>CPU use</source>
        <translation>CPU-Auslastung</translation>
    </message>
    <message>
        <source>GPU use</source>
        <translation>GPU-Auslastung</translation>
    </message>
    <message>
        <source>Energy of the card for one epoch</source>
        <translation>Energie der Karte für eine Epoche</translation>
    </message>
    <message>
        <source>Energy of the processor for one epoch</source>
        <translation>Energie des Prozessors für eine Epoche</translation>
    </message>
    <message>
        <source>RAM for each byte on disk</source>
        <translation>RAM für jedes Byte auf der Platte</translation>
    </message>
    <message>
        <source>A smaller batch stays within the card&apos;s memory.</source>
        <translation>Ein kleinerer Batch bleibt im Speicher der Karte.</translation>
    </message>
    <message>
        <source>A smaller batch stays within the RAM; closing other programs helps too.</source>
        <translation>Ein kleinerer Batch bleibt im RAM; andere Programme zu schließen hilft auch.</translation>
    </message>
    <message>
        <source>Let the card cool down or mend its airflow, then measure again.</source>
        <translation>Die Karte abkühlen lassen oder ihre Belüftung verbessern, dann erneut messen.</translation>
    </message>
    <message>
        <source>A higher power limit would be faster, if cooling and supply allow.</source>
        <translation>Eine höhere Leistungsgrenze wäre schneller, wenn Kühlung und Netzteil es zulassen.</translation>
    </message>
    <message>
        <source>Let the processor cool down, then measure again.</source>
        <translation>Den Prozessor abkühlen lassen, dann erneut messen.</translation>
    </message>
    <message>
        <source>Plug the machine in, then measure again.</source>
        <translation>Den Rechner ans Netz anschließen, dann erneut messen.</translation>
    </message>
    <message>
        <source>Switch the power saving off, then measure again.</source>
        <translation>Den Energiesparmodus ausschalten, dann erneut messen.</translation>
    </message>
    <message>
        <source>Close what computes on the card, then measure again.</source>
        <translation>Schließen, was auf der Karte rechnet, dann erneut messen.</translation>
    </message>
    <message>
        <source>Close the other programs, then measure again.</source>
        <translation>Die anderen Programme schließen, dann erneut messen.</translation>
    </message>
    <message>
        <source>Measure again when it is quiet.</source>
        <translation>Erneut messen, wenn die Maschine ruhig ist.</translation>
    </message>
    <message>
        <source>Measure for longer.</source>
        <translation>Länger messen.</translation>
    </message>
    <message>
        <source>Measure without the low priority for the true speed.</source>
        <translation>Für das wahre Tempo ohne niedrige Priorität messen.</translation>
    </message>
    <message>
        <source>Use batch {size}</source>
        <translation>Batch {size} übernehmen</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Erneut messen</translation>
    </message>
</context>
</TS>
